// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/mesh/ordering.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace strut
{
namespace
{
constexpr int bits = 20; // bits per direction: 60 bits of key

/// Position of an integer point along the curve (Skilling 2004, "Programming the Hilbert curve",
/// axes to transpose, then interleaved).
std::uint64_t hilbert_key(std::array<std::uint32_t, 3> x)
{
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1)
    {
      const std::uint32_t p = q - 1;
      for (int i = 0; i < 3; ++i)
        if (x[i] & q)
          x[0] ^= p;
        else
          {
            const std::uint32_t t = (x[0] ^ x[i]) & p;
            x[0] ^= t;
            x[i] ^= t;
          }
    }
  x[1] ^= x[0];
  x[2] ^= x[1];
  std::uint32_t t = 0;
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1)
    if (x[2] & q)
      t ^= q - 1;

  std::uint64_t key = 0;
  for (int b = bits - 1; b >= 0; --b)
    for (int i = 0; i < 3; ++i)
      key = (key << 1) | (((x[i] ^ t) >> b) & 1);
  return key;
}
} // namespace

std::vector<std::uint32_t> hilbert_order(const std::vector<double> &points, const std::size_t n)
{
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  if (n == 0)
    return order;

  // One scale for all directions, so that the curve follows the shape of the domain.
  std::array<double, 3> lower{};
  double size = 0;
  for (std::size_t d = 0; d < 3; ++d)
    {
      const auto bounds = std::minmax_element(points.begin() + d * n, points.begin() + (d + 1) * n);
      lower[d]          = *bounds.first;
      size              = std::max(size, *bounds.second - *bounds.first);
    }
  const double scale = size > 0. ? ((1u << bits) - 1) / size : 0.;

  std::vector<std::uint64_t> keys(n);
  for (std::size_t p = 0; p < n; ++p)
    {
      std::array<std::uint32_t, 3> x;
      for (std::size_t d = 0; d < 3; ++d)
        x[d] = static_cast<std::uint32_t>((points[d * n + p] - lower[d]) * scale);
      keys[p] = hilbert_key(x);
    }
  std::stable_sort(order.begin(), order.end(), [&](const std::uint32_t a, const std::uint32_t b) {
    return keys[a] < keys[b];
  });
  return order;
}
} // namespace strut
