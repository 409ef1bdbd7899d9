// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "source/base/inverse_map.h"

namespace strut
{
/// Groups (patches) of neighbouring elements, each with the list of its nodes. A team of 32 threads
/// reads and writes each of these nodes of a vector once. A block of 4 x 4 x 2 elements has 75 of
/// them, while its elements have 256 vertices.
///
/// A patch is 32 consecutive elements; half of them, or a quarter, if they have more nodes than a
/// patch may have. The last one may be smaller. A node takes a slot in each patch that has it.
struct Patches
{
  static constexpr std::size_t max_elements = 32;
  /// Most nodes of a patch; 8 elements have 64 at most.
  static constexpr std::size_t max_nodes = 112;

  struct Patch
  {
    LocalIndex first_element = 0; ///< number in the order of the patches
    LocalIndex first_slot    = 0;
    std::uint8_t n_elements  = 0;
    std::uint8_t n_slots     = 0; ///< distinct nodes

    /// Whether two elements have the same node as their vertex of the same number. If not, as in
    /// elements of one orientation, all can add to their vertex v at the same time.
    std::uint8_t vertices_meet = 0;

    /// Slots of the first element's vertices, an index in `vertices`; the others follow.
    LocalIndex first_vertices = 0;
  };

  std::vector<Patch> patches;

  /// The element of the mesh at each position in the patches, `[n_elements]`. Empty if both orders
  /// are the same.
  std::vector<LocalIndex> elements;

  /// The node of each slot, `[n_slots]`.
  std::vector<LocalIndex> nodes;

  /// The slots of the vertices of an element, relative to the first slot of the patch. Patches of
  /// one pattern share them: blocks of a regular mesh have few patterns.
  std::vector<std::array<std::uint8_t, 8>> vertices;

  /// Builds patches of consecutive elements of the mesh, if they share their nodes; otherwise of
  /// elements along a space-filling curve. The result is the same for any number of threads.
  ///
  /// @param n_banks  number of memory banks that are served at a time, at most 16. For each vertex
  ///   number, n_banks consecutive elements of a patch get slots that differ modulo n_banks, as far
  ///   as possible, and so are in different banks
  static Patches build(const ElementMesh &mesh, std::size_t n_banks = 16);

  /// The approximate number of slots per element, from a thousand patches, for memory plans.
  /// Returns nothing if the elements will be along the curve, since that takes an order of all
  /// elements.
  static std::optional<double> slots_per_element(const ElementMesh &mesh);

  /// Coordinates of the slots relative to the centre of the patch, `[n_slots][stride]`: three, and
  /// zeros. Differences are taken in double, so that a patch far from the origin keeps its shape
  /// after rounding. Number is float or double.
  template <typename Number>
  std::vector<Number> coordinates(const ElementMesh &mesh, std::size_t stride) const;

  /// The patches of each colour. Patches of one colour share no node.
  InverseMap colours(std::size_t n_nodes) const;
};
} // namespace strut
