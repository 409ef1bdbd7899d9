// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <vector>

#include "plugin/deck/output/level_on_mesh.h"

namespace strut::plugin
{
/// What is on the other side of a face.
enum class Beyond : std::uint8_t
{
  nothing, ///< or an empty element
  design,
  solid
};

/// A face of an element that is not empty, on which the boundary of a body may be.
struct BoundaryFace
{
  std::array<LocalIndex, 4> nodes; ///< ascending
  LocalIndex element;
  std::uint8_t number; ///< 2 d + s, as in faces.h
  Beyond beyond;
};

/// The faces behind which there is nothing, and those of solid elements behind which there is no solid one; without those
/// of design elements that have no material at the face. By nodes, then by elements. Collective.
/// @param is_shared  nodes_of_several_ranks()
std::vector<BoundaryFace> boundary_faces(MPI_Comm communicator,
                                         const LevelOnMesh &level,
                                         const std::vector<std::uint8_t> &is_shared);
} // namespace strut::plugin
