// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/measures.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/node_to_element.h"
#include "source/surface/vector3.h"

#include <algorithm>

namespace strut
{
double enclosed_volume(const TriangleMesh &mesh)
{
  if (mesh.vertices.empty())
    return 0.;
  const Point origin = mesh.vertices.front(); // a near origin, so that terms cancel less
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

std::vector<std::array<std::uint32_t, 2>> faulty_edges(const TriangleMesh &mesh,
                                                       const int n_threads)
{
  using Edge = std::array<std::uint32_t, 2>;
  std::vector<std::uint32_t> corners(3 * mesh.triangles.size());
  cpu::parallel_for(n_threads, mesh.triangles.size(), [&](const std::size_t t) {
    std::copy(mesh.triangles[t].begin(), mesh.triangles[t].end(), &corners[3 * t]);
  });
  const NodeToElement around = NodeToElement::build(mesh.vertices.size(), corners, n_threads);

  // each edge belongs to its lower vertex, which has few edges
  const auto faulty_of_block = [&](const std::size_t begin, const std::size_t end) {
    std::vector<Edge> faulty;
    // pairs of the upper vertex, and whether a triangle goes down along the edge
    std::vector<Edge> uses;
    for (std::size_t low = begin; low < end; ++low)
      {
        uses.clear();
        for (std::uint32_t k = around.begin[low]; k < around.begin[low + 1]; ++k)
          {
            const std::uint32_t corner = around.entries[k], first = corner - corner % 3;
            const std::uint32_t next   = corners[first + (corner + 1 - first) % 3],
                                before = corners[first + (corner + 2 - first) % 3];
            if (next >= low)
              uses.push_back({{next, 0}});
            if (before > low)
              uses.push_back({{before, 1}});
          }
        std::sort(uses.begin(), uses.end());
        for (std::size_t i = 0, last = 0; i < uses.size(); i = last)
          {
            for (last = i; last < uses.size() && uses[last][0] == uses[i][0];)
              ++last;
            if (last != i + 2 || uses[i][1] == uses[i + 1][1] || uses[i][0] == low)
              faulty.push_back({{static_cast<std::uint32_t>(low), uses[i][0]}});
          }
      }
    return faulty;
  };
  std::vector<Edge> faulty;
  for (const std::vector<Edge> &of_block :
       cpu::values_of_blocks(n_threads, mesh.vertices.size(), faulty_of_block))
    faulty.insert(faulty.end(), of_block.begin(), of_block.end());
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
