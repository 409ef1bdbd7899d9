// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/neighbourhood.h"
#include "source/base/filled_vector.h"
#include "source/optimization/maps/mirror_images.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

namespace strut
{
namespace
{
/// Largest distance of a point from its place, as a share of the spacing. It is more than rounding,
/// and too little to change a mean.
constexpr double tolerance = 1e-10;

/// The places along one direction.
struct Direction
{
  const double *coordinates;
  double first = 0., spacing = 1.;
  double n = 1.; ///< number of places, which may be too large for an integer

  Direction(const double *const all, const std::size_t n_points, const int n_threads)
    : coordinates(all)
  {
    const auto extremes =
      cpu::values_of_blocks(n_threads, n_points, [&](const std::size_t b, const std::size_t e) {
        const auto [low, high] = std::minmax_element(all + b, all + e);
        return std::make_pair(*low, *high);
      });
    double last = first = *all;
    for (const auto &[low, high] : extremes)
      {
        first = std::min(first, low);
        last  = std::max(last, high);
      }
    const double length = last - first;
    const auto nearest =
      cpu::values_of_blocks(n_threads, n_points, [&](const std::size_t b, const std::size_t e) {
        double next = length; // Distance from the first place to the next one.
        for (std::size_t i = b; i < e; ++i)
          if (const double distance = all[i] - first; distance > 1e-9 * length)
            next = std::min(next, distance);
        return next;
      });
    const double next = *std::min_element(nearest.begin(), nearest.end());
    if (!(length > 0.))
      return;
    n       = std::round(length / next) + 1.;
    spacing = length / (n - 1.);
  }

  /// Returns the place of a point; -1 if the point is beside the places.
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

  // The longest direction comes first and the next one last, whatever their axes. A GPU is fastest
  // with this order.
  const int n_threads = cpu::default_n_threads();
  std::vector<Direction> directions;
  for (std::size_t d = 0; d < 3; ++d)
    directions.emplace_back(points.data() + d * n_points, n_points, n_threads);
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
  lattice.points =
    cpu::filled_vector<std::uint32_t>(n_threads,
                                      n0 * n1 * static_cast<std::size_t>(lattice.n[2]),
                                      nothing);
  std::atomic<bool> all_fit{true};
  cpu::parallel_for(n_threads, n_points, [&](const std::size_t p) {
    std::array<std::int64_t, 3> place;
    for (std::size_t d = 0; d < 3; ++d)
      place[d] = directions[d].place(p);
    if (place[0] < 0 || place[1] < 0 || place[2] < 0)
      {
        all_fit.store(false, std::memory_order_relaxed);
        return;
      }
    std::uint32_t &point = lattice.points[static_cast<std::size_t>(place[0]) +
                                          n0 * (static_cast<std::size_t>(place[1]) +
                                                n1 * static_cast<std::size_t>(place[2]))];
    __atomic_store_n(&point, // Another point may be at this place.
                     has_images ? all.numbers[p] : static_cast<std::uint32_t>(p),
                     __ATOMIC_RELAXED);
  });
  const double n_taken =
    cpu::parallel_sum(n_threads, lattice.points.size(), [&](const std::size_t place) {
      return lattice.points[place] == nothing ? 0. : 1.;
    });
  if (!all_fit || n_taken < static_cast<double>(n_points))
    return {};
  return lattice;
}
} // namespace strut
