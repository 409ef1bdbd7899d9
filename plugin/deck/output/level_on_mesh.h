// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "plugin/base/global_node_numbers.h"
#include "source/element/iso_cell.h"

namespace strut
{
/// A level of a nodal field on the mesh of a rank, with the points where it cuts edges. The
/// elements are those of hexahedra_of_vertices(). Referenced objects must outlive it.
struct LevelOnMesh
{
  /// The edge between two nodes, which is cut, or a node if both are the same.
  using Corner = std::pair<LocalIndex, LocalIndex>;
  using Place  = std::array<double, 3>;

  LocalIndex node(const std::size_t e, const int v) const
  {
    return mesh.connectivity[static_cast<std::size_t>(v) * mesh.n_elements + e];
  }

  /// iso_cell::marking() of an element.
  int marking(const std::size_t e) const
  {
    double values[8];
    for (int v = 0; v < 8; ++v)
      values[v] = field[node(e, v)];
    return iso_cell::marking(values, level);
  }

  Place place(const LocalIndex n) const
  {
    return {{mesh.coordinates[n],
             mesh.coordinates[mesh.n_nodes + n],
             mesh.coordinates[2 * mesh.n_nodes + n]}};
  }

  /// The nodes of an edge in an order that is the same on all ranks.
  Corner ordered(const Corner &corner) const
  {
    return numbers(corner.second) < numbers(corner.first) ? Corner(corner.second, corner.first)
                                                          : corner;
  }

  /// The position of the cut on an edge from 0 to 1, in its order. It keeps a distance from nodes,
  /// where it would join sheets.
  double cut(const Corner &edge) const
  {
    const auto [first, last] = ordered(edge);
    const double t           = (level - field[first]) / (field[last] - field[first]);
    return std::clamp(t, separation, 1. - separation);
  }

  static Place on_way(Place x, const Place &end, const double share)
  {
    for (std::size_t d = 0; d < 3; ++d)
      x[d] += share * (end[d] - x[d]);
    return x;
  }

  Place place(const Corner &corner) const
  {
    const auto [first, last] = ordered(corner);
    return first == last ? place(first) : on_way(place(first), place(last), cut(corner));
  }

  /// Shortest edge of an element.
  double shortest_edge(const std::size_t e) const
  {
    double shortest = std::numeric_limits<double>::max();
    for (int edge = 0; edge < iso_cell::n_edges; ++edge)
      {
        const int begin = iso_cell::edge_begin(edge);
        const Place a   = place(node(e, begin));
        const Place b   = place(node(e, begin | 1 << iso_cell::edge_direction(edge)));
        if (node(e, begin) != node(e, begin | 1 << iso_cell::edge_direction(edge)))
          shortest = std::min(shortest, std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]));
      }
    return shortest;
  }

  const ElementMesh &mesh;
  const std::vector<double> &field; ///< `[n_nodes]`
  double level, separation;         ///< see make_surface()
  const GlobalNodeNumbers &numbers;
  int n_threads;
};
} // namespace strut
