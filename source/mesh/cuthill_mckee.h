// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace strut
{
/// An order in which the neighbours of a graph have numbers close to each other, so that the matrix
/// with this graph has a narrow band: Cuthill and McKee (1969), from an end of the graph as George and
/// Liu (1979) find it, reversed. Each connected part comes as a whole.
///
/// @param n      nodes
/// @param edges  pairs of neighbours, each once, in any order; (i, i) counts for nothing
/// @return position -> node
std::vector<std::uint32_t>
reverse_cuthill_mckee(std::size_t n,
                      const std::vector<std::pair<std::uint32_t, std::uint32_t>> &edges);
} // namespace strut
