// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "source/base/huge_pages.h"
#include "source/base/parallel_loop.h"

namespace strut::cpu
{
/// A vector whose memory is filled from outside.
template <typename T>
struct VectorToFill : std::vector<T>
{
  /// Sets the size after the memory was filled.
  ///
  /// @param n  number of entries
  /// @param value  the value of all entries
  void has_been_filled(const std::size_t n, const T &value)
  {
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG) && !defined(_GLIBCXX_SANITIZE_VECTOR)
    static_cast<void>(value);
    // std::vector itself would write all entries again, with one thread
    this->_M_impl._M_finish = this->_M_impl._M_start + n;
#else
    this->assign(n, value);
#endif
  }
};

/// Returns a vector of n equal values, written by all threads. The system provides a page when it
/// is first touched, which takes several times longer than filling it. For arrays of gigabytes one
/// thread would do both alone.
template <typename T>
std::vector<T> filled_vector(const int n_threads, const std::size_t n, const T &value = T())
{
  static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>);
  VectorToFill<T> result;
  result.reserve(n);
  T *const values = result.data();
  prefer_huge_pages(values, n * sizeof(T));
  parallel_ranges(parts_of_loop(n_threads, n),
                  n,
                  [&](const std::size_t begin, const std::size_t end) {
                    std::uninitialized_fill(values + begin, values + end, value);
                  });
  result.has_been_filled(n, value);
  return std::move(static_cast<std::vector<T> &>(result));
}
} // namespace strut::cpu
