// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace strut
{
/// The elements in groups (patches) of neighbours, each with the list of its nodes: what 32 threads
/// that work together read and write of a vector is those nodes, once. A block of 4 x 4 x 2 elements
/// has 75 of them, where its elements one by one ask for 256.
///
/// A patch is 32 consecutive elements; half of them, or a quarter, if they have more nodes than a patch may
/// have. The last one may be smaller. A node takes a slot in each patch that has it.
struct Patches
{
  static constexpr std::size_t max_elements = 32;
  static constexpr std::size_t max_nodes    = 112; ///< of a patch; 8 elements have 64 at most

  struct Patch
  {
    LocalIndex first_element = 0; ///< in the order of the patches
    LocalIndex first_slot    = 0;
    std::uint8_t n_elements  = 0;
    std::uint8_t n_slots     = 0; ///< distinct nodes

    /// Whether two elements have the same node as their vertex of the same number. If not, as in
    /// elements of one orientation, they can all add to their vertex v at the same time.
    std::uint8_t vertices_meet = 0;

    LocalIndex first_vertices = 0; ///< those of its first element in `vertices`; the others follow
  };

  std::vector<Patch> patches;

  /// Position in the patches -> element of the mesh, `[n_elements]`. Empty if both orders are the same.
  std::vector<LocalIndex> elements;

  /// Slot -> node, `[n_slots]`.
  std::vector<LocalIndex> nodes;

  /// The slots of the vertices of an element, counted from the first of the patch. Patches of one pattern have the same ones: blocks
  /// of a regular mesh have few patterns.
  std::vector<std::array<std::uint8_t, 8>> vertices;

  /// Consecutive elements of the mesh, if they share their nodes; otherwise those along a space-filling
  /// curve. The same whatever the number of threads.
  ///
  /// @param n_banks  the slots are numbered such that n_banks consecutive elements of a patch have, for
  /// each vertex number, slots that differ modulo n_banks, as far as possible: they are in
  /// different banks of a memory that serves n_banks at a time. 16 at most.
  static Patches build(const ElementMesh &mesh, std::size_t n_banks = 16);

  /// How many slots an element takes, about, from a thousand patches: for plans of memory. None if its elements will be along the
  /// curve, of which only an order of all can tell.
  static std::optional<double> slots_per_element(const ElementMesh &mesh);

  /// Coordinates of the slots relative to the middle of the patch, `[n_slots][stride]`: three, and zeros.
  /// Differences are taken in double, so that a patch far from the origin keeps its shape when they are rounded.
  /// Number: float or double.
  template <typename Number>
  std::vector<Number> coordinates(const ElementMesh &mesh, std::size_t stride) const;

  /// The patches by colour, `patches_of[begin[c]] ... patches_of[begin[c + 1] - 1]`: those of one colour
  /// share no node.
  struct Colours
  {
    std::vector<LocalIndex> begin;      ///< `[n_colours + 1]`
    std::vector<LocalIndex> patches_of; ///< `[n_patches]`
  };
  Colours colours(std::size_t n_nodes) const;

  /// The slots of each node in ascending order, in compressed rows.
  struct SlotsOfNodes
  {
    std::vector<LocalIndex> begin; ///< `[n_nodes + 1]`
    std::vector<LocalIndex> slots; ///< `[n_slots]`
  };
  SlotsOfNodes slots_of_nodes(std::size_t n_nodes) const;
};
} // namespace strut
