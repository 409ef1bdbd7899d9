// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/types/hex20.h"
#include "source/element/types/hex20_irons.h"
#include "source/element/types/hex27.h"
#include "source/element/types/hex8.h"
#include "source/element/types/tet10.h"
#include "source/element/types/tet10_curved.h"
#include "source/element/types/tet4.h"

#include <strut/base/exceptions.h>
#include <strut/mesh/element_mesh.h>

#include <string>
#include <tuple>
#include <vector>

namespace strut
{
/// The elements. Each is a file in source/element/types/ and a line here. It is a struct of static
/// members:
///
///     n_nodes, n_vertices, n_quadrature_points, name
///     int position(node, d)                       coordinate of a node, in half edges: 0, 1 or 2
///     Number shape_value(node, x)                 N_node at a point of the reference element
///     void shape_gradient(node, x, gradient)      its derivatives along the reference directions
///     Number quadrature_point(q, x)               writes the point, returns the weight
///     vtk_type, gmsh_type, abaqus_names           names in files
///     int vtk_node(k), gmsh_node(k), abaqus_node(k)   node at place k of the order of that file
///
/// Vertices precede the midpoints of the lines; the numbers are those of deal.II. The volume of the
/// reference element is the sum of the weights: 1, or 1/6. `node` and `q` may be run-time numbers:
/// no function uses them to index an array, so that all data stays in the registers of a GPU
/// thread.
///
/// Quadrature is full: on parallelepipeds (tetrahedra: with straight lines) the stiffness is exact,
/// except for Hex20Irons. With curved lines the patch test holds, except for Hex20Irons and Tet10.
using Elements = std::tuple<Hex8, // the first is the default of ElementMesh
                            Hex20,
                            Hex20Irons,
                            Hex27,
                            Tet4,
                            Tet10,
                            Tet10Curved>;

/// The type of an element as a value.
template <typename Element>
constexpr ElementType type_of()
{
  return {Element::name, Element::n_nodes, Element::n_vertices};
}

/// The types of all elements, in the order of the list.
inline std::vector<ElementType> element_types()
{
  return std::apply(
    [](const auto... element) {
      return std::vector<ElementType>{type_of<std::decay_t<decltype(element)>>()...};
    },
    Elements());
}

/// Calls `action(Element())` with the element of a type. Throws Error if the list has none.
template <typename Action, std::size_t k = 0>
decltype(auto) with_element(const ElementType &type, Action &&action)
{
  using Element = std::tuple_element_t<k, Elements>;
  if constexpr (k + 1 < std::tuple_size_v<Elements>)
    {
      if (type != type_of<Element>())
        return with_element<Action, k + 1>(type, std::forward<Action>(action));
    }
  else if (type != type_of<Element>())
    throw Error("There is no element '" + std::string(type.name) + "'.");
  return action(Element());
}

/// The nodes of each face of an element, in deal.II's order of faces: of hexahedra x = 0, x = 1,
/// y = 0, ..., and of tetrahedra z = 0, y = 0, x = 0 and x + y + z = 1.
inline std::vector<std::vector<unsigned int>> nodes_of_faces(const ElementType &type)
{
  return with_element(type, [](const auto element) {
    using Element                                = std::decay_t<decltype(element)>;
    std::vector<std::vector<unsigned int>> nodes = {};
    for (int f = 0; f < (Element::n_vertices == 4 ? 4 : 6); ++f)
      {
        nodes.emplace_back();
        for (int a = 0; a < Element::n_nodes; ++a)
          {
            const int x[3]        = {Element::position(a, 0),
                                     Element::position(a, 1),
                                     Element::position(a, 2)};
            const bool is_on_face = Element::n_vertices == 8 ? x[f / 2] == 2 * (f % 2)
                                    : f < 3                  ? x[2 - f] == 0
                                                             : x[0] + x[1] + x[2] == 2;
            if (is_on_face)
              nodes.back().push_back(static_cast<unsigned int>(a));
          }
      }
    return nodes;
  });
}

/// Reads the coordinates of the nodes of an element of a mesh.
template <typename Element>
void nodes_of(const ElementMesh &mesh, const std::size_t e, double (&X)[3][Element::n_nodes])
{
  for (std::size_t a = 0; a < Element::n_nodes; ++a)
    for (std::size_t d = 0; d < 3; ++d)
      X[d][a] = mesh.coordinates[d * mesh.n_nodes + mesh.node(e, a)];
}
} // namespace strut
