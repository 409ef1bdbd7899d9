// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/backend_parts.h"
#include "source/base/team.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>

namespace strut::cpu
{
namespace
{
// independent chains, so that latency is hidden: 12 registers of 8 lanes
constexpr int n_chains          = 96;
constexpr double shortest_time  = 0.01; // seconds: the start of the threads is negligible
constexpr int n_repeats         = 5;
constexpr std::size_t first_try = 20000;

/// Repeats x_i <- a x_i + b; returns a value that depends on all steps.
template <typename Number>
Number multiply_add(const Number a, const Number b, const std::size_t n_steps)
{
  Number x[n_chains];
  for (int i = 0; i < n_chains; ++i)
    x[i] = Number(i);
  for (std::size_t k = 0; k < n_steps; ++k)
#pragma GCC unroll 96
    for (int i = 0; i < n_chains; ++i)
      x[i] = a * x[i] + b;
  Number sum = 0;
  for (int i = 0; i < n_chains; ++i)
    sum += x[i];
  return sum;
}

/// Seconds for n_steps steps of all chains on each thread.
template <typename Number>
double time_steps(const int n_threads, const std::size_t n_steps)
{
  using Clock       = std::chrono::steady_clock;
  volatile Number a = Number(0.999);
  std::atomic<Number> out{0}; // keeps the compiler from removing the work
  const auto start = Clock::now();
  run_parts(n_threads, [&](int) { out = multiply_add<Number>(a, Number(1) - a, n_steps); });
  return std::chrono::duration<double>(Clock::now() - start).count();
}

template <typename Number>
double measure(const int n_threads)
{
  std::size_t n_steps = first_try;
  double seconds      = time_steps<Number>(n_threads, n_steps);
  while (seconds < shortest_time)
    seconds = time_steps<Number>(n_threads, n_steps *= 2);
  for (int i = 0; i < n_repeats; ++i)
    seconds = std::min(seconds, time_steps<Number>(n_threads, n_steps));
  return 2. * n_chains * static_cast<double>(n_steps) * n_threads / seconds;
}
} // namespace

double measure_flops(const Precision precision, const int n_threads)
{
  return precision == Precision::fp64 ? measure<double>(n_threads) : measure<float>(n_threads);
}
} // namespace strut::cpu
