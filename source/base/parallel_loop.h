// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace strut::cpu
{
/// body(i) for all i < n, on OpenMP threads.
template <typename Body>
void parallel_for(const int n_threads, const std::size_t n, const Body &body)
{
#pragma omp parallel for num_threads(n_threads) schedule(static) if (n > 2048)
  for (std::size_t i = 0; i < n; ++i)
    body(i);
}

/// sum of term(i) over i < n in double. Summed in blocks of fixed size, then over the blocks in
/// order: the same bits for any number of threads.
template <typename Term>
double parallel_sum(const int n_threads, const std::size_t n, const Term &term)
{
  constexpr std::size_t block_size = 4096;
  const std::size_t n_blocks       = (n + block_size - 1) / block_size;
  std::vector<double> partial(n_blocks);
#pragma omp parallel for num_threads(n_threads) schedule(static) if (n_blocks > 1)
  for (std::size_t block = 0; block < n_blocks; ++block)
    {
      const std::size_t end = std::min(n, (block + 1) * block_size);
      double sum            = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t i = block * block_size; i < end; ++i)
        sum += term(i);
      partial[block] = sum;
    }
  double sum = 0;
  for (const double value : partial)
    sum += value;
  return sum;
}
} // namespace strut::cpu
