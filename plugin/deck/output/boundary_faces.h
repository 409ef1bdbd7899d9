// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "plugin/deck/output/level_on_mesh.h"
#include "source/mesh/node_to_element.h"

namespace strut
{
/// Kinds of neighbours behind a face.
enum class Beyond : std::uint8_t
{
  nothing, ///< the boundary of the mesh, or an empty element
  design,
  solid
};

/// A face of a non-empty element that may be on the boundary of a body.
struct BoundaryFace
{
  std::array<LocalIndex, 4> nodes; ///< in ascending order; the last of a triangle occurs twice
  LocalIndex element;
  std::uint8_t number; ///< 2 d + s, as in faces.h
  Beyond beyond;
};

/// Another element of this rank with a face.
/// @param nodes  those of the face, in their order around it
std::optional<LocalIndex> element_behind(const NodeToElement &around,
                                         const std::array<LocalIndex, 4> &nodes,
                                         LocalIndex element);

/// The faces with nothing behind them, and those of solid elements without a solid one behind them.
/// Faces of design elements without material at the face are left out. Sorted by nodes, then by
/// elements. Collective.
/// @param is_shared  nodes_of_several_ranks()
std::vector<BoundaryFace> boundary_faces(MPI_Comm communicator,
                                         const LevelOnMesh &level,
                                         const std::vector<std::uint8_t> &is_shared);
} // namespace strut
