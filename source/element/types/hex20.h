// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/types/hex8.h"

namespace strut
{
/// The serendipity hexahedron: vertices and midpoints of lines. On a parallelepiped it contains all
/// quadratic polynomials; on other cells it does not.
///
/// Reference element: the unit cube. Nodes 0 to 7 are those of Hex8; node 8 + l is in the middle of
/// deal.II's line l:
///
///     lines of the bottom  0: 0-2   1: 1-3   2: 0-1   3: 2-3
///     lines of the top     4: 4-6   5: 5-7   6: 4-5   7: 6-7
///     upright lines        8: 0-4   9: 1-5  10: 2-6  11: 3-7
struct Hex20
{
  static constexpr int n_nodes             = 20;
  static constexpr int n_vertices          = 8;
  static constexpr int n_quadrature_points = 27; ///< 3x3x3 Gauss points
  static constexpr const char *name        = "hex20";

  static constexpr int vtk_type               = 25;
  static constexpr int gmsh_type              = 17;
  static constexpr const char *abaqus_names[] = {"C3D20", "C3D20R"};

  /// The node at place `k` of VTK's order.
  static constexpr int vtk_node(const int k)
  {
    constexpr int midpoints[] = {10, 9, 11, 8, 14, 13, 15, 12, 16, 17, 19, 18};
    return k < 8 ? Hex8::vtk_node(k) : midpoints[k - 8];
  }
  static constexpr int gmsh_node(const int k)
  {
    constexpr int midpoints[] = {10, 8, 16, 9, 17, 11, 19, 18, 14, 12, 13, 15};
    return k < 8 ? Hex8::gmsh_node(k) : midpoints[k - 8];
  }
  static constexpr int abaqus_node(const int k)
  {
    return vtk_node(k);
  }

  /// Coordinate `d` of a node, in half edges: 0, 1 or 2.
  STRUT_HOST_DEVICE static constexpr int position(const int node, const int d)
  {
    if (node < 8)
      return 2 * ((node >> d) & 1);
    const int line = node - 8;
    if (line >= 8) // upright
      return d == 2 ? 1 : 2 * ((line >> d) & 1);
    if (d == 2)
      return 2 * (line >> 2);
    const int direction = (line & 2) != 0 ? 0 : 1;
    return d == direction ? 1 : 2 * (line & 1);
  }

  // With s = 2 x - 1 and the node at p in {-1, 0, 1}^3:
  //   vertices   1/8 f_0 f_1 f_2 (p . s - 2),   f_d = 1 + p_d s_d
  //   midpoints  1/4 f_0 f_1 f_2,               f_d = 1 - s_d^2 along the line
  template <typename Number>
  STRUT_HOST_DEVICE static Number shape_value(const int node, const Number (&x)[3])
  {
    Number product = Number(node < 8 ? 0.125 : 0.25);
    Number last    = Number(-2);
    for (int d = 0; d < 3; ++d)
      {
        const Number s = Number(2) * x[d] - Number(1);
        product *= factor(position(node, d), s);
        last += Number(position(node, d) - 1) * s;
      }
    return node < 8 ? product * last : product;
  }

  template <typename Number>
  STRUT_HOST_DEVICE static void
  shape_gradient(const int node, const Number (&x)[3], Number (&gradient)[3])
  {
    const bool vertex = node < 8;
    Number f[3], df[3]; // derivatives with respect to s
    Number last = Number(-2);
    for (int d = 0; d < 3; ++d)
      {
        const int p    = position(node, d);
        const Number s = Number(2) * x[d] - Number(1);
        f[d]           = factor(p, s);
        df[d]          = p == 1 ? Number(-2) * s : Number(p - 1);
        last += Number(p - 1) * s;
      }
    const Number scale = Number(vertex ? 0.25 : 0.5); // ds / dx = 2
    // vertices: (f g)' = f' g + f g' with g = last, g' = f'; midpoints: g = 1
    gradient[0] = scale * df[0] * (f[1] * f[2]) * (vertex ? last + f[0] : Number(1));
    gradient[1] = scale * df[1] * (f[0] * f[2]) * (vertex ? last + f[1] : Number(1));
    gradient[2] = scale * df[2] * (f[0] * f[1]) * (vertex ? last + f[2] : Number(1));
  }

  template <typename Number>
  STRUT_HOST_DEVICE static Number quadrature_point(const int q, Number (&x)[3])
  {
    const int index[3] = {q % 3, q / 3 % 3, q / 9};
    Number weight      = Number(1);
    for (int d = 0; d < 3; ++d)
      {
        x[d] = index[d] == 0   ? Number(0.11270166537925831148)
               : index[d] == 1 ? Number(0.5)
                               : Number(0.88729833462074168852);
        weight *= index[d] == 1 ? Number(4. / 9.) : Number(5. / 18.);
      }
    return weight;
  }

private:
  template <typename Number>
  STRUT_HOST_DEVICE static Number factor(const int p, const Number s)
  {
    return p == 1 ? Number(1) - s * s : Number(1) + Number(p - 1) * s;
  }
};
} // namespace strut
