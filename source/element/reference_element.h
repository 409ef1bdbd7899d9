// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/reference_hexahedra.h"
#include "source/element/reference_tetrahedra.h"

namespace strut
{
/// The elements of assembly: Hex8, Hex20, Hex20Irons, Tet4, Tet10. Each is a struct of static
/// members:
///
///     n_nodes, n_vertices, n_quadrature_points, name
///     int position(node, d)                       coordinate of a node, in half edges: 0, 1 or 2
///     Number shape_value(node, x)                 N_node at a point of the reference element
///     void shape_gradient(node, x, gradient)      its derivatives along the reference directions
///     Number quadrature_point(q, x)               writes the point, returns the weight
///
/// Vertices precede the midpoints of the lines; the numbers are those of deal.II. The volume of the
/// reference element is the sum of the weights: 1, or 1/6. `node` and `q` may be run-time numbers:
/// no function uses them to index an array, so that all data stays in the registers of a GPU
/// thread.
///
/// Quadrature is full: on parallelepipeds (tetrahedra: with straight lines) the stiffness is exact,
/// except for Hex20Irons.
enum class ElementType
{
  hex8,
  hex20,
  hex20_irons,
  tet4,
  tet10
};

/// Calls `action(Element())` with the element of that type.
template <typename Action>
decltype(auto) with_element(const ElementType type, Action &&action)
{
  switch (type)
    {
      case ElementType::hex20:
        return action(Hex20());
      case ElementType::hex20_irons:
        return action(Hex20Irons());
      case ElementType::tet4:
        return action(Tet4());
      case ElementType::tet10:
        return action(Tet10());
      case ElementType::hex8:
        break;
    }
  return action(Hex8());
}

/// Nodes of an element of that type.
inline int n_nodes(const ElementType type)
{
  return with_element(type, [](const auto element) { return decltype(element)::n_nodes; });
}

/// Name of that type: hex8, hex20, hex20-14, tet4, tet10.
inline const char *name(const ElementType type)
{
  return with_element(type, [](const auto element) { return decltype(element)::name; });
}
} // namespace strut
