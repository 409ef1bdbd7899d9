// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace strut
{
inline double dot(const std::array<double, 3> &a, const std::array<double, 3> &b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// A unit vector and two more, all of them perpendicular to each other. Where the first is an axis, the others are axes.
struct Frame
{
  std::array<double, 3> axis, first, second;

  explicit Frame(const std::array<double, 3> &direction) : axis(direction)
  {
    // Gram and Schmidt, from the axis that is farthest from the direction
    std::size_t smallest = 0;
    for (std::size_t d = 1; d < 3; ++d)
      if (std::abs(axis[d]) < std::abs(axis[smallest]))
        smallest = d;
    std::array<double, 3> e{};
    e[smallest]         = 1.;
    const double along  = dot(e, axis);
    const double length = std::sqrt(1. - along * along);
    for (std::size_t d = 0; d < 3; ++d)
      first[d] = (e[d] - along * axis[d]) / length;
    second = {{axis[1] * first[2] - axis[2] * first[1],
               axis[2] * first[0] - axis[0] * first[2],
               axis[0] * first[1] - axis[1] * first[0]}};
  }
};
} // namespace strut
