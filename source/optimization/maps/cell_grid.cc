// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/maps/mirror_images.h"

#include <strut/backend/neighbourhood.h>

#include <algorithm>
#include <cmath>
#include <numeric>

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

  // Cells of a quarter of the radius: those that the ball touches hold about twice its points. Smaller
  // cells waste less but have shorter rows.
  CellGrid grid;
  grid.radius    = radius;
  grid.cell_size = radius / 4.;
  grid.reach     = 4;

  std::array<double, 3> upper{};
  for (int d = 0; d < 3 && n_points > 0; ++d)
    {
      const auto begin  = points.begin() + d * n_points;
      const auto bounds = std::minmax_element(begin, begin + n_points);
      grid.origin[d]    = *bounds.first;
      upper[d]          = *bounds.second;
    }

  // A tiny radius must not ask for more cells than there are points to put into them.
  const auto n_cells = [&]() {
    double product = 1.;
    for (int d = 0; d < 3; ++d)
      product *= std::floor((upper[d] - grid.origin[d]) / grid.cell_size) + 1.;
    return product;
  };
  while (n_cells() > 8. * std::max<std::size_t>(n_points, 1))
    {
      grid.cell_size *= 2.;
      grid.reach = std::max(grid.reach / 2, 1);
    }
  for (int d = 0; d < 3; ++d)
    grid.n[d] =
      static_cast<std::int32_t>(std::floor((upper[d] - grid.origin[d]) / grid.cell_size)) + 1;

  const std::size_t total = std::size_t(grid.n[0]) * grid.n[1] * grid.n[2];
  std::vector<std::uint32_t> cell(n_points);
  grid.cell_begin.assign(total + 1, 0);
  for (std::size_t p = 0; p < n_points; ++p)
    {
      const std::size_t i = grid.cell_of(points[p], 0);
      const std::size_t j = grid.cell_of(points[n_points + p], 1);
      const std::size_t k = grid.cell_of(points[2 * n_points + p], 2);
      cell[p] = static_cast<std::uint32_t>(i + grid.n[0] * (j + std::size_t(grid.n[1]) * k));
      ++grid.cell_begin[cell[p] + 1];
    }
  std::partial_sum(grid.cell_begin.begin(), grid.cell_begin.end(), grid.cell_begin.begin());

  grid.points.resize(n_points);
  grid.coordinates.resize(3 * n_points);
  std::vector<std::uint32_t> next(grid.cell_begin.begin(), grid.cell_begin.end() - 1);
  for (std::size_t p = 0; p < n_points; ++p)
    {
      const std::uint32_t s = next[cell[p]]++;
      grid.points[s]        = has_images ? all.numbers[p] : static_cast<std::uint32_t>(p);
      for (int d = 0; d < 3; ++d)
        grid.coordinates[d * n_points + s] = points[d * n_points + p];
    }
  return grid;
}
} // namespace strut
