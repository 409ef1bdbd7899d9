// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/coarse_cells.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plugin/deck/mesh/bodies.h"
#include "plugin/deck/mesh/coarse_mesh.h"

namespace strut::plugin
{
/// Two boundary faces of coarse cells that lie on each other and are not joined.
struct UnjoinedFaces
{
  std::array<CoarseFace, 2> sides;
  double area     = 0.;    ///< of the overlap
  bool is_matched = false; ///< the vertices of both are at the same places
};

/// All of them in a coarse mesh. Strips that are narrower than the tolerance count for nothing.
std::vector<UnjoinedFaces> find_unjoined(const CoarseMesh &mesh, double tolerance);

/// The faces that lie on others with all of their area.
std::vector<CoarseFace> covered_faces(const CoarseMesh &mesh,
                                      const std::vector<UnjoinedFaces> &unjoined);

/// Two parts that touch there, or one part that touches itself.
struct TouchingParts
{
  std::array<std::size_t, 2> bodies{};  ///< ascending
  std::array<std::size_t, 2> n_faces{}; ///< of each of them
  std::size_t n_shared_nodes = 0;       ///< of both bodies, wherever they are
  double area                = 0.;
  bool is_matched            = true; ///< all faces are

  /// Two sides of a slit: somebody has given it two nodes at each place, on purpose.
  bool is_slit() const
  {
    return bodies[0] == bodies[1] && is_matched;
  }
};

std::vector<TouchingParts> find_touching_parts(const std::vector<UnjoinedFaces> &faces,
                                               const MeshBodies &bodies);
} // namespace strut::plugin
