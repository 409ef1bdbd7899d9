// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace strut
{
/// The elements and nodes of a mesh by their places in a box of n[0] x n[1] x n[2] elements.
struct StructuredBox
{
  std::array<std::size_t, 3> n{};
  std::vector<LocalIndex> elements; ///< `[n[2]][n[1]][n[0]]`
  std::vector<LocalIndex> nodes;    ///< `[n[2] + 1][n[1] + 1][n[0] + 1]`
  std::string obstacle; ///< reason why the mesh is no such box, as a sentence; empty if it is one

  /// Finds the box from the connectivity alone, for any numbering: neighbours share the vertices of
  /// a face. The elements must have one orientation. An empty mesh is a box without elements.
  static StructuredBox find(const ElementMesh &mesh);
};
} // namespace strut
