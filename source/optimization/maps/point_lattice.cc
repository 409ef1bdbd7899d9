// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/maps/mirror_images.h"

#include <strut/backend/neighbourhood.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace strut
{
namespace
{
/// Of the spacing, how far a point may be from its place: more than rounding moves it, and no more than moves a mean.
constexpr double tolerance = 1e-10;

/// The places of one direction.
struct Direction
{
  const double *coordinates;
  double first = 0., spacing = 1.;
  double n = 1.; ///< a count that may be too large for an integer

  Direction(const double *const begin, const double *const end) : coordinates(begin)
  {
    const auto [low, high] = std::minmax_element(begin, end);
    const double length    = *high - *low;
    first                  = *low;
    double next            = length; // from the first place to the next one
    for (const double *x = begin; x != end; ++x)
      if (const double distance = *x - first; distance > 1e-9 * length)
        next = std::min(next, distance);
    if (!(length > 0.))
      return;
    n       = std::round(length / next) + 1.;
    spacing = length / (n - 1.);
  }

  /// Of a point; -1 if it is beside the places.
  std::int64_t place(const std::size_t point) const
  {
    const double place = (coordinates[point] - first) / spacing, nearest = std::round(place);
    return std::abs(place - nearest) <= tolerance ? static_cast<std::int64_t>(nearest) : -1;
  }
};
} // namespace

std::optional<PointLattice> PointLattice::find(const std::vector<double> &originals,
                                               const std::size_t n_originals,
                                               const double radius,
                                               const std::vector<SymmetryPlane> &planes)
{
  if (n_originals == 0)
    return {};
  const bool has_images = !planes.empty();
  const PointsAndImages all =
    has_images ? add_images(originals, n_originals, radius, planes) : PointsAndImages{};
  const std::vector<double> &points = has_images ? all.coordinates : originals;
  const std::size_t n_points        = has_images ? all.numbers.size() : n_originals;

  // The longest direction comes first and the next one last, as a GPU wants them, whatever they are called.
  std::vector<Direction> directions;
  for (std::size_t d = 0; d < 3; ++d)
    directions.emplace_back(points.data() + d * n_points, points.data() + (d + 1) * n_points);
  std::stable_sort(directions.begin(), directions.end(), [](const auto &a, const auto &b) {
    return a.n > b.n;
  });
  std::swap(directions[1], directions[2]);
  if (!(directions[0].n * directions[1].n * directions[2].n <= 2. * static_cast<double>(n_points)))
    return {};

  PointLattice lattice;
  lattice.radius = radius;
  for (std::size_t d = 0; d < 3; ++d)
    {
      lattice.spacing[d] = directions[d].spacing;
      lattice.n[d]       = static_cast<std::int32_t>(directions[d].n);
    }
  const auto n0 = static_cast<std::size_t>(lattice.n[0]),
             n1 = static_cast<std::size_t>(lattice.n[1]);
  lattice.points.assign(n0 * n1 * static_cast<std::size_t>(lattice.n[2]), nothing);
  for (std::size_t p = 0; p < n_points; ++p)
    {
      std::array<std::size_t, 3> place;
      for (std::size_t d = 0; d < 3; ++d)
        if (const std::int64_t number = directions[d].place(p); number < 0)
          return {};
        else
          place[d] = static_cast<std::size_t>(number);
      std::uint32_t &point = lattice.points[place[0] + n0 * (place[1] + n1 * place[2])];
      if (point != nothing)
        return {};
      point = has_images ? all.numbers[p] : static_cast<std::uint32_t>(p);
    }
  return lattice;
}
} // namespace strut
