// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/tensor.h>

#include <strut/dealii_classes.h>

#include <type_traits>

namespace strut::internal
{
/// Whether a function of cells, or of cells and points, returns Tensor<4, 3>.
template <class Function, class Cell>
constexpr bool gives_full_tensors = [] {
  using Tensor = dealii::Tensor<4, 3>;
  if constexpr (std::is_invocable_v<const Function &, const Cell &, unsigned int>)
    return std::is_same_v<
      std::decay_t<std::invoke_result_t<const Function &, const Cell &, unsigned int>>,
      Tensor>;
  else if constexpr (std::is_invocable_v<const Function &, const Cell &>)
    return std::is_same_v<std::decay_t<std::invoke_result_t<const Function &, const Cell &>>,
                          Tensor>;
  else
    return false;
}();

/// Calls of a StiffnessOperator that the compiler refuses in words.
template <typename Number>
class RefusedCalls
{
  static_assert(std::is_same_v<Number, double> || std::is_same_v<Number, float>,
                "StiffnessOperator<Number> takes double and float.");

public:
  template <int dim, int spacedim, typename ConstraintNumber, typename... Data>
  std::enable_if_t<dim != spacedim> reinit(const dealii::DoFHandler<dim, spacedim> &,
                                           const dealii::AffineConstraints<ConstraintNumber> &,
                                           const Data &...)
  {
    static_assert(
      dim == spacedim,
      "StiffnessOperator takes DoFHandler<3>, of a mesh of hexahedra or tetrahedra: none "
      "of curves or surfaces in space.");
  }

  template <class Function>
  std::enable_if_t<
    gives_full_tensors<Function, dealii::TriaActiveIterator<dealii::CellAccessor<3, 3>>>>
  set_tangents(const Function &)
  {
    static_assert(
      !std::is_same_v<Function, Function>,
      "set_tangents() takes functions that return SymmetricTensor<4, 3>: moduli of small "
      "strain, C_ijkl = C_jikl. Those of finite strain have no such symmetry.");
  }

  template <class Destination, class Source>
  std::enable_if_t<!std::is_same_v<Destination, Source>> vmult(Destination &, const Source &) const
  {
    static_assert(std::is_same_v<Destination, Source>,
                  "The two vectors of a product with StiffnessOperator must be of one type.");
  }
};
} // namespace strut::internal
