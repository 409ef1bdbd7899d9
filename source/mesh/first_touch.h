// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <vector>

namespace strut
{
/// Numbers the nodes by first touch: in the order in which elements, and the vertices of each, have
/// them. The numbers are the same for any number of threads.
///
/// @param n_keys  number of keys of nodes; not all need occur in elements
/// @param connectivity  `[8][n_elements]`, keys on entry, numbers on return
/// @return the key of each node
std::vector<LocalIndex> number_by_first_touch(std::size_t n_keys,
                                              std::size_t n_elements,
                                              std::vector<LocalIndex> &connectivity,
                                              int n_threads);
} // namespace strut
