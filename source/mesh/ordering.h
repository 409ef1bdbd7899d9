// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

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

/// Numbers the nodes by first touch: in the order in which elements, and the local nodes of each,
/// have them. The numbers are the same for any number of threads.
///
/// @param n_keys  number of keys of nodes; not all need occur in elements
/// @param connectivity  `[n_local][n]`, keys on entry, numbers on return
/// @return the key of each node
std::vector<LocalIndex> number_by_first_touch(std::size_t n_keys,
                                              std::size_t n,
                                              std::vector<LocalIndex> &connectivity,
                                              int n_threads);
} // namespace strut
