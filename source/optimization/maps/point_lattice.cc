// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/maps/mirror_images.h"

#include <strut/backend/neighbourhood.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace strut
{
namespace
{
/// Of the spacing, how far a point may be from its place: more than rounding moves it, and no more than moves a mean.
constexpr double tolerance = 1e-10;

/// The places of one direction.
struct Places
{
  double first = 0., spacing = 1.;
  double n = 1.; ///< a count that may be too large for an integer

  Places(const double *const begin, const double *const end)
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

  /// Of a point with this coordinate; -1 if it is beside the places.
  std::int64_t number(const double x) const
  {
    const double place = (x - first) / spacing, nearest = std::round(place);
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

  const double *const x = points.data(), *const y = x + n_points, *const z = y + n_points;
  const Places in_x(x, y), in_y(y, z), in_z(z, z + n_points);
  if (!(in_x.n * in_y.n * in_z.n <= 2. * static_cast<double>(n_points)))
    return {};

  PointLattice lattice;
  lattice.radius  = radius;
  lattice.spacing = {{in_x.spacing, in_y.spacing, in_z.spacing}};
  lattice.n       = {{static_cast<std::int32_t>(in_x.n),
                      static_cast<std::int32_t>(in_y.n),
                      static_cast<std::int32_t>(in_z.n)}};
  const auto n0   = static_cast<std::size_t>(lattice.n[0]),
             n1   = static_cast<std::size_t>(lattice.n[1]);
  lattice.points.assign(n0 * n1 * static_cast<std::size_t>(lattice.n[2]), nothing);
  for (std::size_t p = 0; p < n_points; ++p)
    {
      const std::int64_t i = in_x.number(x[p]), j = in_y.number(y[p]), k = in_z.number(z[p]);
      if (i < 0 || j < 0 || k < 0)
        return {};
      std::uint32_t &point =
        lattice.points[static_cast<std::size_t>(i) +
                       n0 * (static_cast<std::size_t>(j) + n1 * static_cast<std::size_t>(k))];
      if (point != nothing)
        return {};
      point = has_images ? all.numbers[p] : static_cast<std::uint32_t>(p);
    }
  return lattice;
}
} // namespace strut
