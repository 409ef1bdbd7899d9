// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/backend/hardware_rates.h"
#include "source/backend/stopwatch.h"
#include "source/base/measure.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace strut
{
namespace
{
constexpr int n_warm_up = 3;
constexpr int n_samples = 11; // the median of these

double median_seconds(Backend &backend, const std::function<void()> &work)
{
  const auto stopwatch = backend.make_stopwatch();
  std::vector<double> seconds;
  for (int i = 0; i < n_warm_up + n_samples; ++i)
    {
      stopwatch->start();
      work();
      const double time = stopwatch->stop();
      if (i >= n_warm_up)
        seconds.push_back(time);
    }
  return spread_of(seconds).median;
}

/// The faster of a copy by strut's own loop and one by the library of the memory.
double measure_copy(Backend &backend, const std::size_t n_bytes)
{
  const std::size_t n = std::min(n_bytes, backend.memory().available() / 4) / sizeof(double);
  Array<double> from(backend.memory(), n), to(backend.memory(), n);
  const auto &vectors = backend.vector_operations<double>();
  vectors.fill(n, 1., from); // touch the pages before the timing
  const double by_loop    = median_seconds(backend, [&]() { vectors.copy(n, from, to); });
  const double by_library = median_seconds(backend, [&]() { to.copy_from(from); });
  return 2. * static_cast<double>(n * sizeof(double)) / std::min(by_loop, by_library);
}
} // namespace

HardwareRates HardwareRates::measure(Backend &backend, const std::size_t n_bytes)
{
  return {measure_copy(backend, n_bytes),
          backend.measure_flops(Precision::fp64),
          backend.measure_flops(Precision::fp32)};
}

unsigned int cpu::simd_lanes(const Precision precision)
{
#if defined(__AVX512F__)
  constexpr unsigned int in_double = 8;
#elif defined(__AVX__)
  constexpr unsigned int in_double = 4;
#else
  constexpr unsigned int in_double = 2;
#endif
  return precision == Precision::fp32 ? 2 * in_double : in_double;
}
} // namespace strut
