// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <vector>

namespace strut
{
/// The points of other ranks within a radius of a rank's own points, and the pattern to exchange
/// their values. It serves filters whose radius covers several layers of elements.
struct NeighbourhoodHalo
{
  HaloPattern pattern;
  std::vector<double> points; ///< own points, then the ghosts: `[3][n_points]`
  std::size_t n_points = 0;   ///< number of own points and ghosts

  /// Builds the halo. A rank sends every point within `radius` of the bounding box of another
  /// rank's points, so there are somewhat more ghosts than needed. Collective.
  ///
  /// @param own_points  `[3][n_own]`
  static NeighbourhoodHalo build(const Communicator &communicator,
                                 std::vector<double> own_points,
                                 std::size_t n_own,
                                 double radius);
};
} // namespace strut
