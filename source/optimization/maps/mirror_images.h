// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/symmetry_plane.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// Points and behind them their images, `[3][n]`, and the numbers of all of them as in
/// CellGrid::points.
struct PointsAndImages
{
  std::vector<double> coordinates;
  std::vector<std::uint32_t> numbers;
};

/// Points and their mirror images behind planes of symmetry: all products of the reflections in the
/// three directions; those images that are within the radius of the box around the points.
/// @param points  `[3][n_points]`, at least one
PointsAndImages add_images(const std::vector<double> &points,
                           std::size_t n_points,
                           double radius,
                           const std::vector<SymmetryPlane> &planes);
} // namespace strut
