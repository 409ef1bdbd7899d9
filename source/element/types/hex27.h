// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/types/hex20.h"

namespace strut
{
/// The triquadratic hexahedron: products of quadratic polynomials of the three directions.
///
/// Nodes 0 to 19 are those of Hex20. Then come the centres of the faces x = 0, x = 1, y = 0, y = 1,
/// z = 0, z = 1, and the centre: the numbers of deal.II's FE_Q(2).
struct Hex27
{
  static constexpr int n_nodes             = 27;
  static constexpr int n_vertices          = 8;
  static constexpr int n_quadrature_points = 27; ///< 3x3x3 Gauss points
  static constexpr const char *name        = "hex27";

  static constexpr int vtk_type               = 29;
  static constexpr int gmsh_type              = 12;
  static constexpr const char *abaqus_names[] = {"C3D27"}; ///< Gmsh writes it.

  /// The node at place `k` of VTK's order.
  static constexpr int vtk_node(const int k)
  {
    return k < Hex20::n_nodes ? Hex20::vtk_node(k) : k;
  }
  static constexpr int gmsh_node(const int k)
  {
    constexpr int others[] = {24, 22, 20, 21, 23, 25, 26};
    return k < Hex20::n_nodes ? Hex20::gmsh_node(k) : others[k - Hex20::n_nodes];
  }
  static constexpr int abaqus_node(const int k)
  {
    constexpr int others[] = {26, 24, 25, 22, 21, 23, 20};
    return k < Hex20::n_nodes ? Hex20::abaqus_node(k) : others[k - Hex20::n_nodes];
  }

  /// Coordinate `d` of a node, in half edges: 0, 1 or 2.
  STRUT_HOST_DEVICE static constexpr int position(const int node, const int d)
  {
    if (node < Hex20::n_nodes)
      return Hex20::position(node, d);
    const int face = node - Hex20::n_nodes; // 6: the centre
    return face / 2 == d ? 2 * (face & 1) : 1;
  }

  template <typename Number>
  STRUT_HOST_DEVICE static Number shape_value(const int node, const Number (&x)[3])
  {
    return value(position(node, 0), x[0]) * value(position(node, 1), x[1]) *
           value(position(node, 2), x[2]);
  }

  template <typename Number>
  STRUT_HOST_DEVICE static void
  shape_gradient(const int node, const Number (&x)[3], Number (&gradient)[3])
  {
    const int p[3]    = {position(node, 0), position(node, 1), position(node, 2)};
    const Number v[3] = {value(p[0], x[0]), value(p[1], x[1]), value(p[2], x[2])};
    gradient[0]       = derivative(p[0], x[0]) * (v[1] * v[2]);
    gradient[1]       = derivative(p[1], x[1]) * (v[0] * v[2]);
    gradient[2]       = derivative(p[2], x[2]) * (v[0] * v[1]);
  }

  template <typename Number>
  STRUT_HOST_DEVICE static Number quadrature_point(const int q, Number (&x)[3])
  {
    return Hex20::quadrature_point(q, x);
  }

private:
  /// The quadratic polynomial that is 1 at p / 2, and 0 at the other two of 0, 1/2, 1.
  template <typename Number>
  STRUT_HOST_DEVICE static Number value(const int p, const Number x)
  {
    return p == 1   ? Number(4) * x * (Number(1) - x)
           : p == 0 ? (Number(1) - x) * (Number(1) - Number(2) * x)
                    : x * (Number(2) * x - Number(1));
  }

  template <typename Number>
  STRUT_HOST_DEVICE static Number derivative(const int p, const Number x)
  {
    return p == 1   ? Number(4) - Number(8) * x
           : p == 0 ? Number(4) * x - Number(3)
                    : Number(4) * x - Number(1);
  }
};
} // namespace strut
