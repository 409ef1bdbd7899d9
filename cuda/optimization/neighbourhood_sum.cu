// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "neighbourhood_sum.h"

#include "../base/parallel_loop.cuh"

namespace strut::cuda
{
namespace
{
/// What the kernel knows of the grid; names as in CellGrid.
struct GridView
{
  double radius;
  double cell_size;
  double origin[3];
  std::int32_t n[3];
  int reach;
  const std::uint32_t *cell_begin;
  const double *coordinates; ///< `[3][n_points]`
  const std::uint32_t *points;
  std::size_t n_points;
  std::size_t n_targets;
};

constexpr int block_size = 128;

/// First and last cell to look at in one direction.
struct CellRange
{
  std::int32_t first, last;
};

__device__ CellRange cells_around(const GridView &grid, const double coordinate, const int d)
{
  const std::int32_t cell =
    CellGrid::cell_number(coordinate, grid.origin[d], grid.cell_size, grid.n[d]);
  return {cell > grid.reach ? cell - grid.reach : 0,
          cell + grid.reach < grid.n[d] ? cell + grid.reach : grid.n[d] - 1};
}

/// Formula:   out_e = sum_i max(0, radius - |x_e - x_i|) in_i over all points i of the grid
/// Layout:    points, coordinates and summands sorted by cell; a row of cells along x is one run
/// Threads:   one per point, in the order of the grid, so that the threads of a warp sit in the same
///            or neighbouring cells and read the same runs; those that are no target have no work
/// Bytes:     per target, 24 for each point in the cells that the ball touches and 8 for each in the
///            ball, nearly all from the caches; at a radius of 5 elements about 900 and 490 points
/// Flops:     per target, 8 for each point looked at, and a root and 3 for each in the ball, in double
/// Determinism: each thread sums in the order of the grid
__global__ void __launch_bounds__(block_size)
  neighbourhood_sum_kernel(const GridView grid, const double *__restrict__ sorted, double *out)
{
  const std::size_t t = thread_number();
  if (t >= grid.n_points || grid.points[t] >= grid.n_targets)
    return;

  const double *const x = grid.coordinates;
  const double *const y = x + grid.n_points;
  const double *const z = y + grid.n_points;
  const double px = x[t], py = y[t], pz = z[t];

  const CellRange j           = cells_around(grid, py, 1);
  const CellRange k           = cells_around(grid, pz, 2);
  const double radius_squared = grid.radius * grid.radius;
  double sum                  = 0.;
  for (std::int32_t ck = k.first; ck <= k.last; ++ck)
    for (std::int32_t cj = j.first; cj <= j.last; ++cj)
      {
        // The part of the row that the ball can reach.
        const double dj = CellGrid::distance_to_cell(py, grid.origin[1], grid.cell_size, cj);
        const double dk = CellGrid::distance_to_cell(pz, grid.origin[2], grid.cell_size, ck);
        const double half_squared = radius_squared - dj * dj - dk * dk;
        if (half_squared <= 0.)
          continue;
        const double half = sqrt(half_squared) + 1e-9 * grid.cell_size;
        const std::int32_t first =
          CellGrid::cell_number(px - half, grid.origin[0], grid.cell_size, grid.n[0]);
        const std::int32_t last =
          CellGrid::cell_number(px + half, grid.origin[0], grid.cell_size, grid.n[0]);
        const std::size_t row     = std::size_t(grid.n[0]) * (cj + std::size_t(grid.n[1]) * ck);
        const std::uint32_t begin = grid.cell_begin[row + first];
        const std::uint32_t end   = grid.cell_begin[row + last + 1];
        for (std::uint32_t s = begin; s < end; ++s)
          {
            const double dx = x[s] - px, dy = y[s] - py, dz = z[s] - pz;
            const double distance_squared = dx * dx + dy * dy + dz * dz;
            if (distance_squared < radius_squared)
              sum += (grid.radius - sqrt(distance_squared)) * sorted[s];
          }
      }
  out[grid.points[t]] = sum;
}
} // namespace

CudaNeighbourhoodSum::CudaNeighbourhoodSum(const Context &context,
                                           Memory &memory,
                                           const CellGrid &grid,
                                           const std::size_t n_targets)
  : context_(context)
  , n_targets_(n_targets)
  , radius_(grid.radius)
  , cell_size_(grid.cell_size)
  , origin_{grid.origin[0], grid.origin[1], grid.origin[2]}
  , n_cells_{grid.n[0], grid.n[1], grid.n[2]}
  , reach_(grid.reach)
  , cell_begin_(memory, grid.cell_begin)
  , coordinates_(memory, grid.coordinates)
  , points_(memory, grid.points)
  , sorted_(memory, grid.points.size())
{}

void CudaNeighbourhoodSum::apply(const Array<double> &in, Array<double> &out) const
{
  const std::size_t n_points = points_.size();
  if (n_points == 0)
    return;

  // (1) The summands in the order of the grid, so that the inner loop reads contiguously.
  const std::uint32_t *const points = points_.data();
  const double *const ins           = in.data();
  double *const sorted              = sorted_.data();
  parallel_for(context_, n_points, [=] __device__(const std::size_t s) {
    sorted[s] = ins[points[s]];
  });

  // (2) The sums.
  const GridView grid = {radius_,
                         cell_size_,
                         {origin_[0], origin_[1], origin_[2]},
                         {n_cells_[0], n_cells_[1], n_cells_[2]},
                         reach_,
                         cell_begin_.data(),
                         coordinates_.data(),
                         points,
                         n_points,
                         n_targets_};
  neighbourhood_sum_kernel<<<n_blocks(n_points, block_size), block_size, 0, context_.activate()>>>(
    grid, sorted, out.data());
  STRUT_CUDA_CHECK_LAUNCH("neighbourhood_sum_kernel");
}
} // namespace strut::cuda
