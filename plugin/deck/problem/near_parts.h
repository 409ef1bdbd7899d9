// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plugin/deck/mesh/bodies.h"
#include "plugin/deck/mesh/coarse_mesh.h"

namespace strut
{
/// Two parts of a mesh that share no node, at the place where they are nearest.
struct NearParts
{
  std::array<std::size_t, 2> bodies{};
  double distance = 0.;   ///< distance of a vertex of the first part from a face of the second
  dealii::Point<3> point; ///< place of that vertex
};

/// Finds the nearest parts at a distance larger than `least` and smaller than `most`. All threads
/// are used; the result does not depend on their number.
std::optional<NearParts>
find_near_parts(const CoarseMesh &mesh, const MeshBodies &bodies, double least, double most);

/// The NOTE for the log on entries that should join parts and had no effect, or on parts that
/// nearly touch. Empty if there are neither.
/// @param in_vain  names of such entries
/// @param tied  pairs of cells that are tied
/// @param tolerance  distance within which nodes and faces are joined
std::string note_on_near_parts(const CoarseMesh &mesh,
                               const std::vector<std::array<std::uint32_t, 2>> &tied,
                               const std::vector<std::string> &in_vain,
                               double tolerance,
                               double shortest_edge);
} // namespace strut
