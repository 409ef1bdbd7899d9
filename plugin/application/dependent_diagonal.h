// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/stiffness.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace strut
{
/// Contribution of element e to the diagonal of `C^T K C` at a DoF. It
/// corrects the bound of ElasticityOperator::diagonal().
struct DependentDiagonal
{
  LocalIndex element = 0;
  LocalIndex dof     = 0;
  double value       = 0.;
};

/// Corrections for the masters of the elements' dependent DoFs, owned and ghosts. With c_im the
/// entries of C, they are
///
///     sum_ij c_im K_ij c_jm  -  (K_mm + sum_i |c_im| (sum_k |c_ik|) K_ii),
///
/// where i and j are DoFs of the element, and K_mm counts only if m is one of them.
///
/// @param numbers_of  gives the numbers of an element, `[n_points][n_components]`; called only for
/// elements with dependent DoFs
std::vector<DependentDiagonal>
dependent_diagonals(const ElementMesh &mesh,
                    const StiffnessLayout &layout,
                    const Material &material,
                    const std::function<const double *(std::size_t element)> &numbers_of);

/// Corrections for the consistent mass matrix of density 1.
std::vector<DependentDiagonal> dependent_mass_diagonals(const ElementMesh &mesh);
} // namespace strut
