// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>
#include <strut/mesh/element_mesh.h>

#include <array>
#include <vector>

#include "plugin/element_mesh/cell_order.h"

namespace strut
{
/// The hanging nodes of a mesh on one rank, by the triangulation's vertex numbers. Each takes the
/// mean of its parents: the two ends of its edge or the four corners of its face. Parents may hang,
/// too.
class HangingNodes
{
public:
  struct Node
  {
    unsigned int vertex, n_parents;
    std::array<unsigned int, 4> parents;
  };

  /// @param cells     cells of the mesh: the leaves of the tree of cells, possibly cut off at some
  /// level
  /// @param vertices  vertices of these cells, `[n_cells][8]`
  HangingNodes(const dealii::Triangulation<3, 3> &triangulation,
               const std::vector<CellPlace> &cells,
               const std::vector<unsigned int> &vertices);

  /// Returns the hanging node at a vertex; null if the vertex does not hang.
  const Node *find(const unsigned int vertex) const
  {
    return place_[vertex] == nowhere ? nullptr : &nodes_[place_[vertex]];
  }

  const std::vector<Node> &all() const
  {
    return nodes_;
  }

private:
  static constexpr LocalIndex nowhere = ~LocalIndex(0);

  std::vector<Node> nodes_;
  std::vector<LocalIndex> place_; ///< index of each vertex in `nodes_`
};

/// The dependent DoFs of hanging nodes. DoFs with other constraints keep them. Constrained masters
/// drop out, and hanging masters are replaced by their own.
///
/// @param node_of  node by the number of a vertex
AffineRows hanging_rows(const HangingNodes &hanging,
                        const std::vector<LocalIndex> &node_of,
                        const ElementMesh &mesh);
} // namespace strut
