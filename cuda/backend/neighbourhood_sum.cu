// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"
#include "cuda/base/thrust_policy.cuh"

#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace strut::cuda
{
namespace
{
/// A point as kernels read it: its place in its cell, from 0 to 1, and the index of the cell along
/// x. Distances from there are small numbers of cells, which float resolves on a mesh of any size.
struct alignas(16) LocalPoint
{
  float x, y, z, cell_x;
};

/// The kernel's view of the grid, with the names of CellGrid.
struct GridView
{
  float radius; ///< in cells
  std::int32_t n[3];
  int reach;
  float radius_in_cells_squared;
  const std::uint32_t *cell_begin;
  const LocalPoint *local;
  const std::uint32_t *rows; ///< j + n[1] k of the cell of a point
  const std::uint32_t *points;
  std::size_t n_points;
  std::size_t n_targets;
};

constexpr int block_size = 128;

/// The approximation of a reciprocal root, to 22 bits.
__device__ float fast_reciprocal_root(const float x)
{
  float r;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}

/// How values come back from float: `middle + by * value`, times the length of a cell in sums.
struct Unscaled
{
  double middle, by, length;
};

/// Formula:   out_e = sum_i w_ei in_i, w_ei = max(0, radius - |x_e - x_i|), over all points i of
///            the grid; divided by sum_i w_ei if `normalised`. Lengths are in cells here.
/// Layout:    points and summands sorted by cell; a row of cells along x is one run.
/// Threads:   one per point, in the order of the grid, so that the threads of a warp sit in the
///            same or neighbouring cells and read the same runs; threads of points that are no
///            target, such as mirror images, do nothing.
/// Bytes:     per target, 20 for each point in the cells that the ball touches, nearly all from the
///            caches; at a radius of 5 elements about 900, of which 490 are in the ball.
/// Flops:     per target, 12 for each point examined, and 4 and a reciprocal root for each in the
///            ball, in float; the sums of rows are added in double.
/// Accuracy:  weights to 1e-7 of the radius or of a cell, whichever is larger. Their errors have no
///            sign, so means of many points are ten times as accurate.
/// Determinism: each thread sums in the order of the grid.
template <bool normalised>
__global__ void __launch_bounds__(block_size) neighbourhood_sum_kernel(
  const GridView grid, const float *__restrict__ sorted, const Unscaled unscaled, double *out)
{
  const std::size_t t = thread_number();
  if (t >= grid.n_points || grid.points[t] >= grid.n_targets)
    return;

  const LocalPoint p      = grid.local[t];
  const std::uint32_t own = grid.rows[t];
  const auto n_rows       = static_cast<std::uint32_t>(grid.n[1]);

  const CellGrid::Place in_x = {static_cast<std::int32_t>(p.cell_x), p.x};
  const CellGrid::Place in_y = {static_cast<std::int32_t>(own % n_rows), p.y};
  const CellGrid::Place in_z = {static_cast<std::int32_t>(own / n_rows), p.z};
  const CellGrid::Run rows   = CellGrid::cells_around(in_y, grid.reach, grid.n[1]);
  const CellGrid::Run layers = CellGrid::cells_around(in_z, grid.reach, grid.n[2]);
  const float radius_squared = grid.radius * grid.radius;
  // It is added to the square of a distance, so that the root has a reciprocal. It changes no
  // distance but 0.
  const float tiny = 1e-30f * radius_squared;
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
        const float to_y          = static_cast<float>(j - in_y.cell) - p.y;
        const float to_z          = static_cast<float>(k - in_z.cell) - p.z;
        float of_row = 0.f, weights_of_row = 0.f;
        for (std::uint32_t s = begin; s < end; ++s)
          {
            const LocalPoint q = grid.local[s];
            const float dx     = (q.cell_x - p.cell_x + q.x) - p.x;
            const float dy = q.y + to_y, dz = q.z + to_z;
            const float distance_squared = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, tiny)));
            if (distance_squared < radius_squared)
              {
                const float weight =
                  fmaf(-distance_squared, fast_reciprocal_root(distance_squared), grid.radius);
                of_row = fmaf(weight, sorted[s], of_row);
                weights_of_row += weight;
              }
          }
        sum += of_row;
        weights += weights_of_row;
      }
  out[grid.points[t]] = normalised
                          ? unscaled.middle + unscaled.by * (sum / weights)
                          : unscaled.length * (unscaled.middle * weights + unscaled.by * sum);
}

/// The cells of the grid.
struct Cells
{
  double size;
  double origin[3];
  std::int32_t n[3];
};

