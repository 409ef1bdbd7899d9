// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/elements.h"

#include <type_traits>

namespace strut
{
/// The points of an element at which its stress is best, and the extrapolation from them to its
/// nodes (Barlow 1976; Hinton and Campbell 1974).
///
/// The points are those of Gauss's rule with two points along an edge in all hexahedra, the four
/// points of Tet10 in quadratic tetrahedra, and the centre of Tet4. Each component of the stress is
/// taken as the polynomial through its values there: trilinear, linear or constant on the reference
/// element. On straight elements that is exact for linear stresses, except for Tet4.
template <typename Element>
struct StressPoints
{
  static constexpr bool is_hexahedron = Element::n_vertices == 8;

  using Linear = std::conditional_t<is_hexahedron, Hex8, Tet4>; ///< has the polynomials
  using Rule =
    std::conditional_t<is_hexahedron, Hex8, std::conditional_t<Element::n_nodes == 4, Tet4, Tet10>>;

  static constexpr int n = Rule::n_quadrature_points;

  double gradients[n][Element::n_nodes][3];  ///< dN_a / dxi_d, `[point][a][d]`
  double extrapolation[Element::n_nodes][n]; ///< weight of each point at a node
  double places[n][3];                       ///< reference coordinates

  StressPoints()
  {
    for (int q = 0; q < n; ++q)
      {
        Rule::quadrature_point(q, places[q]);
        for (int a = 0; a < Element::n_nodes; ++a)
          Element::shape_gradient(a, places[q], gradients[q][a]);
      }
    for (int a = 0; a < Element::n_nodes; ++a)
      if constexpr (n == 1)
        extrapolation[a][0] = 1.;
      else
        {
          // The points are the vertices of a smaller element, in which the node is outside.
          double place[3];
          for (int d = 0; d < 3; ++d)
            place[d] = (0.5 * Element::position(a, d) - places[0][d]) /
                       (places[is_hexahedron ? 1 << d : d + 1][d] - places[0][d]);
          for (int q = 0; q < n; ++q)
            extrapolation[a][q] = Linear::shape_value(q, place);
        }
  }
};
} // namespace strut
