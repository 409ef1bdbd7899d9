// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// Groups (patches) of neighbouring elements of any type, for a team of `size` threads, one for
/// each element. Each distinct node of a patch has a slot there. Hexahedra with eight nodes have
/// Patches.
///
/// A place is the number of a node of an element in a patch, `size * node + element`.
struct ElementPatches
{
  std::size_t size      = 0;
  std::size_t n_patches = 0; ///< all of them have `size` elements, except for the last

  /// The element of the mesh at each position in the patches, `[n_elements]`. Empty if both orders
  /// are the same.
  std::vector<LocalIndex> elements;

  std::vector<LocalIndex> first_slot; ///< `[n_patches + 1]`
  std::vector<LocalIndex> nodes;      ///< the node of each slot, `[n_slots]`
  /// The slot of each place, from the first of the patch, `[n_patches][n_nodes][size]`.
  std::vector<std::uint16_t> slots;

  /// Sums over the places of each slot, those of most places first, so that threads side by side
  /// have equally many. Sum s of patch p is of node `nodes_of_sums[first_slot[p] + s]`. Its places,
  /// `places[p n size + k]`, are ascending, for `row[s] <= k < row[s + 1]`. Its row begins in
  /// `first_place` at begin_of_row(first_slot[p], p).
  std::vector<LocalIndex> nodes_of_sums;  ///< `[n_slots]`
  std::vector<std::uint16_t> first_place; ///< `[begin_of_row(n_slots, n_patches)]`
  std::vector<std::uint16_t> places;      ///< `[n_patches][n_nodes * size]`

  std::size_t most_slots = 0; ///< the largest number of slots of a patch

  /// Returns the first number of a patch in `first_place`, a multiple of 8 for copies of 16 bytes.
  ///
  /// @param first  the first slot of the patch
  static constexpr std::size_t begin_of_row(const std::size_t first, const std::size_t patch)
  {
    return (first + 8 * patch + 7) / 8 * 8;
  }

  /// Builds patches of consecutive elements of the mesh, or of elements along a space-filling curve
  /// if these have fewer slots. The result is the same for any number of threads.
  static ElementPatches build(const ElementMesh &mesh, std::size_t size);

  /// Coordinates of the slots relative to the first slot of their patch, `[n_slots][3]`.
  /// Differences are taken in double. Number is float or double.
  template <typename Number>
  std::vector<Number> coordinates(const ElementMesh &mesh) const;
};
} // namespace strut
