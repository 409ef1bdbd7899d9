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
/// Where the owned nodes of a mesh lie in the elements of a coarser one that it was not refined from: boxes
/// along the axes.
struct NodePlaces
{
  std::vector<LocalIndex>
    elements; ///< `[n_fine_nodes]`: the one of LevelTransfer::parent_nodes that a node takes its value from
  std::vector<double> places; ///< `[n_fine_nodes][3]`: in that element, 0 to 1 along each axis
};

/// How the elements of a level give stiffness to those of the next coarser one, which need not be their
/// parents: `E_coarse = sum_k weight_k E_fine(k)`, in compressed rows. Fine elements are those of this rank, coarse
/// ones its own, then others to whose owners the sums go (LevelTransfer::coarse_elements).
struct StiffnessShares
{
  std::vector<LocalIndex> begin;    ///< `[n_coarse + 1]`
  std::vector<LocalIndex> elements; ///< fine ones, ascending for each coarse one
  std::vector<float> weights;       ///< not negative
};

/// How the elements of a level were made from those of the next coarser one: each coarse element was
/// cut into eight, child `c` at the octant `(c & 1, c >> 1 & 1, c >> 2)` of its parent, with the
/// parent's orientation. Or, in a mesh with hanging nodes, it was left whole: then it is its own parent, at
/// the octant `whole`, and its eight children. Says nothing about places: boundaries may be curved.
///
/// A parent and its children may belong to different ranks. So there are two more layouts, which
/// differ from those of the meshes by their ghosts only:
/// coarse nodes, owned ones as in the coarse mesh, then those that only the transfer needs;
/// fine elements, own ones as in the fine mesh, then children of our elements that other ranks own.
struct LevelTransfer
{
  static constexpr std::uint8_t whole = 8;

  /// Of a mesh that was refined everywhere, on one rank: fine element e is child e % 8 of coarse element e / 8, and the
  /// coarse nodes are those of the coarse mesh. Then octants, parents, parent_nodes and children say nothing new, and are
  /// empty: 13 bytes for each fine element. Who needs them takes TransferArrays (source/mesh/transfer_arrays.h).
  bool is_in_order = false;

  std::vector<std::uint8_t> octants; ///< of each fine element within its parent, `[n_fine]`
  std::vector<LocalIndex> parents;   ///< of each fine element, `[n_fine]`: which of the following
  std::vector<std::array<LocalIndex, 8>>
    parent_nodes; ///< vertices of the elements that have children here, coarse nodes
  std::size_t n_coarse_nodes = 0; ///< owned and ghosts, of this layout
  HaloPattern coarse_nodes;       ///< exchanges them

  std::vector<LocalIndex> children; ///< of each coarse element, `[8][n_coarse]`, fine elements
  std::size_t n_children = 0;       ///< own fine elements and ghosts, of this layout
  HaloPattern fine_elements;        ///< exchanges them

  /// Of background cells (source/parallel/background_levels.h), which know no `children`: a cell may have any number of
  /// them. `places` instead of `octants` and parents below a mesh that is no background. Coarse elements have a layout
  /// here, too: own ones as in the coarse mesh, then those of other ranks that our fine elements touch.
  StiffnessShares shares;
  NodePlaces places;
  HaloPattern coarse_elements; ///< exchanges them

  bool is_background() const
  {
    return !shares.begin.empty();
  }

  /// Whether this is the first background level. No matter on a rank without elements.
  bool has_places() const
  {
    return !places.elements.empty();
  }
};

/// A mesh that was refined into a finer one, or lies behind it, and how.
struct CoarseLevel
{
  ElementMesh
    mesh; ///< without volumes, flags and the way to deal.II; prescribed displacements are 0
  LevelTransfer transfer; ///< between this mesh and the next finer one
};

/// The coarser meshes of a mesh, finest first: those that it was refined from, then background cells
/// behind the coarsest of these, or behind a flat mesh. May be empty.
///
/// A coarse DoF is constrained if the one at the same place of the next finer level is. Where supports
/// end between coarse nodes, coarse operators see them otherwise: see SupportSprings. DoFs of background cells are
/// never constrained. Hanging nodes of a level are dependent (AffineRows); the coarsest level has none.
using MeshHierarchy = std::vector<CoarseLevel>;
} // namespace strut
