// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <algorithm>
#include <cstddef>

namespace strut
{
/// The vertices of consecutive elements, for loops in which each element has a lane.
struct VertexLanes
{
  static constexpr std::size_t n_lanes = 8;

  /// `[direction][vertex][lane]`
  double at[3][8][n_lanes];

  /// @param n  number of elements, 1 to n_lanes; the remaining lanes repeat the last one
  VertexLanes(const ElementMesh &mesh, const std::size_t first, const std::size_t n)
  {
    if (n == n_lanes)
      fill(mesh, first, [](const std::size_t lane) { return lane; });
    else
      fill(mesh, first, [n](const std::size_t lane) { return std::min(lane, n - 1); });
  }

private:
  template <typename ElementOfLane>
  void fill(const ElementMesh &mesh, const std::size_t first, const ElementOfLane &element_of)
  {
    const double *const x = mesh.coordinates.data(), *const y = x + mesh.n_nodes,
                        *const z = y + mesh.n_nodes;
    for (std::size_t v = 0; v < 8; ++v)
      {
        const LocalIndex *const nodes = &mesh.connectivity[v * mesh.n_elements + first];
        for (std::size_t lane = 0; lane < n_lanes; ++lane)
          {
            const std::size_t node = nodes[element_of(lane)];
            at[0][v][lane]         = x[node];
            at[1][v][lane]         = y[node];
            at[2][v][lane]         = z[node];
          }
      }
  }
};
} // namespace strut
