// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

namespace strut
{
/// Barycentric coordinates of the reference tetrahedron (0,0,0), (1,0,0), (0,1,0), (0,0,1).
namespace barycentric
{
template <typename Number>
STRUT_HOST_DEVICE Number value(const int vertex, const Number (&x)[3])
{
  return vertex == 0   ? Number(1) - x[0] - x[1] - x[2]
         : vertex == 1 ? x[0]
         : vertex == 2 ? x[1]
                       : x[2];
}

/// Derivative in direction d.
STRUT_HOST_DEVICE constexpr int derivative(const int vertex, const int d)
{
  return vertex == 0 ? -1 : vertex == d + 1 ? 1 : 0;
}
} // namespace barycentric

/// The linear tetrahedron. The interface of an element is in elements.h.
///
/// Vertices (0,0,0), (1,0,0), (0,1,0), (0,0,1): the order of deal.II, Gmsh, VTK and Abaqus.
struct Tet4
{
  static constexpr int n_nodes             = 4;
  static constexpr int n_vertices          = 4;
  static constexpr int n_quadrature_points = 1;
  static constexpr const char *name        = "tet4";

  static constexpr int vtk_type               = 10;
  static constexpr int gmsh_type              = 4;
  static constexpr const char *abaqus_names[] = {"C3D4"};

  /// The node at place `k` of VTK's order.
  static constexpr int vtk_node(const int k)
  {
    return k;
  }
  static constexpr int gmsh_node(const int k)
  {
    return k;
  }
  static constexpr int abaqus_node(const int k)
  {
    return k;
  }

  /// Coordinate `d` of a node, in half edges: 0 or 2.
  STRUT_HOST_DEVICE static constexpr int position(const int node, const int d)
  {
    return node == d + 1 ? 2 : 0;
  }

  template <typename Number>
  STRUT_HOST_DEVICE static Number shape_value(const int node, const Number (&x)[3])
  {
    return barycentric::value(node, x);
  }

  template <typename Number>
  STRUT_HOST_DEVICE static void
  shape_gradient(const int node, const Number (&)[3], Number (&gradient)[3])
  {
    for (int d = 0; d < 3; ++d)
      gradient[d] = Number(barycentric::derivative(node, d));
  }

  template <typename Number>
  STRUT_HOST_DEVICE static Number quadrature_point(const int, Number (&x)[3])
  {
    x[0] = x[1] = x[2] = Number(0.25);
    return Number(1. / 6.);
  }
};
} // namespace strut
