// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace strut
{
/// How often an update has cut its moves because a limit is broken and gets worse, and by which
/// constraint the last time: where the excess of a constraint is large, and has grown twice in a
/// row or more than doubled; again by the designs since. Follows from the values alone, so a
/// restart goes on with it.
///
/// @param excesses  of each design those of all constraints, by their sizes: above 0 a limit is
///   broken
std::pair<unsigned int, std::size_t>
cuts_against_broken_limits(const std::vector<std::vector<double>> &excesses);
} // namespace strut
