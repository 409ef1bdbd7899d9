// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace strut
{
/// A box along the axes.
struct Box3
{
  std::array<double, 3> lower{}, upper{};
};

/// Parts of a mesh whose elements hang together by faces, so that each has six rigid motions. Boxes and
/// hinges are those of the whole mesh, the same on all ranks.
struct Bodies
{
  /// A node that two bodies share: there their displacements agree.
  struct Hinge
  {
    std::size_t first = 0, second = 0; ///< numbers of the bodies
    std::array<double, 3> point{};
  };

  std::vector<Box3> boxes;            ///< one for each body
  std::vector<LocalIndex> of_element; ///< on this rank; empty: there is one body
  std::vector<Hinge> hinges;
};

/// A motion that costs no energy: of a body, in words ("translation along z", "rotation about an axis
/// along x"). Where bodies at hinges move together, it is the motion of the one that moves most.
struct FreeMotion
{
  std::size_t body = 0;
  std::string text;
};

/// The rigid motions that the supports and the hinges leave free; empty if the structure is held.
/// Collective.
///
/// From the Gram matrix of the rigid motions on the constrained DoFs and of their differences at the
/// hinges: its null space are the motions that no support and no neighbour prevents.
/// @param rows_left_out  of ElementMesh::dependent, ascending: as if these were not there
std::vector<FreeMotion> free_rigid_motions(const Communicator &communicator,
                                           const ElementMesh &mesh,
                                           const Bodies &bodies,
                                           const std::vector<std::size_t> &rows_left_out = {});

/// The same of a mesh that is one body, in words.
std::vector<std::string> free_rigid_motions(const Communicator &communicator,
                                            const ElementMesh &mesh,
                                            const std::vector<std::size_t> &rows_left_out = {});
} // namespace strut
