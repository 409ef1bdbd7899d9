// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"
#include "cuda/base/thrust_policy.cuh"

#include <thrust/gather.h>
#include <thrust/iterator/transform_iterator.h>

namespace strut::cuda
{
namespace
{
/// The kernel's view of the grid, with the names of CellGrid.
struct GridView
{
  double radius;
  double cell_size;
  double origin[3];
  std::int32_t n[3];
  int reach;
  float radius_in_cells_squared;
  const std::uint32_t *cell_begin;
  const double *coordinates; ///< `[3][n_points]`
  const std::uint32_t *points;
  std::size_t n_points;
  std::size_t n_targets;
};

constexpr int block_size = 128;

__device__ CellGrid::Place place_of(const GridView &grid, const double coordinate, const int d)
{
  return CellGrid::place_of(coordinate, grid.origin[d], grid.cell_size, grid.n[d]);
}

/// Returns the root of a positive number. The hardware's approximation of its reciprocal (20 bits)
/// is improved by one step of third order to 60 bits. This takes a third of the instructions of
/// sqrt().
__device__ double fast_root(const double x)
{
  double r;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
  const double root  = x * r;
  const double error = fma(-root, r, 1.); // Now root = sqrt(x) (1 - error)^(1/2).
  return fma(fma(0.375, error, 0.5) * error, root, root);
}

/// Formula:   out_e = sum_i w_ei in_i, w_ei = max(0, radius - |x_e - x_i|), over all points i of
///            the grid; divided by sum_i w_ei if `normalised`.
/// Layout:    points, coordinates and summands sorted by cell; a row of cells along x is one run.
/// Threads:   one per point, in the order of the grid, so that the threads of a warp sit in the
///            same or neighbouring cells and read the same runs; threads of points that are no
///            target, such as mirror images, do nothing.
/// Bytes:     per target, 24 for each point in the cells that the ball touches and 8 for each in
///            the ball, nearly all from the caches; at a radius of 5 elements about 900 and 490
///            points.
/// Flops:     per target, 9 for each point examined, and 13 for each in the ball, in double.
/// Determinism: each thread sums in the order of the grid.
template <bool normalised>
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

  const CellGrid::Place in_x  = place_of(grid, px, 0);
  const CellGrid::Place in_y  = place_of(grid, py, 1);
  const CellGrid::Place in_z  = place_of(grid, pz, 2);
  const CellGrid::Run rows    = CellGrid::cells_around(in_y, grid.reach, grid.n[1]);
  const CellGrid::Run layers  = CellGrid::cells_around(in_z, grid.reach, grid.n[2]);
  const double radius_squared = grid.radius * grid.radius;
  // It is added to the square of a distance, so that the root has a reciprocal. It changes no
  // distance but 0.
  const double tiny = 1e-36 * radius_squared;
  double sum = 0., weights = 0.;
  for (std::int32_t k = layers.first; k <= layers.last; ++k)
    for (std::int32_t j = rows.first; j <= rows.last; ++j)
      {
        // The part of the row that the ball can reach.
        const CellGrid::Run run = CellGrid::cells_in_ball(in_x,
                                                          grid.radius_in_cells_squared -
                                                            CellGrid::squared_distance(in_y, j) -
                                                            CellGrid::squared_distance(in_z, k),
                                                          grid.n[0]);
        if (run.first > run.last)
          continue;
        const std::size_t row     = std::size_t(grid.n[0]) * (j + std::size_t(grid.n[1]) * k);
        const std::uint32_t begin = grid.cell_begin[row + run.first];
        const std::uint32_t end   = grid.cell_begin[row + run.last + 1];
        for (std::uint32_t s = begin; s < end; ++s)
          {
            const double dx = x[s] - px, dy = y[s] - py, dz = z[s] - pz;
            const double distance_squared = fma(dx, dx, fma(dy, dy, fma(dz, dz, tiny)));
            if (distance_squared < radius_squared)
              {
                const double weight = grid.radius - fast_root(distance_squared);
                sum += weight * sorted[s];
                weights += weight;
              }
          }
      }
  out[grid.points[t]] = normalised ? sum / weights : sum;
}

/// Returns the index of the value of a point.
struct ValueIndex
{
  __device__ std::uint32_t operator()(const std::uint32_t point) const
  {
    return CellGrid::value_index(point);
  }
};

/// NeighbourhoodSum on one device: one thread per target walks the rows of grid cells around it.
class CudaNeighbourhoodSum : public NeighbourhoodSum
{
public:
  CudaNeighbourhoodSum(const Context &context,
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
    , radius_in_cells_squared_(grid.radius_in_cells_squared())
    , cell_begin_(memory, grid.cell_begin)
    , coordinates_(memory, grid.coordinates)
    , points_(memory, grid.points)
    , sorted_(memory, grid.points.size())
  {}

  void mean(const Array<double> &in, Array<double> &out, Array<double> *) const override
  {
    walk<true>(in, out);
  }

  void sum(const Array<double> &in, Array<double> &out) const override
  {
    walk<false>(in, out);
  }

private:
  /// Compute the sum, or the mean if `normalised`.
  template <bool normalised>
  void walk(const Array<double> &in, Array<double> &out) const
  {
    const std::size_t n_points = points_.size();
    if (n_points == 0)
      return;

    // (1) Sort the summands in the order of the grid, so that the inner loop reads contiguously.
    const auto places = thrust::make_transform_iterator(points_.data(), ValueIndex());
    with_thrust(context_, [&](const auto &policy) {
      thrust::gather(
        policy, places, places + static_cast<std::ptrdiff_t>(n_points), in.data(), sorted_.data());
    });

    // (2) Compute the sums.
    const GridView grid = {radius_,
                           cell_size_,
                           {origin_[0], origin_[1], origin_[2]},
                           {n_cells_[0], n_cells_[1], n_cells_[2]},
                           reach_,
                           radius_in_cells_squared_,
                           cell_begin_.data(),
                           coordinates_.data(),
                           points_.data(),
                           n_points,
                           n_targets_};
    neighbourhood_sum_kernel<normalised>
      <<<n_blocks(n_points, block_size), block_size, 0, context_.activate()>>>(grid,
                                                                               sorted_.data(),
                                                                               out.data());
    STRUT_CUDA_CHECK_LAUNCH("neighbourhood_sum_kernel");
  }

  const Context &context_;
  std::size_t n_targets_;

  double radius_;
  double cell_size_;
  double origin_[3];
  std::int32_t n_cells_[3];
  int reach_;
  float radius_in_cells_squared_;
  Array<std::uint32_t> cell_begin_;
  Array<double> coordinates_;
  Array<std::uint32_t> points_;
  mutable Array<double> sorted_; ///< summands in the order of the grid
};
} // namespace

std::unique_ptr<NeighbourhoodSum> make_neighbourhood_sum(const Context &context,
                                                         Memory &memory,
                                                         const CellGrid &grid,
                                                         const std::size_t n_targets)
{
  return std::make_unique<CudaNeighbourhoodSum>(context, memory, grid, n_targets);
}
} // namespace strut::cuda
