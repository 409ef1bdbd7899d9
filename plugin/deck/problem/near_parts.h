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

namespace strut::plugin
{
/// Two parts of a mesh that share no node, where they are nearest to each other.
struct NearParts
{
  std::array<std::size_t, 2> bodies{};
  double distance = 0.;   ///< of a vertex of the first one from a face of the second one
  dealii::Point<3> point; ///< that vertex
};

/// The nearest of all parts that are farther from each other than `least` and nearer than `most`. With all threads; the same
/// for any number of them.
std::optional<NearParts>
find_near_parts(const CoarseMesh &mesh, const MeshBodies &bodies, double least, double most);

/// The NOTE for the log about entries that were to join parts and did nothing, or about parts that nearly touch; empty if
/// there is neither.
/// @param in_vain  names of such entries @param tied  pairs of cells that are joined besides
/// @param tolerance  within which nodes and faces are joined
std::string note_on_near_parts(const CoarseMesh &mesh,
                               const std::vector<std::array<std::uint32_t, 2>> &tied,
                               const std::vector<std::string> &in_vain,
                               double tolerance,
                               double shortest_edge);
} // namespace strut::plugin
