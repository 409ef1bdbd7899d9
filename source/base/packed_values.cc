// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include <algorithm>

#include "source/base/filled_vector.h"
#include "source/base/packed_values.h"
#include "source/base/parallel_loop.h"

namespace strut
{
PackedValues to_packed(const std::vector<double> &values, const std::size_t n)
{
  constexpr double most = 2147483647.;
  const int n_threads   = cpu::default_n_threads();
  const double largest =
    cpu::parallel_max(cpu::parts_of_loop(n_threads, n), n, [&](const std::size_t i) {
      return std::abs(values[i]);
    });
  PackedValues packed{PackedValues::unit_for(largest),
                      cpu::filled_vector<std::int32_t>(n_threads, n)};
  cpu::parallel_for(n_threads, n, [&](const std::size_t i) {
    const double multiple = std::rint(values[i] / packed.unit);
    packed.multiples[i]   = static_cast<std::int32_t>(std::fmax(-most, std::fmin(multiple, most)));
  });
  return packed;
}

std::vector<double> to_doubles(const PackedValues &packed)
{
  const int n_threads        = cpu::default_n_threads();
  const std::size_t n        = packed.multiples.size();
  std::vector<double> values = cpu::filled_vector<double>(n_threads, n);
  cpu::parallel_for(n_threads, n, [&](const std::size_t i) {
    values[i] = packed.unit * packed.multiples[i];
  });
  return values;
}
} // namespace strut
