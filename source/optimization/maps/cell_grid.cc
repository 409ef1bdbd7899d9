// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>

#include "source/backend/neighbourhood.h"
#include "source/base/begin_rows.h"
#include "source/base/filled_vector.h"
#include "source/mesh/bounding_box.h"
#include "source/optimization/maps/mirror_images.h"

namespace strut
{
CellGrid CellGrid::build(const std::vector<double> &originals,
                         const std::size_t n_originals,
                         const double radius,
                         const std::vector<SymmetryPlane> &planes)
{
  const bool has_images = !planes.empty() && n_originals > 0;
  const PointsAndImages all =
    has_images ? add_images(originals, n_originals, radius, planes) : PointsAndImages{};
  const std::vector<double> &points = has_images ? all.coordinates : originals;
  const std::size_t n_points        = has_images ? all.numbers.size() : n_originals;

  // Cells have a quarter of the radius: those that touch a ball hold about twice its points.
  // Smaller cells waste less but have shorter rows.
  CellGrid grid;
  grid.radius    = radius;
  grid.cell_size = radius / 4.;
  grid.reach     = 4;

  std::array<double, 3> upper{};
  const int n_threads = cpu::default_n_threads();
  if (n_points > 0)
    {
      const Box box = bounding_box(points, n_points);
      for (std::size_t d = 0; d < 3; ++d)
        {
          grid.origin[d] = box[d];
          upper[d]       = box[3 + d];
        }
    }

  // A tiny radius must not ask for more cells than there are points, or than can be numbered.
  const auto n_cells = [&]() {
    double product = 1.;
    for (int d = 0; d < 3; ++d)
      product *= std::floor((upper[d] - grid.origin[d]) / grid.cell_size) + 1.;
    return product;
  };
  constexpr double most_cells = std::numeric_limits<std::uint32_t>::max();
  while (n_cells() >
         std::min(8. * static_cast<double>(std::max<std::size_t>(n_points, 1)), most_cells))
    {
      grid.cell_size *= 2.;
      grid.reach = std::max(grid.reach / 2, 1);
    }
  for (int d = 0; d < 3; ++d)
    grid.n[d] =
      static_cast<std::int32_t>(std::floor((upper[d] - grid.origin[d]) / grid.cell_size)) + 1;

  // (1) The cell of each point, and the number of points of each cell.
  constexpr auto relaxed  = std::memory_order_relaxed;
  const std::size_t total = std::size_t(grid.n[0]) * grid.n[1] * grid.n[2];
  const std::unique_ptr<std::atomic<std::uint32_t>[]> next(new std::atomic<std::uint32_t>[total]);
  cpu::parallel_for(n_threads, total, [&](const std::size_t c) { next[c].store(0, relaxed); });
  std::vector<std::uint32_t> cell = cpu::filled_vector<std::uint32_t>(n_threads, n_points);
  cpu::parallel_for(n_threads, n_points, [&](const std::size_t p) {
    const std::size_t i = grid.cell_of(points[p], 0);
    const std::size_t j = grid.cell_of(points[n_points + p], 1);
    const std::size_t k = grid.cell_of(points[2 * n_points + p], 2);
    cell[p] = static_cast<std::uint32_t>(i + grid.n[0] * (j + std::size_t(grid.n[1]) * k));
    next[cell[p]].fetch_add(1, relaxed);
  });
  grid.cell_begin = cpu::filled_vector<std::uint32_t>(n_threads, total + 1);
  grid.cell_begin[total] =
    static_cast<std::uint32_t>(cpu::begin_rows(n_threads, total, next.get()));
  cpu::parallel_for(n_threads, total, [&](const std::size_t c) {
    grid.cell_begin[c] = next[c].load(relaxed);
  });

  // (2) The points of each cell, sorted, since threads finish in any order.
  grid.points = cpu::filled_vector<std::uint32_t>(n_threads, n_points);
  cpu::parallel_for(n_threads, n_points, [&](const std::size_t p) {
    grid.points[next[cell[p]].fetch_add(1, relaxed)] = static_cast<std::uint32_t>(p);
  });
  cpu::parallel_for(n_threads, total, [&](const std::size_t c) {
    std::sort(grid.points.data() + grid.cell_begin[c], grid.points.data() + grid.cell_begin[c + 1]);
  });
  grid.coordinates = cpu::filled_vector<double>(n_threads, 3 * n_points);
  cpu::parallel_for(n_threads, n_points, [&](const std::size_t s) {
    const std::size_t p = grid.points[s];
    for (std::size_t d = 0; d < 3; ++d)
      grid.coordinates[d * n_points + s] = points[d * n_points + p];
    if (has_images)
      grid.points[s] = all.numbers[p];
  });
  return grid;
}
} // namespace strut
