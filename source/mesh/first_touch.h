// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <vector>

namespace strut
{
/// Number the nodes by first touch: in the order in which elements, and the vertices of each, meet them.
/// The same numbers for any number of threads.
///
/// @param n_keys  of the nodes, some of which the elements may not have
/// @param connectivity  `[8][n_elements]`, keys; on return numbers
/// @return the key of each node
std::vector<LocalIndex> number_by_first_touch(std::size_t n_keys,
                                              std::size_t n_elements,
                                              std::vector<LocalIndex> &connectivity,
                                              int n_threads);
} // namespace strut
