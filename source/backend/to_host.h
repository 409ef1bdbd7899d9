// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "source/base/filled_vector.h"

namespace strut
{
/// Array::to_host() of a large array, with a vector that all threads fill.
///
/// @param memory  the memory of the array
template <typename T>
std::vector<T> to_host(Memory &memory, const Array<T> &x)
{
  std::vector<T> values = cpu::filled_vector<T>(cpu::default_n_threads(), x.size());
  if (!x.empty())
    memory.copy_to_host(values.data(), x.data(), x.size() * sizeof(T));
  return values;
}

/// Copies an array to the host in float. Only a part of the doubles is on the host at a time.
template <typename T>
std::vector<float> to_host_in_float(Memory &memory, const Array<T> &x)
{
  if constexpr (std::is_same_v<T, float>)
    return to_host(memory, x);
  else
    {
      constexpr std::size_t most = std::size_t(1) << 22;
      const int n_threads        = cpu::default_n_threads();
      std::vector<float> values  = cpu::filled_vector<float>(n_threads, x.size());
      std::vector<T> piece(std::min(most, x.size()));
      for (std::size_t begin = 0; begin < x.size(); begin += most)
        {
          const std::size_t n = std::min(most, x.size() - begin);
          memory.copy_to_host(piece.data(), x.data() + begin, n * sizeof(T));
          cpu::parallel_for(n_threads, n, [&](const std::size_t i) {
            values[begin + i] = static_cast<float>(piece[i]);
          });
        }
      return values;
    }
}
} // namespace strut
