// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cpu_backend.h"

#include <chrono>

namespace strut::cpu
{
namespace
{
constexpr int n_chains     = 96; // independent, so that latency hides: 12 registers of 8 lanes
constexpr int n_per_call   = 20000;
constexpr double long_time = 0.05; // seconds

/// x_i <- a x_i + b, again and again; returns something that depends on all of it.
template <typename Number>
Number multiply_add(const Number a, const Number b)
{
  Number x[n_chains];
  for (int i = 0; i < n_chains; ++i)
    x[i] = Number(i);
  for (int k = 0; k < n_per_call; ++k)
#pragma GCC unroll 96
    for (int i = 0; i < n_chains; ++i)
      x[i] = a * x[i] + b;
  Number sum = 0;
  for (int i = 0; i < n_chains; ++i)
    sum += x[i];
  return sum;
}

template <typename Number>
double measure(const int n_threads)
{
  using Clock         = std::chrono::steady_clock;
  volatile Number a   = Number(0.999);
  volatile Number out = 0;
  double best         = 0;
  const auto begin    = Clock::now();
  do
    {
      const auto start = Clock::now();
      Number sum       = 0;
#pragma omp parallel for num_threads(n_threads) reduction(+ : sum)
      for (int t = 0; t < n_threads; ++t)
        sum += multiply_add<Number>(a, Number(1) - a);
      out                  = sum;
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      best                 = std::max(best, 2. * n_chains * n_per_call * n_threads / seconds);
  } while (std::chrono::duration<double>(Clock::now() - begin).count() < long_time);
  static_cast<void>(out);
  return best;
}
} // namespace

double CpuBackend::measure_flops(const Precision precision) const
{
  return precision == Precision::fp64 ? measure<double>(n_threads_) : measure<float>(n_threads_);
}
} // namespace strut::cpu
