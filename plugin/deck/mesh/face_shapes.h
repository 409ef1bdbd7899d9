// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <array>
#include <cmath>

namespace strut
{
/// The bilinear shape functions of a plane quadrilateral at points in space. Vertex k is at (k & 1,
/// k >> 1).
class FaceShapes
{
public:
  FaceShapes() = default;

  explicit FaceShapes(const std::array<dealii::Point<3>, 4> &vertices)
    : origin_(vertices[0])
    , a_(vertices[1] - vertices[0])
    , b_(vertices[2] - vertices[0])
    , c_(vertices[3] - vertices[1] - b_)
  {}

  bool is_parallelogram() const
  {
    return c_.norm() <= 1e-12 * (a_.norm() + b_.norm());
  }

  std::array<double, 4> values(const dealii::Point<3> &point) const
  {
    // Newton's method for origin + r a + s b + r s c = point, in the tangent plane.
    double r = 0.5, s = 0.5;
    for (int step = 0; step < (is_parallelogram() ? 1 : 20); ++step)
      {
        const auto along_r = a_ + s * c_, along_s = b_ + r * c_;
        const auto rest  = point - origin_ - r * a_ - s * b_ - r * s * c_;
        const double rr  = along_r * along_r;
        const double rs  = along_r * along_s;
        const double ss  = along_s * along_s;
        const double det = rr * ss - rs * rs;
        const double dr  = (ss * (along_r * rest) - rs * (along_s * rest)) / det;
        const double ds  = (rr * (along_s * rest) - rs * (along_r * rest)) / det;
        r += dr;
        s += ds;
        if (std::abs(dr) + std::abs(ds) < 1e-15)
          break;
      }
    return {{(1. - r) * (1. - s), r * (1. - s), (1. - r) * s, r * s}};
  }

private:
  dealii::Point<3> origin_;
  dealii::Tensor<1, 3> a_, b_, c_;
};
} // namespace strut
