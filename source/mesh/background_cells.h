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
/// Cells of a regular grid. A place may have several cells: one for each piece of the mesh in it.
/// Pieces move independently; otherwise a mesh with a narrow gap would be glued together.
struct BackgroundCells
{
  using Place = std::array<std::uint32_t, 3>;

  Place n_places{};                             ///< number of places of the grid along each axis
  std::vector<Place> places;                    ///< place of each cell
  std::vector<std::array<LocalIndex, 8>> nodes; ///< nodes of each cell, vertices as in ElementMesh
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

/// Background cells of a mesh: the grid, and its connection with the mesh. On several ranks these
/// are the cells that the elements of this rank touch, in the pieces that these elements form
/// alone.
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
  NodePlaces nodes; ///< places of the owned nodes
  StiffnessShares shares;
  std::vector<AtNode> at_shared_nodes; ///< cells at the nodes of several ranks, node by node
};

/// The spacing of a grid of background cells.
struct GridSpacing
{
  double elements = 2.; ///< in elements of eight nodes, or in distances of nodes
  /// The fraction of a cell from which on there is another cell along an axis. With the half, cells
  /// may be much wider than wanted where there are few.
  double another_from = 0.5;
};

/// Makes cells of about twice the size of an element for any mesh, split into the pieces of the
/// mesh.
///
/// The grid fills the bounding box of the mesh. Its spacing along an axis is about twice the root
/// mean square of an element's size along it. For elements other than hexahedra of eight nodes it
/// is twice the cube root of the volume for each node, along all axes. Then flat linear tetrahedra
/// take fewer iterations than with flat cells.
///
/// A node lies in one cell. An element touches the cell of its centre, and the cells of its nodes.
/// In a cell, elements that touch it and are connected by nodes form one piece, and each piece gets
/// its own cell. A dependent node is connected with its masters. Vertices of cells at the same
/// place are one node if the cells are linked, directly or through others at that place. A link is
/// a common element, or a node of the mesh on their common face.
///
/// A cell takes the share of an element's stiffness that corresponds to the part of the cell's
/// volume that the element fills. Each of its nodes has an equal part of it. Let d be the distance
/// of the node from the centre's cell in units of its size. The share `min(1, (d / 0.25)^2)` goes
/// to the node's own cell, and the rest to the centre's cell. So every cell with a node in it has
/// stiffness from the elements around the node, and an element hardly contributes to cells that it
/// barely touches.
///
/// The result is the same for any number of threads. The grid is that of all ranks. Collective.
///
/// @param volumes  volumes of the elements
FirstBackground put_cells_behind(const Communicator &communicator,
                                 const ElementMesh &mesh,
                                 const std::vector<double> &volumes,
                                 const GridSpacing &spacing,
                                 int n_threads);

/// Makes cells of twice the size, split again into pieces: cells that share nodes. They keep their
/// size along axes with one place.
///
/// @param parents  on return, the parent of each finer cell
BackgroundCells put_cells_behind(const BackgroundCells &finer, std::vector<LocalIndex> &parents);
} // namespace strut
