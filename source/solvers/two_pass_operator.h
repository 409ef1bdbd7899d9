// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/backend/element_operator.h>
#include <strut/backend/memory_plan.h>
#include <strut/backend/strategy.h>
#include <strut/mesh/element_mesh.h>

#include <memory>

namespace strut
{
/// Lame's parameters with a strategy that takes factors only, on any backend. A product is the sum
/// of one with Material::volumetric() and the factors lambda_e, and one with Material::deviatoric()
/// and mu_e: twice the work and memory.
template <typename Number>
class TwoPassOperator : public ElementOperator<Number>
{
public:
  TwoPassOperator(Backend &backend,
                  const ElementMesh &mesh,
                  const Strategy<Number> &strategy,
                  Formulation formulation);

  /// Sets the same factor for both parameters.
  void set_stiffness(const Array<double> &factors) override;
  void set(const ElementMesh &mesh, const Stiffness &stiffness) override;
  void apply(const Array<Number> &x, Array<Number> &y) const override;
  void diagonal(Array<Number> &d) const override;
  void diagonal_blocks(Array<Number> &blocks) const override;
  void energies(const Array<Number> &u, Array<double> &c) const override;
  void
  energies_of(const Stiffness &stiffness, const Array<Number> &u, Array<double> &c) const override;
  OperatorCost cost() const override;

  /// Bytes that the operator keeps beside its two parts.
  static constexpr double bytes_of_node = 6. * sizeof(Number);

private:
  Backend &backend_;
  std::unique_ptr<ElementOperator<Number>> lambda_, mu_;
  mutable Array<Number> work_; ///< `[6 * n_nodes]`
};

/// Makes an operator for a law: one of the strategy, or one of two passes.
template <typename Number>
std::unique_ptr<ElementOperator<Number>> make_element_operator(Backend &backend,
                                                               const ElementMesh &mesh,
                                                               const Strategy<Number> &strategy,
                                                               const Material &material,
                                                               const Law &law)
{
  if (strategy.takes_two_passes(law))
    return std::make_unique<TwoPassOperator<Number>>(backend, mesh, strategy, material.formulation);
  return strategy.make(backend, mesh, material);
}

/// Estimated bytes that DependentDofs keep for one of them, at a node that hangs from 2.7 others.
template <typename Number>
constexpr double bytes_of_dependent_dof = 29. + 4.5 * sizeof(Number);

/// Bytes that the operator of a mesh, or of a level of it, keeps, without tangents.
template <typename Number>
double operator_memory(const Strategy<Number> &strategy,
                       const MeshSize &size,
                       const std::size_t n_elements,
                       const std::size_t n_nodes)
{
  OperatorSize of{n_elements,
                  n_nodes,
                  size.layout.law,
                  size.has_similar_elements,
                  size.more_slots_per_element,
                  size.n_components,
                  size.type};
  if (!strategy.takes_two_passes(of.law))
    return strategy.memory_estimate(of);
  of.law = Law::factor;
  return 2. * strategy.memory_estimate(of) +
         TwoPassOperator<Number>::bytes_of_node * static_cast<double>(n_nodes);
}
} // namespace strut
