// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <algorithm>
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

  void enclose(const Box3 &other)
  {
    for (std::size_t d = 0; d < 3; ++d)
      {
        lower[d] = std::min(lower[d], other.lower[d]);
        upper[d] = std::max(upper[d], other.upper[d]);
      }
  }
};

/// Parts of a mesh whose elements are connected by faces, so that each has six rigid motions. Boxes
/// and hinges are those of the whole mesh, the same on all ranks.
struct Bodies
{
  /// A node that two bodies share: their displacements agree there.
  struct Hinge
  {
    std::size_t first = 0, second = 0; ///< numbers of the bodies
    std::array<double, 3> point{};
  };

  std::vector<Box3> boxes; ///< one for each body

  /// Body of each node of this rank, ghosts included; either body at hinges; empty: there is one
  /// body.
  std::vector<LocalIndex> of_node;
  std::vector<Hinge> hinges;
};

/// Bodies::of_node from the bodies of the elements of this rank. Ghosts without elements get the
/// first body.
std::vector<LocalIndex> bodies_of_nodes(const ElementMesh &mesh,
                                        const std::vector<LocalIndex> &of_element);

/// A motion of a body that costs no energy, in words ("translation along z", "rotation about an
/// axis along x"). If bodies at hinges move together, it is the motion of the one that moves most.
struct FreeMotion
{
  std::size_t body = 0;
  std::string text;
};

/// The rigid motions that supports, springs, ties and hinges leave free; empty if the structure is
/// held. Collective.
///
/// Each of these gives linear equations for the rigid motions of its bodies. Their null space is
/// that of the stiffness. Groups of more than 150 bodies that are connected by hinges and ties are
/// treated as one body.
///
/// @param rows_left_out  rows of ElementMesh::dependent that are ignored, ascending
std::vector<FreeMotion> free_rigid_motions(const Communicator &communicator,
                                           const ElementMesh &mesh,
                                           const Bodies &bodies,
                                           const std::vector<std::size_t> &rows_left_out = {});

/// The free rigid motions of a mesh that is one body, in words.
std::vector<std::string> free_rigid_motions(const Communicator &communicator,
                                            const ElementMesh &mesh,
                                            const std::vector<std::size_t> &rows_left_out = {});
} // namespace strut
