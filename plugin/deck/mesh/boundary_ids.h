// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/types.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace strut
{
/// A plane normal to a coordinate axis.
struct AxisPlane
{
  unsigned int axis;
  double position;
};

/// Returns the number of the plane that a point is on. The nearest plane counts, because of
/// rounding.
inline dealii::types::boundary_id plane_at(const dealii::Point<3> &point,
                                           const std::initializer_list<AxisPlane> planes)
{
  const auto distance = [&](const AxisPlane &plane) {
    return std::abs(point[plane.axis] - plane.position);
  };
  const auto *const nearest =
    std::min_element(planes.begin(), planes.end(), [&](const AxisPlane &a, const AxisPlane &b) {
      return distance(a) < distance(b);
    });
  return static_cast<dealii::types::boundary_id>(nearest - planes.begin());
}
} // namespace strut
