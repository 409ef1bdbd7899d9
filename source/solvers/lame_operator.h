// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/backend/element_operator.h>
#include <strut/backend/strategy.h>
#include <strut/mesh/element_mesh.h>

#include <memory>
#include <vector>

namespace strut
{
/// Elements with Lame parameters of their own: `K_e = lambda_e K_lambda,e + mu_e K_mu,e`, two operators of one
/// strategy, one for Material::volumetric() and one for Material::deviatoric(). Twice the work and the memory of
/// one, with any strategy on any backend.
template <typename Number>
class LameOperator : public ElementOperator<Number>
{
public:
  LameOperator(Backend &backend, const ElementMesh &mesh, const Strategy<Number> &strategy);

  /// `[n_elements]` each, on the backend; mu >= 0, 3 lambda + 2 mu >= 0.
  void set_lame(const Array<double> &lambda, const Array<double> &mu);

  /// The same factor for both: lambda_e = mu_e = E_e.
  void set_stiffness(const Array<double> &factors) override;

  void apply(const Array<Number> &x, Array<Number> &y) const override;
  void diagonal(Array<Number> &d) const override;
  void diagonal_blocks(Array<Number> &blocks) const override;

  /// With lambda = mu = 1.
  void energies(const Array<Number> &u, Array<double> &c) const override;

  /// With these, `[n_elements]` each.
  void energies(const Array<Number> &u,
                const Array<double> &lambda,
                const Array<double> &mu,
                Array<double> &c) const;

  /// Bytes that two operators of a strategy and this one keep.
  static double
  memory_estimate(const Strategy<Number> &strategy, std::size_t n_elements, std::size_t n_nodes);

  OperatorCost cost() const override;

private:
  Backend &backend_;
  std::unique_ptr<ElementOperator<Number>> lambda_, mu_;
  mutable Array<Number> work_; ///< `[3 * n_nodes]` or `[6 * n_nodes]`
};

/// Element matrices with these parameters, `[n_elements]` each: `[n_elements][300]`, upper triangles by columns.
template <typename Number>
std::vector<Number> packed_lame_matrices(const ElementMesh &mesh,
                                         const std::vector<double> &lambda,
                                         const std::vector<double> &mu);
} // namespace strut
