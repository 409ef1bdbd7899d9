// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "source/base/first_error.h"
#include "source/base/team.h"

namespace strut::cpu
{
/// Returns the first index and the end of a part of [0, n).
inline std::pair<std::size_t, std::size_t>
range_of_part(const std::size_t part, const std::size_t n_parts, const std::size_t n)
{
  const std::size_t begin = n / n_parts * part + std::min(part, n % n_parts);
  return {begin, begin + n / n_parts + (part < n % n_parts ? 1 : 0)};
}

/// Calls body(begin, end) for n_parts ranges that make up [0, n). The ranges depend on the
/// arguments only.
template <typename Body>
void parallel_ranges(const int n_parts, const std::size_t n, const Body &body)
{
  run_parts(n_parts, [&](const int part) {
    const auto [begin, end] =
      range_of_part(static_cast<std::size_t>(part), static_cast<std::size_t>(n_parts), n);
    if (begin < end)
      body(begin, end);
  });
}

/// Number of parts for a loop of n short steps; 1 if sharing would take longer than the loop.
inline int parts_of_loop(const int n_threads, const std::size_t n)
{
  return n > 2048 ? static_cast<int>(std::min<std::size_t>(n_threads, n / 128)) : 1;
}

/// Calls body(i) for all i < n, on several threads for any n; for long bodies.
template <typename Body>
void parallel_for_long(const int n_threads, const std::size_t n, const Body &body)
{
  parallel_ranges(n_threads, n, [&](const std::size_t begin, const std::size_t end) {
    const Body own(body); // a local copy, or its captures would be reloaded after each write
    for (std::size_t i = begin; i < end; ++i)
      own(i);
  });
}

/// Calls body(i) for all i < n, on several threads; for short bodies.
template <typename Body>
void parallel_for(const int n_threads, const std::size_t n, const Body &body)
{
  parallel_for_long(parts_of_loop(n_threads, n), n, body);
}

/// Calls body(begin, end) for all blocks of `size` numbers in [0, n), the last one shorter. A
/// thread takes the next block when it has finished one, which balances bodies of unequal cost.
/// Throws what a body throws.
template <typename Body>
void parallel_blocks(const int n_threads,
                     const std::size_t n,
                     const std::size_t size,
                     const Body &body)
{
  const std::size_t n_blocks = (n + size - 1) / size;
  std::atomic<std::size_t> next{0};
  FirstError error;
  run_parts(static_cast<int>(std::min<std::size_t>(n_blocks, static_cast<std::size_t>(n_threads))),
            [&](int) {
              error.guard([&] {
                for (std::size_t block = next++; block < n_blocks; block = next++)
                  body(block * size, std::min(n, (block + 1) * size));
              });
            });
  error.rethrow();
}

/// Returns the largest of zero and value(i) over i < n.
template <typename Value>
double parallel_max(const int n_parts, const std::size_t n, const Value &value)
{
  std::vector<double> largest(static_cast<std::size_t>(n_parts), 0.);
  const std::size_t parts = largest.size();
  run_parts(n_parts, [&](const int part) {
    const std::size_t p     = static_cast<std::size_t>(part);
    double result           = 0;
    const auto [begin, end] = range_of_part(p, parts, n);
    for (std::size_t i = begin; i < end; ++i)
      result = std::max(result, value(i));
    largest[p] = result;
  });
  return *std::max_element(largest.begin(), largest.end());
}

/// Returns of_block(begin, end) for the blocks of a fixed size in [0, n), in order. Sums over them
/// have the same bits for any number of threads. Throws what a block throws.
template <typename OfBlock>
auto values_of_blocks(const int n_threads, const std::size_t n, const OfBlock &of_block)
{
  constexpr std::size_t block_size = 4096;
  const std::size_t n_blocks       = (n + block_size - 1) / block_size;
  std::vector<decltype(of_block(n, n))> values(n_blocks);
  const std::size_t n_parts = std::min(n_blocks, static_cast<std::size_t>(n_threads));
  FirstError error;
  parallel_ranges(static_cast<int>(n_parts),
                  n_blocks,
                  [&](const std::size_t first, const std::size_t last) {
                    error.guard([&] {
                      for (std::size_t block = first; block < last; ++block)
                        values[block] =
                          of_block(block * block_size, std::min(n, (block + 1) * block_size));
                    });
                  });
  error.rethrow();
  return values;
}

/// Returns the sum of term(i) over i < n in double. It is summed in blocks of fixed size, then over
/// the blocks in order: the same bits for any number of threads.
template <typename Term>
double parallel_sum(const int n_threads, const std::size_t n, const Term &term)
{
  const auto of_block = [&](const std::size_t begin, const std::size_t end) {
    const Term own(term); // as in parallel_for_long()
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = begin; i < end; ++i)
      sum += own(i);
    return sum;
  };
  double sum = 0;
  for (const double value : values_of_blocks(n_threads, n, of_block))
    sum += value;
  return sum;
}

/// Computes N sums in one pass: body(i, sums) adds the terms of i < n to its `double (&sums)[N]`.
/// It uses the blocks of parallel_sum(): the same bits for any number of threads.
template <int N, typename Body>
std::array<double, N> parallel_sums(const int n_threads, const std::size_t n, const Body &body)
{
  const auto of_block = [&](const std::size_t begin, const std::size_t end) {
    const Body own(body); // as in parallel_for_long()
    double sums[N] = {};
    for (std::size_t i = begin; i < end; ++i)
      own(i, sums);
    std::array<double, N> of_this;
    std::copy(sums, sums + N, of_this.begin());
    return of_this;
  };
  std::array<double, N> sums{};
  for (const std::array<double, N> &values : values_of_blocks(n_threads, n, of_block))
    for (std::size_t k = 0; k < N; ++k)
      sums[k] += values[k];
  return sums;
}

/// The loops for operations that both backends share: source/backend/*_loops.h. CUDA has a class
/// with the same interface.
struct Loops
{
  template <typename Body>
  void for_each(const std::size_t n, const Body &body) const
  {
    parallel_for(n_threads, n, body);
  }
  template <typename Term>
  double sum(const std::size_t n, const Term &term) const
  {
    return parallel_sum(n_threads, n, term);
  }
  template <int N, typename Body>
  std::array<double, N> sums(const std::size_t n, const Body &body) const
  {
    return parallel_sums<N>(n_threads, n, body);
  }
  template <typename Value>
  double maximum(const std::size_t n, const Value &value) const
  {
    return parallel_max(parts_of_loop(n_threads, n), n, value);
  }

  int n_threads;
};
} // namespace strut::cpu
