// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// The places of the owned nodes of a mesh in the elements of a coarser one that it was not refined
/// from. Those elements are boxes along the axes.
struct NodePlaces
{
  /// `[n_fine_nodes]`: index in LevelTransfer::parent_nodes of the element that contains the node.
  std::vector<LocalIndex> elements;

  /// `[n_fine_nodes][3]`: place in that element, 0 to 1 along each axis.
  std::vector<double> places;
};

/// The contributions of the elements of a level to the stiffness of those of the next coarser one,
/// which need not be their parents: `E_coarse = sum_k weight_k E_fine(k)`, in compressed rows. Fine
/// elements are those of this rank. Coarse elements are its own, then those of other ranks, to
/// which the sums are sent (LevelTransfer::coarse_elements).
struct StiffnessShares
{
  std::vector<LocalIndex> begin;    ///< `[n_coarse + 1]`
  std::vector<LocalIndex> elements; ///< fine elements, ascending for each coarse one
  std::vector<float> weights;       ///< zero or positive
};

/// The relation between the elements of a level and those of the next coarser one. Each coarse
/// element was cut into eight, child `c` at the octant `(c & 1, c >> 1 & 1, c >> 2)` of its parent,
/// with the parent's orientation. In a mesh with hanging nodes it may also be whole: then it is its
/// own parent, at the octant `whole`, and its eight children. Coordinates are not related:
/// boundaries may be curved.
///
/// A parent and its children may belong to different ranks. So there are two more layouts, which
/// differ from those of the meshes by their ghosts only:
/// - coarse nodes: owned ones as in the coarse mesh, then those that only the transfer needs;
/// - fine elements: own ones as in the fine mesh, then children of our elements that other ranks
///   own.
struct LevelTransfer
{
  static constexpr std::uint8_t whole = 8;

  /// Whether the mesh was refined everywhere and is on one rank. Then fine element e is child e % 8
  /// of coarse element e / 8, and the coarse nodes are those of the coarse mesh. Octants, parents,
  /// parent_nodes and children are empty, which saves 13 bytes for each fine element.
  /// TransferArrays (source/mesh/transfer_arrays.h) provides them in either case.
  bool is_in_order = false;

  std::vector<std::uint8_t> octants; ///< octant of each fine element in its parent, `[n_fine]`

  /// Parent of each fine element, `[n_fine]`: an index in parent_nodes.
  std::vector<LocalIndex> parents;
  std::vector<std::array<LocalIndex, 8>>
    parent_nodes; ///< vertices of the elements that have children here, as coarse nodes
  std::size_t n_coarse_nodes = 0; ///< owned nodes and ghosts of this layout
  HaloPattern coarse_nodes;       ///< exchanges the coarse nodes

  /// Children of each coarse element, `[8][n_coarse]`, as fine elements.
  std::vector<LocalIndex> children;
  std::size_t n_children = 0; ///< own fine elements and ghosts of this layout
  HaloPattern fine_elements;  ///< exchanges the fine elements

  /// Data of background cells (source/parallel/background_levels.h). They have no `children`, since
  /// a cell may contain any number of elements. Below a mesh that is no background, and where cells
  /// are not doubled along each axis, `places` replace `octants` and parents. Coarse elements have
  /// a layout here, too: own ones as in the coarse mesh, then those of other ranks that our fine
  /// elements touch.
  StiffnessShares shares;
  NodePlaces places;
  HaloPattern coarse_elements; ///< exchanges the coarse elements

  bool is_background() const
  {
    return !shares.begin.empty();
  }

  /// Whether this is a level with the linear element on the same mesh: each element is its own
  /// parent, and nodes have places in it (source/solvers/multigrid/linear_level.h). There are no
  /// octants and no children. The result is meaningless on a rank without elements.
  bool is_linear() const
  {
    return !parents.empty() && octants.empty() && children.empty();
  }

  /// Whether nodes have places in cells, and children no octants. The result is meaningless on a
  /// rank without elements.
  bool has_places() const
  {
    return !places.elements.empty();
  }
};

/// A coarser mesh of a hierarchy, and its relation to the next finer one.
struct CoarseLevel
{
  ElementMesh
    mesh; ///< mesh without volumes, flags and the map to deal.II; prescribed displacements are 0
  LevelTransfer transfer; ///< transfer between this mesh and the next finer one
};

/// The coarser meshes of a mesh, finest first. They are the meshes that it was refined from, or the
/// linear level of one with quadratic elements. Then come background cells that cover the coarsest
/// of these, or a mesh without refinement. May be empty.
/// All have as many components per node as the mesh.
///
/// A coarse DoF is constrained if the one at the same place of the next finer level is. Where
/// supports end between coarse nodes, coarse operators see springs: see SupportSprings. DoFs of
/// background cells are never constrained. Hanging nodes of a level are dependent (AffineRows); the
/// coarsest level has none.
using MeshHierarchy = std::vector<CoarseLevel>;
} // namespace strut
