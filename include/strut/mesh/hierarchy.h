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

  std::vector<std::uint8_t> octants; ///< of each fine element within its parent, `[n_fine]`
  std::vector<LocalIndex> parents;   ///< of each fine element, `[n_fine]`: which of the following
  std::vector<std::array<LocalIndex, 8>>
    parent_nodes; ///< vertices of the elements that have children here, coarse nodes
  std::size_t n_coarse_nodes = 0; ///< owned and ghosts, of this layout
  HaloPattern coarse_nodes;       ///< exchanges them

  std::vector<LocalIndex> children; ///< of each coarse element, `[8][n_coarse]`, fine elements
  std::size_t n_children = 0;       ///< own fine elements and ghosts, of this layout
  HaloPattern fine_elements;        ///< exchanges them
};

/// A mesh that was refined into a finer one, and how.
struct CoarseLevel
{
  ElementMesh
    mesh; ///< without volumes, flags and the way to deal.II; prescribed displacements are 0
  LevelTransfer transfer; ///< between this mesh and the next finer one
};

/// The meshes that a mesh was refined from, finest first; empty for a flat mesh.
///
/// A coarse DoF is constrained if the one at the same place of the next finer level is. Where supports
/// end between coarse nodes, coarse operators see them otherwise: see SupportSprings. Hanging nodes of a level
/// are dependent (AffineRows); the coarsest level has none.
using MeshHierarchy = std::vector<CoarseLevel>;
} // namespace strut
