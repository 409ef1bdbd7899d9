// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// Points followed by their images, `[3][n]`, and their numbers as in CellGrid::points.
struct PointsAndImages
{
  std::vector<double> coordinates;
  std::vector<std::uint32_t> numbers;
};

/// Returns points and their mirror images behind planes of symmetry. The images are all products of
/// the reflections in the three directions that are within the radius of the box around the points.
/// @param points  `[3][n_points]`, at least one
PointsAndImages add_images(const std::vector<double> &points,
                           std::size_t n_points,
                           double radius,
                           const std::vector<SymmetryPlane> &planes);
} // namespace strut
