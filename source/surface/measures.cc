// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/measures.h"
#include "source/surface/vector3.h"

#include <algorithm>

namespace strut
{
double enclosed_volume(const TriangleMesh &mesh)
{
  if (mesh.vertices.empty())
    return 0.;
  const Point origin = mesh.vertices.front(); // near, so that terms cancel less
  double sum         = 0.;
  for (const Triangle &triangle : mesh.triangles)
    sum += dot(mesh.vertices[triangle[0]] - origin, area_vector(mesh, triangle)) / 6.;
  return sum;
}

double surface_area(const TriangleMesh &mesh)
{
  double sum = 0.;
  for (const Triangle &triangle : mesh.triangles)
    sum += 0.5 * length(area_vector(mesh, triangle));
  return sum;
}

std::vector<std::array<std::uint32_t, 2>> faulty_edges(const TriangleMesh &mesh)
{
  // (lower vertex, upper vertex, whether a triangle goes down along it)
  std::vector<std::array<std::uint32_t, 3>> uses;
  uses.reserve(3 * mesh.triangles.size());
  for (const Triangle &triangle : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i)
      {
        const std::uint32_t a = triangle[i], b = triangle[(i + 1) % 3];
        uses.push_back({{std::min(a, b), std::max(a, b), a > b ? 1u : 0u}});
      }
  std::sort(uses.begin(), uses.end());
  std::vector<std::array<std::uint32_t, 2>> faulty;
  for (std::size_t i = 0, end = 0; i < uses.size(); i = end)
    {
      for (end = i; end < uses.size() && uses[end][0] == uses[i][0] && uses[end][1] == uses[i][1];)
        ++end;
      if (end != i + 2 || uses[i][2] == uses[i + 1][2] || uses[i][0] == uses[i][1])
        faulty.push_back({{uses[i][0], uses[i][1]}});
    }
  return faulty;
}

VertexToTriangle::VertexToTriangle(const TriangleMesh &mesh)
  : begin(mesh.vertices.size() + 1, 0), triangles(3 * mesh.triangles.size())
{
  for (const Triangle &triangle : mesh.triangles)
    for (const std::uint32_t v : triangle)
      ++begin[v + 1];
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    begin[v + 1] += begin[v];
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::uint32_t v : mesh.triangles[t])
      triangles[next[v]++] = static_cast<std::uint32_t>(t);
}
} // namespace strut
