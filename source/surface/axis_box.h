// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// A box along the axes.
struct AxisBox
{
  Point low{{std::numeric_limits<double>::max(),
             std::numeric_limits<double>::max(),
             std::numeric_limits<double>::max()}};
  Point high{{std::numeric_limits<double>::lowest(),
              std::numeric_limits<double>::lowest(),
              std::numeric_limits<double>::lowest()}};

  void add(const Point &x)
  {
    for (std::size_t d = 0; d < 3; ++d)
      {
        low[d]  = std::min(low[d], x[d]);
        high[d] = std::max(high[d], x[d]);
      }
  }
  /// @param direction  components must be nonzero
  bool is_on_ray(const Point &begin, const Point &direction) const
  {
    double first = 0., last = std::numeric_limits<double>::max();
    for (std::size_t d = 0; d < 3; ++d)
      {
        const double a = (low[d] - begin[d]) / direction[d],
                     b = (high[d] - begin[d]) / direction[d];
        first          = std::max(first, std::min(a, b));
        last           = std::min(last, std::max(a, b));
      }
    return first <= last;
  }
  /// The squared distance of a point from the box; 0 inside.
  double squared_distance(const Point &x) const
  {
    double sum = 0.;
    for (std::size_t d = 0; d < 3; ++d)
      {
        const double beside = std::max({low[d] - x[d], 0., x[d] - high[d]});
        sum += beside * beside;
      }
    return sum;
  }
  bool meets(const AxisBox &other) const
  {
    for (std::size_t d = 0; d < 3; ++d)
      if (low[d] > other.high[d] || other.low[d] > high[d])
        return false;
    return true;
  }
};
} // namespace strut
