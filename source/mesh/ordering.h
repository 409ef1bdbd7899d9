// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// The order of points along a Hilbert curve through their bounding box (Skilling 2004).
/// Consecutive points are close to each other, so elements in this order share nodes in cache.
///
/// @param points  `[3][n]`
/// @return the point at each position; equal keys keep their order
std::vector<std::uint32_t> hilbert_order(const std::vector<double> &points, std::size_t n);
} // namespace strut