/// Formula:   the place of each point in its cell, and the row of the cell.
/// Layout:    coordinates `[3][n_points]`.
/// Threads:   one per point.
/// Bytes:     44 per point.
/// Flops:     12 per point.
/// Determinism: no sums.
__global__ void __launch_bounds__(block_size) find_places_kernel(const Cells cells,
                                                                 const double *coordinates,
                                                                 const std::size_t n_points,
                                                                 LocalPoint *local,
                                                                 std::uint32_t *rows)
{
  const std::size_t s = thread_number();
  if (s >= n_points)
    return;
  CellGrid::Place in[3];
  for (int d = 0; d < 3; ++d)
    in[d] =
      CellGrid::place_of(coordinates[d * n_points + s], cells.origin[d], cells.size, cells.n[d]);
  local[s] = {in[0].within, in[1].within, in[2].within, static_cast<float>(in[0].cell)};
  rows[s]  = static_cast<std::uint32_t>(in[1].cell + cells.n[1] * in[2].cell);
}

/// The smallest interval that holds some values.
struct Interval
{
  double least, most;
};

struct IntervalOfValue
{
  __device__ Interval operator()(const double value) const
  {
    return {value, value};
  }
};

struct Union
{
  __host__ __device__ Interval operator()(const Interval &a, const Interval &b) const
  {
    return {a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most};
  }
};

/// Returns a value as float between -2 and 2: its distance from the middle, times a power of two.
/// So a constant stays a constant, and no value is too small or too large for float.
struct Scaled
{
  double middle, scale;
  __device__ float operator()(const double value) const
  {
    return static_cast<float>(scale * (value - middle));
  }
};

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
    , cell_size_(grid.cell_size)
    , cell_begin_(memory, grid.cell_begin)
    , local_(memory, grid.points.size())
    , rows_(memory, grid.points.size())
    , points_(memory, grid.points)
    , sorted_(memory, grid.points.size())
  {
    const std::size_t n = grid.points.size();
    if (n > 0)
      {
        const Array<double> coordinates(memory, grid.coordinates);
        find_places_kernel<<<n_blocks(n, block_size), block_size, 0, context.activate()>>>(
          {grid.cell_size,
           {grid.origin[0], grid.origin[1], grid.origin[2]},
           {grid.n[0], grid.n[1], grid.n[2]}},
          coordinates.data(),
          n,
          local_.data(),
          rows_.data());
        STRUT_CUDA_CHECK_LAUNCH("find_places_kernel");
      }
    view_ = {static_cast<float>(grid.radius / grid.cell_size),
             {grid.n[0], grid.n[1], grid.n[2]},
             grid.reach,
             grid.radius_in_cells_squared(),
             cell_begin_.data(),
             local_.data(),
             rows_.data(),
             points_.data(),
             n,
             n_targets};
  }

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
    Scaled scaled = {0., 1.};
    with_thrust(context_, [&](const auto &policy) {
      constexpr double infinity = std::numeric_limits<double>::infinity();
      const Interval range      = thrust::transform_reduce(policy,
                                                      in.data(),
                                                      in.data() + in.size(),
                                                      IntervalOfValue(),
                                                      Interval{infinity, -infinity},
                                                      Union());
      const double half         = 0.5 * range.most - 0.5 * range.least;
      if (std::isfinite(half))
        scaled.middle = 0.5 * range.least + 0.5 * range.most;
      if (std::isfinite(half) && half > 0.)
        scaled.scale = std::ldexp(1., -std::max(std::ilogb(half), -1000));
      const auto places = thrust::make_transform_iterator(points_.data(), ValueIndex());
      const auto values = thrust::make_transform_iterator(in.data(), scaled);
      thrust::gather(
        policy, places, places + static_cast<std::ptrdiff_t>(n_points), values, sorted_.data());
    });

    // (2) Compute the sums.
    const Unscaled unscaled = {scaled.middle, 1. / scaled.scale, normalised ? 1. : cell_size_};
    neighbourhood_sum_kernel<normalised>
      <<<n_blocks(n_points, block_size), block_size, 0, context_.activate()>>>(view_,
                                                                               sorted_.data(),
                                                                               unscaled,
                                                                               out.data());
    STRUT_CUDA_CHECK_LAUNCH("neighbourhood_sum_kernel");
  }

  const Context &context_;
  double cell_size_;
  Array<std::uint32_t> cell_begin_;
  Array<LocalPoint> local_;
  Array<std::uint32_t> rows_;
  Array<std::uint32_t> points_;
  mutable Array<float> sorted_; ///< summands in the order of the grid
  GridView view_;
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
