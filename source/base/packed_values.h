// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// A PackedVector on the host: integer multiples of a power of two.
struct PackedValues
{
  double unit = 1.;
  std::vector<std::int32_t> multiples;

  bool empty() const
  {
    return multiples.empty();
  }

  /// The unit for numbers of at most this absolute value, which is then below 2^31 units.
  static double unit_for(const double largest)
  {
    int exponent = 0; // of the power of two above it
    if (std::isfinite(largest))
      std::frexp(largest, &exponent);
    return std::ldexp(1., exponent - 31);
  }
};

/// Packs the first n numbers as PackedVector::set() does.
PackedValues to_packed(const std::vector<double> &values, std::size_t n);

/// Returns the packed numbers, which double represents exactly.
std::vector<double> to_doubles(const PackedValues &packed);
} // namespace strut
