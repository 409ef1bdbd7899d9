// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <cstddef>

namespace strut::cpu
{
/// Meshes of up to so many elements are done before other threads have woken up.
constexpr std::size_t few_elements = 200;

/// On how many threads to share n elements or nodes, of n_all in the mesh.
inline int parts_of_elements(const int n_threads, const std::size_t n_all, const std::size_t n)
{
  return n_all > few_elements ? static_cast<int>(std::min<std::size_t>(n_threads, n / 16 + 1)) : 1;
}
} // namespace strut::cpu
