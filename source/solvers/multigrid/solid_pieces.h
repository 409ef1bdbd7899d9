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
/// The solid of a design in pieces: elements that hang together by faces, within blocks of some
/// size.
struct SolidPieces
{
  static constexpr std::uint32_t none = 0xffffffffu;

  std::size_t n = 0;
  std::vector<std::uint32_t> of_element; ///< `none`: no solid

  std::vector<std::uint32_t> at_node_begin; ///< `[n_nodes + 1]`
  std::vector<std::uint32_t> at_node;       ///< the pieces of the elements around a node, ascending
  std::vector<std::uint32_t> nodes_begin;   ///< `[n + 1]`
  std::vector<std::uint32_t> nodes;         ///< of each piece, ascending
};

/// Finds them for one design after the other on a mesh.
class SolidPiecesFinder
{
public:
  explicit SolidPiecesFinder(const ElementMesh &mesh);

  /// Solid are elements with more than a thousandth of the largest factor. Blocks are four elements
  /// wide, or eight, or sixteen and so on, so that there are at most `most` pieces. None at all if
  /// there is no other element.
  SolidPieces find(const std::vector<double> &factors, std::size_t most) const;

private:
  const ElementMesh &mesh_;
  NodeToElement elements_of_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> faces_; ///< elements on both sides
  std::vector<std::array<std::uint16_t, 3>> blocks_;           ///< of the smallest size
};
} // namespace strut
