// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

namespace strut
{
/// The trilinear hexahedron. The interface of an element is in reference_element.h.
///
/// The reference element is the unit cube, node `v` at `(v & 1, v >> 1 & 1, v >> 2)`: deal.II's
/// vertices. Gmsh and VTK exchange nodes 2 and 3, and nodes 6 and 7.
struct Hex8
{
  static constexpr int n_nodes             = 8;
  static constexpr int n_vertices          = 8;
  static constexpr int n_quadrature_points = 8; ///< 2x2x2 Gauss points
  static constexpr const char *name        = "hex8";

  /// Coordinate `d` of a node, in half edges: 0 or 2.
  STRUT_HOST_DEVICE static constexpr int position(const int node, const int d)
  {
    return 2 * ((node >> d) & 1);
  }

  template <typename Number>
  STRUT_HOST_DEVICE static Number shape_value(const int node, const Number (&x)[3])
  {
    return factor(node, 0, x[0]) * factor(node, 1, x[1]) * factor(node, 2, x[2]);
  }

  template <typename Number>
  STRUT_HOST_DEVICE static void
  shape_gradient(const int node, const Number (&x)[3], Number (&gradient)[3])
  {
    const Number f[3] = {factor(node, 0, x[0]), factor(node, 1, x[1]), factor(node, 2, x[2])};
    gradient[0]       = Number(position(node, 0) - 1) * (f[1] * f[2]);
    gradient[1]       = Number(position(node, 1) - 1) * (f[0] * f[2]);
    gradient[2]       = Number(position(node, 2) - 1) * (f[0] * f[1]);
  }

  template <typename Number>
  STRUT_HOST_DEVICE static Number quadrature_point(const int q, Number (&x)[3])
  {
    for (int d = 0; d < 3; ++d)
      x[d] = ((q >> d) & 1) != 0 ? Number(0.78867513459481288225) : Number(0.21132486540518711775);
    return Number(0.125);
  }

private:
  template <typename Number>
  STRUT_HOST_DEVICE static Number factor(const int node, const int d, const Number x)
  {
    return ((node >> d) & 1) != 0 ? x : Number(1) - x;
  }
};

/// The serendipity hexahedron: vertices and midpoints of lines. On a parallelepiped it contains all
/// quadratic polynomials; on other cells it does not.
///
/// Reference element: the unit cube. Nodes 0 to 7 are those of Hex8; node 8 + l is in the middle of
/// deal.II's line l:
///
///     lines of the bottom  0: 0-2   1: 1-3   2: 0-1   3: 2-3
///     lines of the top     4: 4-6   5: 5-7   6: 4-5   7: 6-7
///     upright lines        8: 0-4   9: 1-5  10: 2-6  11: 3-7
///
/// In these numbers, the midpoints of Gmsh's 20-node hexahedron are 10, 8, 16, 9, 17, 11, 19, 18,
/// 14, 12, 13, 15. Those of VTK_QUADRATIC_HEXAHEDRON are 10, 9, 11, 8, 14, 13, 15, 12, 16, 17,
/// 19, 18. Both begin with the vertices 0, 1, 3, 2, 4, 5, 7, 6.
struct Hex20
{
  static constexpr int n_nodes             = 20;
  static constexpr int n_vertices          = 8;
  static constexpr int n_quadrature_points = 27; ///< 3x3x3 Gauss points
  static constexpr const char *name        = "hex20";

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

/// The serendipity hexahedron with the 14 points of Irons (1971), which are exact for polynomials
/// of total degree 5. It takes half the work of 3x3x3. The matrix differs slightly, since its
/// integrand has degree 6 on a parallelepiped. It has no hourglass modes, and passes the patch test
/// where lines are straight.
struct Hex20Irons : Hex20
{
  static constexpr int n_quadrature_points = 14;
  static constexpr const char *name        = "hex20-14";

  template <typename Number>
  STRUT_HOST_DEVICE static Number quadrature_point(const int q, Number (&x)[3])
  {
    if (q < 6) // on the axes, at distance sqrt(19/30)
      {
        const Number offset = Number((q & 1) != 0 ? 0.39791121287711073 : -0.39791121287711073);
        for (int d = 0; d < 3; ++d)
          x[d] = Number(0.5) + (d == q / 2 ? offset : Number(0));
        return Number(40. / 361.);
      }
    for (int d = 0; d < 3; ++d) // on the diagonals, at sqrt(19/33) in each direction
      x[d] = Number(0.5) +
             Number((((q - 6) >> d) & 1) != 0 ? 0.37939345531966406 : -0.37939345531966406);
    return Number(121. / 2888.);
  }
};
} // namespace strut
