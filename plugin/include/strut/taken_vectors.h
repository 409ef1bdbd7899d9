// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/vector.h>

#include <strut/compat.h>
#include <strut/dealii_classes.h>

#include <type_traits>
#include <utility>

namespace strut
{
template <typename Number>
class DeviceVector;

namespace internal
{
template <class Vector, typename = void>
constexpr bool is_block_vector = false;
template <class Vector>
constexpr bool
  is_block_vector<Vector, std::void_t<decltype(std::declval<const Vector &>().n_blocks())>> = true;

template <typename Number, class Vector>
constexpr bool takes = std::is_same_v<Vector, dealii::LinearAlgebra::distributed::Vector<Number>> ||
                       std::is_same_v<Vector, DeviceVector<Number>> ||
                       std::is_same_v<Vector, dealii::Vector<Number>> ||
                       (std::is_same_v<Number, double> &&
                        (std::is_same_v<Vector, dealii::TrilinosWrappers::MPI::Vector> ||
                         (compat::has_petsc_vectors &&
                          std::is_same_v<Vector, dealii::PETScWrappers::MPI::Vector>)));

template <typename Number, class Vector>
void require_vector()
{
  static_assert(
    takes<Number, Vector>,
    "StiffnessOperator<Number> takes LinearAlgebra::distributed::Vector<Number>, DeviceVector<Number>, "
    "dealii::Vector<Number> and, with Number = double, TrilinosWrappers::MPI::Vector and, where deal.II "
    "has PETSc of real numbers, PETScWrappers::MPI::Vector; and block vectors of one block of these.");
}
} // namespace internal
} // namespace strut
