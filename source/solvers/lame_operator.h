// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/backend/element_operator.h>
#include <strut/backend/lame_elements.h>
#include <strut/backend/memory_plan.h>
#include <strut/backend/strategy.h>
#include <strut/mesh/element_mesh.h>

#include <memory>
#include <vector>

namespace strut
{
/// Operator for elements with Lame parameters of their own:
/// `K_e = lambda_e K_lambda,e + mu_e K_mu,e`. With a strategy whose operators are LameElements it
/// is one operator. Other strategies need two, for Material::volumetric() and
/// Material::deviatoric(), with twice the work and memory, on any backend.
template <typename Number>
class LameOperator : public ElementOperator<Number>
{
public:
  /// Make the operator.
  /// @param mesh  must outlive this object
  LameOperator(Backend &backend,
               const ElementMesh &mesh,
               const Strategy<Number> &strategy,
               VolumetricIntegration volumetric_integration = VolumetricIntegration::full);

  /// Set the parameters, `[n_elements]` each, on the backend; mu >= 0, 3 lambda + 2 mu >= 0.
  void set_lame(const Array<double> &lambda, const Array<double> &mu);

  /// Set the same factor for both: lambda_e = mu_e = E_e.
  void set_stiffness(const Array<double> &factors) override;

  void apply(const Array<Number> &x, Array<Number> &y) const override;
  bool takes_float() const override; ///< true if a product takes one pass
  void apply_to_float(const Array<float> &x, Array<Number> &y) const override;
  bool can_subtract() const override; ///< true if a product takes one pass
  void subtract(const Array<Number> &x, Array<Number> &y) const override;
  void diagonal(Array<Number> &d) const override;
  void diagonal_blocks(Array<Number> &blocks) const override;

  /// Compute energies with lambda = mu = 1.
  void energies(const Array<Number> &u, Array<double> &c) const override;

  /// Compute energies with the given parameters, `[n_elements]` each.
  void energies(const Array<Number> &u,
                const Array<double> &lambda,
                const Array<double> &mu,
                Array<double> &c) const;

  /// Bytes that the operator keeps with a strategy: two of its operators, or one that takes both
  /// parameters.
  static double memory_estimate(const Strategy<Number> &strategy,
                                std::size_t n_elements,
                                std::size_t n_nodes,
                                bool similar);

  OperatorCost cost() const override;

  /// Whether a product takes one pass over the elements.
  bool is_one_pass() const
  {
    return both_ != nullptr;
  }

private:
  Backend &backend_;
  const ElementMesh &mesh_;
  std::unique_ptr<ElementOperator<Number>> lambda_; ///< operator of lambda, or of both parameters
  LameElements<Number> *both_;                  ///< lambda_ if it takes both parameters, else null
  std::unique_ptr<ElementOperator<Number>> mu_; ///< used only with two operators
  mutable Array<Number> work_; ///< `[3 * n_nodes]` or `[6 * n_nodes]`; used only with two operators
};

/// Estimated bytes that DependentDofs keep for one of them, at a node that hangs from 2.7 others.
template <typename Number>
constexpr double bytes_of_dependent_dof = 29. + 4.5 * sizeof(Number);

/// Bytes that the operator of a mesh, or of a level of it, keeps. With Lame's parameters of the
/// elements it is a LameOperator.
template <typename Number>
double operator_memory(const Strategy<Number> &strategy,
                       const MeshSize &size,
                       const std::size_t n_elements,
                       const std::size_t n_nodes)
{
  const bool similar         = size.has_similar_elements && !size.has_lame;
  const double of_more_slots = size.more_slots_per_element * static_cast<double>(n_elements) *
                               (similar ? strategy.bytes_of_similar_slot : strategy.bytes_of_slot);
  return of_more_slots + (size.has_lame
                            ? LameOperator<Number>::memory_estimate(
                                strategy, n_elements, n_nodes, size.has_similar_elements)
                            : strategy.memory(n_elements, n_nodes, similar));
}

/// Returns element matrices with these parameters, `[n_elements]` each. The result is
/// `[n_elements][300]`, upper triangles by columns.
template <typename Number>
std::vector<Number> packed_lame_matrices(const ElementMesh &mesh,
                                         const std::vector<double> &lambda,
                                         const std::vector<double> &mu,
                                         VolumetricIntegration volumetric_integration);
} // namespace strut
