// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// The volume that a closed surface encloses; negative if it is inside out.
double enclosed_volume(const TriangleMesh &mesh);

double surface_area(const TriangleMesh &mesh);

/// The edges that do not have exactly two triangles in opposite directions, as pairs of vertices,
/// ascending. There are none if the surface is closed, oriented and two-manifold along its edges.
std::vector<std::array<std::uint32_t, 2>> faulty_edges(const TriangleMesh &mesh, int n_threads = 1);

/// The triangles around each vertex, ascending. Vertex v has
/// `triangles[begin[v]], ..., triangles[begin[v + 1] - 1]`.
struct VertexToTriangle
{
  explicit VertexToTriangle(const TriangleMesh &mesh);

  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> triangles;
};
} // namespace strut
