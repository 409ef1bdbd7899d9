// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace strut
{
/// Counts how often an update has cut its moves because a limit is broken and gets worse. A cut is
/// made where the excess of a constraint is large, and has grown twice in a row or more than
/// doubled. The designs after a cut are judged anew. The count follows from the values alone, so a
/// restart continues it.
///
/// @param excesses  for each design the excesses of all constraints, relative to their sizes; above
///   0 a limit is broken
/// @return the number of cuts, and the index of the constraint that caused the last one
std::pair<unsigned int, std::size_t>
cuts_against_broken_limits(const std::vector<std::vector<double>> &excesses);
} // namespace strut
