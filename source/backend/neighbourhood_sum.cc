// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/backend_parts.h"
#include "source/base/parallel_loop.h"

#include <cmath>

namespace strut::cpu
{
namespace
{
/// NeighbourhoodSum with threads of the host: each target walks the rows of grid cells around it.
class CpuNeighbourhoodSum : public NeighbourhoodSum
{
public:
  CpuNeighbourhoodSum(const CellGrid &grid, const std::size_t n_targets, const int n_threads)
    : grid_(grid), n_targets_(n_targets), n_threads_(n_threads)
  {}

  void mean(const Array<double> &in, Array<double> &out, Array<double> *) const override
  {
    walk(in, out, [](const double sum, const double weights) { return sum / weights; });
  }

  void sum(const Array<double> &in, Array<double> &out) const override
  {
    walk(in, out, [](const double sum, double) { return sum; });
  }

private:
  /// @param finish  maps (sum, weights) to the result
  template <typename Finish>
  void walk(const Array<double> &in, Array<double> &out, const Finish &finish) const
  {
    const std::size_t n_points = grid_.points.size();
    const double *const x      = grid_.coordinates.data();
    const double *const y      = x + n_points;
    const double *const z      = y + n_points;
    const double radius        = grid_.radius;

    const float radius_in_cells_squared = grid_.radius_in_cells_squared();

    // Sort the values into the order of the grid, so that the inner loops read contiguously.
    std::vector<double> sorted(n_points);
    for (std::size_t s = 0; s < n_points; ++s)
      sorted[s] = in.data()[CellGrid::value_index(grid_.points[s])];

    const auto set_target = [&](const std::size_t t) {
      if (grid_.points[t] >= n_targets_)
        return;
      const double px = x[t], py = y[t], pz = z[t];
      const auto place = [&](const double coordinate, const int d) {
        return CellGrid::place_of(coordinate, grid_.origin[d], grid_.cell_size, grid_.n[d]);
      };
      const CellGrid::Place in_x = place(px, 0), in_y = place(py, 1), in_z = place(pz, 2);
      const CellGrid::Run rows   = CellGrid::cells_around(in_y, grid_.reach, grid_.n[1]);
      const CellGrid::Run layers = CellGrid::cells_around(in_z, grid_.reach, grid_.n[2]);

      double sum = 0, weights = 0;
      for (std::int32_t k = layers.first; k <= layers.last; ++k)
        for (std::int32_t j = rows.first; j <= rows.last; ++j)
          {
            // The part of the row that the ball can reach.
            const CellGrid::Run run =
              CellGrid::cells_in_ball(in_x,
                                      radius_in_cells_squared -
                                        CellGrid::squared_distance(in_y, j) -
                                        CellGrid::squared_distance(in_z, k),
                                      grid_.n[0]);
            if (run.first > run.last)
              continue;
            const std::size_t row   = std::size_t(grid_.n[0]) * (j + std::size_t(grid_.n[1]) * k);
            const std::size_t begin = grid_.cell_begin[row + run.first];
            const std::size_t end   = grid_.cell_begin[row + run.last + 1];
#pragma omp simd reduction(+ : sum, weights)
            for (std::size_t s = begin; s < end; ++s)
              {
                const double dx = x[s] - px, dy = y[s] - py, dz = z[s] - pz;
                const double inside = radius - std::sqrt(dx * dx + dy * dy + dz * dz);
                const double weight = inside > 0. ? inside : 0.;
                sum += weight * sorted[s];
                weights += weight;
              }
          }
      out.data()[grid_.points[t]] = finish(sum, weights);
    };
    parallel_blocks(n_threads_, n_points, 64, [&](const std::size_t begin, const std::size_t end) {
      for (std::size_t t = begin; t < end; ++t)
        set_target(t);
    });
  }

  const CellGrid grid_;
  const std::size_t n_targets_;
  const int n_threads_;
};
} // namespace

std::unique_ptr<NeighbourhoodSum>
make_neighbourhood_sum(const CellGrid &grid, const std::size_t n_targets, const int n_threads)
{
  return std::make_unique<CpuNeighbourhoodSum>(grid, n_targets, n_threads);
}
} // namespace strut::cpu
