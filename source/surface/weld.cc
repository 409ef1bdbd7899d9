// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/weld.h"
#include "source/surface/measures.h"

#include <algorithm>
#include <numeric>

namespace strut
{
TriangleMesh welded(const TriangleMesh &mesh)
{
  std::vector<std::uint32_t> order(mesh.vertices.size()), number(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](const std::uint32_t a, const std::uint32_t b) {
    return mesh.vertices[a] < mesh.vertices[b];
  });
  TriangleMesh result;
  for (const std::uint32_t v : order)
    {
      if (result.vertices.empty() || mesh.vertices[v] != result.vertices.back())
        result.vertices.push_back(mesh.vertices[v]);
      number[v] = static_cast<std::uint32_t>(result.vertices.size() - 1);
    }
  for (const Triangle &triangle : mesh.triangles)
    {
      const Triangle corners = {{number[triangle[0]], number[triangle[1]], number[triangle[2]]}};
      if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
        result.triangles.push_back(corners);
    }
  return result;
}

bool is_closed_in_file(const TriangleMesh &mesh, const int n_threads)
{
  const TriangleMesh as_read = welded(mesh);
  return !as_read.triangles.empty() && faulty_edges(as_read, n_threads).empty();
}
} // namespace strut
