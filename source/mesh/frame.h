// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace strut
{
inline double dot(const std::array<double, 3> &a, const std::array<double, 3> &b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// A unit vector and two more, all orthogonal. If the first one is along an axis, so are the
/// others.
struct Frame
{
  std::array<double, 3> axis, first, second;

  explicit Frame(const std::array<double, 3> &direction) : axis(direction)
  {
    // Gram-Schmidt, from the axis that is farthest from the direction
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

/// The unit vector in the direction of three numbers.
///
/// @param whose  "The normal of the map 'mirror'", for the error
inline std::array<double, 3> unit_vector(const std::vector<double> &numbers,
                                         const std::string &whose)
{
  const double length = numbers.size() == 3 ? std::hypot(numbers[0], numbers[1], numbers[2]) : 0.;
  if (!(length > 0.) || !std::isfinite(length))
    throw Error(whose + " takes three numbers, not all of them 0.");
  return {{numbers[0] / length, numbers[1] / length, numbers[2] / length}};
}

/// The point with these three coordinates, or `otherwise` if there are none.
inline std::array<double, 3> point_or(const std::vector<double> &numbers,
                                      const std::array<double, 3> &otherwise,
                                      const std::string &whose)
{
  if (numbers.empty())
    return otherwise;
  if (numbers.size() != 3)
    throw Error(whose + " takes three numbers, or none for the middle of the mesh's box.");
  return {{numbers[0], numbers[1], numbers[2]}};
}
} // namespace strut
