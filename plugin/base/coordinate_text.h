// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace strut
{
constexpr int digits_of_double = 17;

/// Shortest text with at most so many significant digits that has the value of the text with all of
/// them.
inline std::string number_with_digits(const double number, const int digits)
{
  char text[40];
  std::snprintf(text, sizeof(text), "%.*g", std::min(digits, 15), number);
  if (digits <= 15 || std::strtod(text, nullptr) == number)
    return text;
  std::snprintf(text, sizeof(text), "%.*g", digits, number);
  return text;
}

/// Number of significant digits that distinguish places in a box as well as `digits` do in a box at
/// the origin.
/// @param farthest  the largest absolute coordinate @param extent  extent of the box
inline int digits_of_places(const int digits, const double farthest, const double extent)
{
  const double more = extent > 0. ? std::ceil(std::log10(farthest / extent) - 1e-9) : 0.;
  return std::clamp(digits + static_cast<int>(std::clamp(more, 0., 20.)), 1, digits_of_double);
}

/// Text of a coordinate for messages: six significant digits, or three decimals if more digits come
/// before the point.
inline std::string coordinate_text(const double x)
{
  const double size = std::abs(x);
  return number_with_digits(x,
                            std::isfinite(x) ? digits_of_places(6, size, 1e3) : digits_of_double);
}

/// digits_of_places() of the box with these corners.
template <typename Place>
int digits_in_box(const int digits, const Place &low, const Place &high)
{
  double farthest = 0., extent = 0.;
  for (unsigned int d = 0; d < 3; ++d)
    {
      farthest = std::max({farthest, std::abs(low[d]), std::abs(high[d])});
      extent   = std::max(extent, high[d] - low[d]);
    }
  return digits_of_places(digits, farthest, extent);
}

/// Text such as "[0, 2] x [0, 1] x [0, 1]".
template <typename Place>
std::string box_text(const Place &low, const Place &high, const int digits)
{
  std::string text;
  for (unsigned int d = 0; d < 3; ++d)
    text += (d > 0 ? " x [" : "[") + number_with_digits(low[d], digits) + ", " +
            number_with_digits(high[d], digits) + ']';
  return text;
}

/// Text such as "(x, y, z)".
template <typename Place>
std::string place_text(const Place &place)
{
  return '(' + coordinate_text(place[0]) + ", " + coordinate_text(place[1]) + ", " +
         coordinate_text(place[2]) + ')';
}
} // namespace strut
