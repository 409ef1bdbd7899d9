// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "source/base/parallel_loop.h"

namespace strut::cpu
{
/// A vector of n equal values whose memory all threads touch before it is filled. The system makes a page when it is first
/// touched, which takes some times longer than to fill it: for arrays of gigabytes one thread would do that alone.
template <typename T>
std::vector<T> filled_vector(const int n_threads, const std::size_t n, const T &value = T())
{
  static_assert(std::is_trivially_copyable_v<T>);
  constexpr std::size_t page = 4096;
  std::vector<T> result;
  result.reserve(n);
  volatile unsigned char *const bytes = reinterpret_cast<unsigned char *>(result.data());
  parallel_for(n_threads, n * sizeof(T) / page, [bytes](const std::size_t i) {
    bytes[i * page] = 0;
  });
  result.assign(n, value);
  return result;
}
} // namespace strut::cpu
