// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

namespace strut
{
/// The trilinear hexahedron. The interface of an element is in elements.h.
///
/// The reference element is the unit cube, node `v` at `(v & 1, v >> 1 & 1, v >> 2)`: deal.II's
/// vertices. Gmsh, VTK and Abaqus exchange nodes 2 and 3, and nodes 6 and 7.
struct Hex8
{
  static constexpr int n_nodes             = 8;
  static constexpr int n_vertices          = 8;
  static constexpr int n_quadrature_points = 8; ///< 2x2x2 Gauss points
  static constexpr const char *name        = "hex8";

  static constexpr int vtk_type               = 12;
  static constexpr int gmsh_type              = 5;
  static constexpr const char *abaqus_names[] = {"C3D8"};

  /// The node at place `k` of VTK's order.
  static constexpr int vtk_node(const int k)
  {
    return k % 4 < 2 ? k : k ^ 1;
  }
  static constexpr int gmsh_node(const int k)
  {
    return vtk_node(k);
  }
  static constexpr int abaqus_node(const int k)
  {
    return vtk_node(k);
  }

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
} // namespace strut
