// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/types/tet4.h"

namespace strut
{
/// The quadratic tetrahedron. With straight lines and nodes in their middle its geometry is affine,
/// and the four points integrate its stiffness exactly.
///
/// Nodes 0 to 3 are those of Tet4; node 4 + l is in the middle of deal.II's line l:
///
///     0: 0-1   1: 1-2   2: 2-0   3: 0-3   4: 1-3   5: 2-3
///
/// VTK and Abaqus have the same numbers; Gmsh exchanges the last two nodes, 8 and 9.
struct Tet10
{
  static constexpr int n_nodes             = 10;
  static constexpr int n_vertices          = 4;
  static constexpr int n_quadrature_points = 4;
  static constexpr const char *name        = "tet10";

  static constexpr int vtk_type               = 24;
  static constexpr int gmsh_type              = 11;
  static constexpr const char *abaqus_names[] = {"C3D10", "C3D10M"};

  /// The node at place `k` of VTK's order.
  static constexpr int vtk_node(const int k)
  {
    return k;
  }
  static constexpr int gmsh_node(const int k)
  {
    return k < 8 ? k : 17 - k;
  }
  static constexpr int abaqus_node(const int k)
  {
    return k;
  }

  /// Vertex at the beginning (end = 0) or the end (end = 1) of a line. Remainders by 3 would be
  /// shorter, but GCC 12 for AVX-512 gets a loop over nodes wrong that has them.
  STRUT_HOST_DEVICE static constexpr int line_vertex(const int line, const int end)
  {
    return end == 0 ? (line < 3 ? line : line - 3) : line < 2 ? line + 1 : line == 2 ? 0 : 3;
  }

  /// Coordinate `d` of a node, in half edges: 0, 1 or 2.
  STRUT_HOST_DEVICE static constexpr int position(const int node, const int d)
  {
    return node < 4 ? Tet4::position(node, d)
                    : (Tet4::position(line_vertex(node - 4, 0), d) +
                       Tet4::position(line_vertex(node - 4, 1), d)) /
                        2;
  }

  // with barycentric L: vertices L (2 L - 1), midpoints 4 L_a L_b
  template <typename Number>
  STRUT_HOST_DEVICE static Number shape_value(const int node, const Number (&x)[3])
  {
    if (node < 4)
      {
        const Number value = barycentric::value(node, x);
        return value * (Number(2) * value - Number(1));
      }
    return Number(4) * (barycentric::value(line_vertex(node - 4, 0), x) *
                        barycentric::value(line_vertex(node - 4, 1), x));
  }

  template <typename Number>
  STRUT_HOST_DEVICE static void
  shape_gradient(const int node, const Number (&x)[3], Number (&gradient)[3])
  {
    if (node < 4)
      {
        const Number slope = Number(4) * barycentric::value(node, x) - Number(1);
        for (int d = 0; d < 3; ++d)
          gradient[d] = Number(barycentric::derivative(node, d)) * slope;
        return;
      }
    const int a    = line_vertex(node - 4, 0);
    const int b    = line_vertex(node - 4, 1);
    const Number A = Number(4) * barycentric::value(a, x);
    const Number B = Number(4) * barycentric::value(b, x);
    for (int d = 0; d < 3; ++d)
      gradient[d] =
        Number(barycentric::derivative(a, d)) * B + Number(barycentric::derivative(b, d)) * A;
  }

  template <typename Number>
  STRUT_HOST_DEVICE static Number quadrature_point(const int q, Number (&x)[3])
  {
    for (int d = 0; d < 3; ++d) // coordinates (5 -+ sqrt(5)) / 20, (5 + 3 sqrt(5)) / 20
      x[d] = q == d + 1 ? Number(0.58541019662496845446) : Number(0.13819660112501051518);
    return Number(1. / 24.);
  }
};
} // namespace strut
