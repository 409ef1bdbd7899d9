// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace strut::plugin
{
/// What element e adds, times its stiffness factor, to the diagonal of `C^T K C` at a DoF beyond the bound of
/// ElasticityOperator::diagonal().
struct DependentDiagonal
{
  LocalIndex element = 0;
  LocalIndex dof     = 0;
  double value       = 0.;
};

/// Of the masters of the dependent DoFs of the elements, owned and ghosts. With c_im the entries of C,
///
///     sum_ij c_im K_ij c_jm  -  (K_mm + sum_i |c_im| (sum_k |c_ik|) K_ii),
///
/// i and j DoFs of the element, K_mm only if m is one.
std::vector<DependentDiagonal> dependent_diagonals(const ElementMesh &mesh,
                                                   const Material &material);

/// The same with tangents of the elements, times no factor. @param of_element  its numbers, `[n_points][21]`; asked for
/// elements with dependent DoFs alone
std::vector<DependentDiagonal>
dependent_tangent_diagonals(const ElementMesh &mesh,
                            unsigned int n_points,
                            const std::function<const double *(std::size_t element)> &of_element);

/// The same of the consistent mass matrix, of density 1.
std::vector<DependentDiagonal> dependent_mass_diagonals(const ElementMesh &mesh);
} // namespace strut::plugin
