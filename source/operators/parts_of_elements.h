// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <cstddef>

namespace strut::cpu
{
/// Meshes of at most this many elements finish before other threads have woken up.
constexpr std::size_t few_elements = 200;

/// Number of threads for n elements or nodes of a mesh with n_all.
inline int parts_of_elements(const int n_threads, const std::size_t n_all, const std::size_t n)
{
  return n_all > few_elements ? static_cast<int>(std::min<std::size_t>(n_threads, n / 16 + 1)) : 1;
}
} // namespace strut::cpu
