// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/maps/mirror_images.h"
#include "source/backend/neighbourhood.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace strut
{
namespace
{
/// The function x -> sign x + shift.
struct Reflection
{
  double sign = 1., shift = 0.;

  double operator()(const double x) const
  {
    return sign * x + shift;
  }
};

/// Returns the identity, then the images in one direction that are within the radius of [lower,
/// upper]. These are the image behind one plane, or the repeated images between two planes.
std::vector<Reflection> reflections(const std::vector<SymmetryPlane> &planes,
                                    const unsigned int direction,
                                    const double lower,
                                    const double upper,
                                    const double radius)
{
  std::vector<Reflection> images(1);
  for (std::size_t k = 0; k < images.size(); ++k)
    for (const SymmetryPlane &plane : planes)
      {
        if (plane.normal != direction)
          continue;
        const Reflection image{-images[k].sign, 2. * plane.value - images[k].shift};
        const double a = image(lower), b = image(upper);
        const bool is_new = std::none_of(images.begin(), images.end(), [&](const auto &other) {
          return other.sign == image.sign && std::abs(other.shift - image.shift) < 1e-9 * radius;
        });
        if (is_new && std::min(a, b) <= upper + radius && std::max(a, b) >= lower - radius)
          images.push_back(image);
      }
  return images;
}

} // namespace

PointsAndImages add_images(const std::vector<double> &points,
                           const std::size_t n_points,
                           const double radius,
                           const std::vector<SymmetryPlane> &planes)
{
  std::array<double, 3> lower{}, upper{};
  std::array<std::vector<Reflection>, 3> images;
  for (unsigned int d = 0; d < 3; ++d)
    {
      const auto begin       = points.begin() + d * n_points;
      const auto [low, high] = std::minmax_element(begin, begin + n_points);
      lower[d]               = *low;
      upper[d]               = *high;
      images[d]              = reflections(planes, d, lower[d], upper[d], radius);
    }

  std::array<std::vector<double>, 3> added;
  std::vector<std::uint32_t> numbers(n_points);
  std::iota(numbers.begin(), numbers.end(), 0u);
  for (std::size_t image = 1; image < images[0].size() * images[1].size() * images[2].size();
       ++image)
    {
      const std::array<Reflection, 3> reflection = {
        {images[0][image % images[0].size()],
         images[1][image / images[0].size() % images[1].size()],
         images[2][image / images[0].size() / images[1].size()]}};
      for (std::size_t p = 0; p < n_points; ++p)
        {
          std::array<double, 3> place{};
          bool is_near = true;
          for (std::size_t d = 0; d < 3; ++d)
            {
              place[d] = reflection[d](points[d * n_points + p]);
              is_near  = is_near && place[d] >= lower[d] - radius && place[d] <= upper[d] + radius;
            }
          if (!is_near)
            continue;
          for (std::size_t d = 0; d < 3; ++d)
            added[d].push_back(place[d]);
          numbers.push_back(static_cast<std::uint32_t>(p) | CellGrid::image_bit);
        }
    }

  PointsAndImages all;
  all.coordinates.reserve(3 * numbers.size());
  for (std::size_t d = 0; d < 3; ++d)
    {
      const auto begin = points.begin() + static_cast<std::ptrdiff_t>(d * n_points);
      all.coordinates.insert(all.coordinates.end(),
                             begin,
                             begin + static_cast<std::ptrdiff_t>(n_points));
      all.coordinates.insert(all.coordinates.end(), added[d].begin(), added[d].end());
    }
  all.numbers = std::move(numbers);
  return all;
}
} // namespace strut
