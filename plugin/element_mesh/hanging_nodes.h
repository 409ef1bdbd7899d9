// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>
#include <strut/plugin/dealii_classes.h>

#include <array>
#include <vector>

#include "plugin/element_mesh/cell_order.h"

namespace strut::plugin
{
/// The hanging nodes of a mesh of one rank, by the numbers of vertices in the triangulation: each takes the mean of its
/// parents, the two ends of the edge or the four corners of the face that it is the middle of. Parents may hang, too.
class HangingNodes
{
public:
  struct Node
  {
    unsigned int vertex, n_parents;
    std::array<unsigned int, 4> parents;
  };

  /// @param cells     that make up the mesh: leaves of the tree of cells, cut off somewhere
  /// @param vertices  of these, `[n_cells][8]`
  HangingNodes(const dealii::Triangulation<3, 3> &triangulation,
               const std::vector<CellPlace> &cells,
               const std::vector<unsigned int> &vertices);

  /// Null if the vertex does not hang.
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
  std::vector<LocalIndex> place_; ///< of each vertex in `nodes_`
};

/// The dependent DoFs of hanging nodes. Those that are constrained already stay so; masters that are constrained drop
/// out, those that hang give way to theirs.
///
/// @param node_of  by the number of a vertex
AffineRows hanging_rows(const HangingNodes &hanging,
                        const std::vector<LocalIndex> &node_of,
                        const ElementMesh &mesh);
} // namespace strut::plugin
