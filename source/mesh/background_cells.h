// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/hierarchy.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// Cells of a regular grid, of which a place may have several: one for each piece of the mesh in it. Pieces
/// move independently; a mesh with a narrow gap would be glued together otherwise.
struct BackgroundCells
{
  using Place = std::array<std::uint32_t, 3>;

  Place n_places{};                             ///< of the grid along each axis
  std::vector<Place> places;                    ///< of each cell
  std::vector<std::array<LocalIndex, 8>> nodes; ///< of each cell, vertices as in ElementMesh
  std::size_t n_nodes = 0;

  std::size_t size() const
  {
    return places.size();
  }

  /// The number of a place.
  std::uint64_t key(const Place &place) const
  {
    return (std::uint64_t(place[2]) * n_places[1] + place[1]) * n_places[0] + place[0];
  }
};

/// Of cells that were put behind a mesh: where the grid is, and what connects it with the mesh. On several ranks:
/// the cells that the elements of this rank touch, in the pieces that these alone make.
struct FirstBackground
{
  /// A cell that elements around a node touch.
  struct AtNode
  {
    LocalIndex node, cell;
    bool has_node; ///< the node lies in it
  };

  BackgroundCells cells;
  std::array<double, 3> origin{}, spacing{};
  NodePlaces nodes; ///< of the owned nodes
  StiffnessShares shares;
  std::vector<AtNode> at_shared_nodes; ///< that other ranks have, too; node by node
};

/// Cells of about twice the size of an element behind any mesh, split into its pieces.
///
/// The grid fills the box around the mesh; its spacing along an axis is about twice the root mean square of an
/// element's size along it. A node lies in a cell. An element touches the cell of its centre, and the cells of
/// its nodes. In a cell, elements that touch it and hang together by their nodes are one piece, and
/// each piece gets a cell of its own. A dependent node hangs together with those that it depends on. Vertices of cells at the same place are one node if the cells share an
/// element, or a node of the mesh on their common face, directly or through others at that place.
///
/// A cell takes an element's stiffness by the part of the cell's volume that the element fills. Of it
/// each vertex has an eighth: it goes to the vertex's own cell by the share `min(1, (d / 0.25)^2)`, d how far the
/// vertex lies outside of the centre's cell in units of its size; the rest goes to the centre's cell. So every
/// cell with a node in it has stiffness from the elements around the node, and an element does not count for cells
/// that it hardly touches.
///
/// The same for any number of threads. The grid is that of all ranks. Collective.
/// @param volumes  of the elements @param spacing  of the grid, in elements
FirstBackground put_cells_behind(const Communicator &communicator,
                                 const ElementMesh &mesh,
                                 const std::vector<double> &volumes,
                                 double spacing,
                                 int n_threads);

/// Cells of twice the size behind cells, split again into pieces: cells that share nodes.
/// @param parents  on return, of each finer cell
BackgroundCells put_cells_behind(const BackgroundCells &finer, std::vector<LocalIndex> &parents);
} // namespace strut
