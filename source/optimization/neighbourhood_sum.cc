// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "neighbourhood_sum.h"

#include <algorithm>
#include <cmath>

namespace strut::cpu
{
CpuNeighbourhoodSum::CpuNeighbourhoodSum(const CellGrid &grid,
                                         const std::size_t n_targets,
                                         const int n_threads)
  : grid_(grid), n_targets_(n_targets), n_threads_(n_threads)
{}

void CpuNeighbourhoodSum::apply(const Array<double> &in, Array<double> &out) const
{
  const std::size_t n_points = grid_.points.size();
  const double *const x      = grid_.coordinates.data();
  const double *const y      = x + n_points;
  const double *const z      = y + n_points;
  const double radius        = grid_.radius;

  // Values in the order of the grid, so that the inner loops read contiguously.
  std::vector<double> sorted(n_points);
  for (std::size_t s = 0; s < n_points; ++s)
    sorted[s] = in.data()[grid_.points[s]];

#pragma omp parallel for num_threads(n_threads_) schedule(dynamic, 64)
  for (std::size_t t = 0; t < n_points; ++t)
    {
      if (grid_.points[t] >= n_targets_)
        continue;
      const double px = x[t], py = y[t], pz = z[t];
      const std::array<double, 3> p{{px, py, pz}};
      std::int32_t cell[3];
      for (int d = 0; d < 3; ++d)
        cell[d] = grid_.cell_of(p[d], d);

      const std::int32_t j0 = std::max(cell[1] - grid_.reach, 0);
      const std::int32_t j1 = std::min(cell[1] + grid_.reach, grid_.n[1] - 1);
      const std::int32_t k0 = std::max(cell[2] - grid_.reach, 0);
      const std::int32_t k1 = std::min(cell[2] + grid_.reach, grid_.n[2] - 1);

      double sum = 0;
      for (std::int32_t k = k0; k <= k1; ++k)
        for (std::int32_t j = j0; j <= j1; ++j)
          {
            // The part of the row that the ball can reach.
            const double dj = CellGrid::distance_to_cell(py, grid_.origin[1], grid_.cell_size, j);
            const double dk = CellGrid::distance_to_cell(pz, grid_.origin[2], grid_.cell_size, k);
            const double half_squared = radius * radius - dj * dj - dk * dk;
            if (half_squared <= 0.)
              continue;
            const double half       = std::sqrt(half_squared) + 1e-9 * grid_.cell_size;
            const std::int32_t i0   = grid_.cell_of(px - half, 0);
            const std::int32_t i1   = grid_.cell_of(px + half, 0);
            const std::size_t row   = std::size_t(grid_.n[0]) * (j + std::size_t(grid_.n[1]) * k);
            const std::size_t begin = grid_.cell_begin[row + i0];
            const std::size_t end   = grid_.cell_begin[row + i1 + 1];
#pragma omp simd reduction(+ : sum)
            for (std::size_t s = begin; s < end; ++s)
              {
                const double dx = x[s] - px, dy = y[s] - py, dz = z[s] - pz;
                const double weight = radius - std::sqrt(dx * dx + dy * dy + dz * dz);
                sum += (weight > 0. ? weight : 0.) * sorted[s];
              }
          }
      out.data()[grid_.points[t]] = sum;
    }
}
} // namespace strut::cpu
