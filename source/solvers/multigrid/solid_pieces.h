// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/mesh/node_to_element.h"

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace strut
{
/// The solid of a design in pieces: elements connected by faces, within blocks of some size.
struct SolidPieces
{
  static constexpr std::uint32_t none = 0xffffffffu;

  std::size_t n = 0;
  std::vector<std::uint32_t> of_element; ///< piece of each element; `none` if it is not solid

  std::vector<std::uint32_t> at_node_begin; ///< `[n_nodes + 1]`
  std::vector<std::uint32_t> at_node;       ///< pieces of the elements around a node, ascending
  std::vector<std::uint32_t> nodes_begin;   ///< `[n + 1]`
  std::vector<std::uint32_t> nodes;         ///< nodes of each piece, ascending
};

/// Finds the pieces of one design after the other on a mesh.
class SolidPiecesFinder
{
public:
  explicit SolidPiecesFinder(const ElementMesh &mesh);

  /// Find the pieces. Elements are solid with more than a thousandth of the largest factor. Blocks
  /// are four elements wide, or eight, or sixteen and so on, so that there are at most `most`
  /// pieces. There are no pieces if all elements are solid.
  SolidPieces find(const std::vector<double> &factors, std::size_t most) const;

private:
  const ElementMesh &mesh_;
  NodeToElement elements_of_;
  /// Elements on both sides of each face.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> faces_;
  std::vector<std::array<std::uint16_t, 3>> blocks_; ///< blocks of the smallest size
};
} // namespace strut
