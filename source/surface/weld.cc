// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/weld.h"
#include "source/base/bucket_sort.h"
#include "source/surface/axis_box.h"
#include "source/surface/measures.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace strut
{
namespace
{
/// A vertex with its number.
struct NumberedVertex
{
  Point place;
  std::uint32_t number;

  bool operator<(const NumberedVertex &other) const
  {
    return std::tie(place, number) < std::tie(other.place, other.number);
  }
};

/// The vertices in ascending order of their places.
std::vector<NumberedVertex> sorted_vertices(const TriangleMesh &mesh, const int n_threads)
{
  std::vector<NumberedVertex> sorted(mesh.vertices.size());
  cpu::parallel_for(n_threads, sorted.size(), [&](const std::size_t v) {
    sorted[v] = {mesh.vertices[v], static_cast<std::uint32_t>(v)};
  });
  constexpr std::size_t n_buckets = 8192; // slices of the box along x
  AxisBox box;
  for (const Point &x : mesh.vertices)
    box.add(x);
  const double per_length =
    box.high[0] > box.low[0] ? static_cast<double>(n_buckets) / (box.high[0] - box.low[0]) : 0.;
  cpu::bucket_sort(
    n_threads,
    n_buckets,
    [&](const NumberedVertex &vertex) {
      return std::min(n_buckets - 1,
                      static_cast<std::size_t>((vertex.place[0] - box.low[0]) * per_length));
    },
    sorted);
  return sorted;
}
} // namespace

TriangleMesh welded(const TriangleMesh &mesh, const int n_threads)
{
  std::vector<std::uint32_t> number(mesh.vertices.size());
  TriangleMesh result;
  result.vertices.reserve(mesh.vertices.size());
  for (const auto &[place, v] : sorted_vertices(mesh, n_threads))
    {
      if (result.vertices.empty() || place != result.vertices.back())
        result.vertices.push_back(place);
      number[v] = static_cast<std::uint32_t>(result.vertices.size() - 1);
    }
  result.triangles.reserve(mesh.triangles.size());
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
  const TriangleMesh as_read = welded(mesh, n_threads);
  return !as_read.triangles.empty() && faulty_edges(as_read, n_threads).empty();
}
} // namespace strut
