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

namespace strut::plugin
{
/// Throws Error if so many vertices or triangles of a rank have no numbers of 32 bits.
void require_numbers_of_surface(std::uint64_t n);

/// The iso-surface in the design elements that a level cuts. Its pieces in an element are loops of cut edges (iso_cell.h),
/// each a fan about the mean of its points.
///
/// Vertices are numbered by elements, in an element by loops: those of edges that no element before has, along the loop,
/// then the middle. The number of an edge follows from the first element around it, so that all threads make the surface,
/// without a table of edges, and its bits are those of one thread.
class LevelLoops
{
public:
  /// Throws Error where 32 bits are too few for this rank.
  explicit LevelLoops(const LevelOnMesh &level);

  /// Vertices and triangles of this rank.
  Surface make() const;

  /// The vertex where the edge of two nodes is cut. Nothing if no design element has this edge.
  std::optional<std::uint32_t> vertex(LocalIndex a, LocalIndex b) const;

private:
  /// The first cut element that has an edge, and the number of the edge in it; no element if there is none.
  struct Owner
  {
    LocalIndex element;
    int edge;
  };
  Owner owner(LocalIndex a, LocalIndex b) const;

  LocalIndex end_of_edge(std::size_t i, int edge) const;
  LocalIndex begin_of_edge(std::size_t i, int edge) const;
  /// visit(begin, edges) for the loops of an element: the least edge, and all of them in their order.
  template <typename Visit>
  void for_each_loop(std::size_t i, const Visit &visit) const;
  std::uint32_t number_in_owner(const Owner &owner) const;

  const LevelOnMesh &level_;
  // all over the cut elements, in their order
  std::vector<LocalIndex> elements_;
  std::vector<LocalIndex> nodes_; ///< `[n_cut][8]`
  std::vector<std::uint8_t> marking_;
  std::vector<std::uint16_t> owned_; ///< bit k: edge k is of no element before
  std::vector<std::uint32_t> first_vertex_, first_triangle_; ///< `[n_cut + 1]`
  NodeToElement around_;
};
} // namespace strut::plugin
