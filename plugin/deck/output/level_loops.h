// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plugin/deck/output/level_on_mesh.h"
#include "plugin/deck/output/surface.h"
#include "source/mesh/node_to_element.h"

namespace strut
{
/// Throws Error if a rank has more vertices or triangles than 32 bits can number.
void require_numbers_of_surface(std::uint64_t n);

/// The iso-surface in the design elements that a level cuts. Its pieces in an element are loops of
/// cut edges (iso_cell.h). Each is a fan of triangles about the mean of its points.
///
/// Vertices are numbered by elements, and in an element by loops. In a loop, the edges without
/// earlier element come first, in order, then the middle. The number of an edge follows from the
/// first element around it. So all threads make the surface without a table of edges, and its bits
/// do not depend on their number.
class SurfaceLoops
{
public:
  /// Throws Error if 32 bits do not suffice for this rank.
  explicit SurfaceLoops(const LevelOnMesh &level);

  /// Makes vertices and triangles of this rank.
  Surface make() const;

  /// The vertex where the edge between two nodes is cut. None if no design element has this edge.
  std::optional<std::uint32_t> vertex(LocalIndex a, LocalIndex b) const;

private:
  /// The first cut element that has an edge, and the number of the edge in it. The element is
  /// invalid if there is none.
  struct Owner
  {
    LocalIndex element;
    int edge;
  };
  Owner owner(LocalIndex a, LocalIndex b) const;

  LocalIndex end_of_edge(std::size_t i, int edge) const;
  LocalIndex begin_of_edge(std::size_t i, int edge) const;
  /// Calls visit(begin, edges) for the loops of an element, with the least edge and the ordered
  /// list of edges.
  template <typename Visit>
  void for_each_loop(std::size_t i, const Visit &visit) const;
  std::uint32_t number_in_owner(const Owner &owner) const;

  const LevelOnMesh &level_;
  // Arrays over the cut elements, in their order.
  std::vector<LocalIndex> elements_;
  std::vector<LocalIndex> nodes_; ///< `[n_cut][8]`
  std::vector<std::uint8_t> marking_;
  std::vector<std::uint16_t> owned_; ///< bit k: no earlier element has edge k
  std::vector<std::uint32_t> first_vertex_, first_triangle_; ///< `[n_cut + 1]`
  NodeToElement around_;
};
} // namespace strut
