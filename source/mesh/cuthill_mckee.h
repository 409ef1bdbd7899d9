// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace strut
{
/// An order of the nodes of a graph in which neighbours have close numbers, so that the matrix of
/// this graph has a narrow band. It is that of Cuthill and McKee (1969), reversed, starting from an
/// end of the graph by George and Liu (1979). Each connected part is contiguous.
///
/// @param n      number of nodes
/// @param edges  pairs of neighbours, each once, in any order; (i, i) is ignored
/// @return the node at each position
std::vector<std::uint32_t>
reverse_cuthill_mckee(std::size_t n,
                      const std::vector<std::pair<std::uint32_t, std::uint32_t>> &edges);
} // namespace strut
