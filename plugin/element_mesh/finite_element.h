// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/fe/fe.h>

#include <strut/mesh/element_mesh.h>

#include <optional>
#include <vector>

namespace strut
{
/// The elements that a finite element of deal.II makes of the cells: hex8 of
/// `FESystem<3>(FE_Q<3>(1), 3)`, hex27 of FE_Q(2), tet4 of FE_SimplexP(1), tet10 of FE_SimplexP(2).
/// DoF `3 * node + component` of a cell is that of its element. Other finite elements have none.
std::optional<ElementType> element_type_of(const dealii::FiniteElement<3> &fe);

/// Whether the elements have nodes beside their vertices, whose places depend on the mapping.
inline bool is_quadratic(const ElementType &type)
{
  return type.n_nodes > type.n_vertices;
}

/// The places of the nodes of such an element in deal.II's reference cell, `[n_nodes]`.
std::vector<dealii::Point<3>> reference_nodes(const dealii::FiniteElement<3> &fe);
} // namespace strut
