// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"
#include "source/backend/cone_stencil.h"

#include <algorithm>
#include <vector>

namespace strut::cuda
{
namespace
{
constexpr int block_x = 32, block_y = 4;
constexpr int per_thread = 8; ///< places along z of a thread

/// The kernel's view of lattice and stencil, with the names of PointLattice and ConeStencil.
struct LatticeView
{
  int n[3];
  int reach[3];
  int middle, stride;
  const int *half_lengths;
  const double *weights;
  const std::uint32_t *points; ///< null if the places are the points
  std::size_t n_targets;
};

/// Divisors of the sums: for each target, or by ConeStencil::clipped_place(), `[m2][m1][m0]` with
/// its clipped_size() m.
struct Divisors
{
  const double *values; ///< null if all are 1
  bool by_place;

  __device__ double of(const LatticeView &lattice,
                       const int i,
                       const int j,
                       const int k,
                       const std::uint32_t target) const
  {
    if (values == nullptr)
      return 1.;
    if (!by_place)
      return values[target];
    const int place[3] = {i, j, k};
    std::size_t number = 0;
    for (int d = 2; d >= 0; --d)
      number = number * ConeStencil::clipped_size(lattice.n[d], lattice.reach[d]) +
               ConeStencil::clipped_place(place[d], lattice.n[d], lattice.reach[d]);
    return values[number];
  }
};

/// Formula:   out_e = sum_i w_ei in_i, w_ei = max(0, radius - |x_e - x_i|), over the places of a
///            lattice. It may be divided by the sum of the weights of e, from a table or an array.
/// Layout:    values[n2][n1][n0], 0 where there is no point; the weights of an offset as
///            ConeStencil has them.
/// Threads:   a lane per place along x, 4 of them along y in a block, 8 targets along z by thread.
///            A column of the stencil is walked along z by pieces of 8: of each, 8 values
///            (coalesced, whatever the offset along x) and 15 weights (the same in all threads) are
///            loaded into registers for 64 multiplications.
/// Bytes:     per target, from L1: 8 for each value read, which serves 8 targets, so about 1.8
///            times the volume of the ball; from L2 about 300 at a radius of 10 places; from memory
///            about 20.
/// Flops:     per target, a fused multiply-add for each place in the ball, and as many again for
///            weights of 0 at the ends of columns.
/// Determinism: each thread sums in the order of the stencil.
__global__ void __launch_bounds__(block_x *block_y)
  lattice_sum_kernel(const LatticeView lattice,
                     const double *__restrict__ values,
                     const Divisors divisors,
                     double *__restrict__ out)
{
  const int n0 = lattice.n[0], n1 = lattice.n[1], n2 = lattice.n[2];
  const int i = static_cast<int>(blockIdx.x) * block_x + static_cast<int>(threadIdx.x);
  const int j = static_cast<int>(blockIdx.y) * block_y + static_cast<int>(threadIdx.y);
  const int k = static_cast<int>(blockIdx.z) * per_thread;
  if (j >= n1)
    return;
  double sums[per_thread] = {};
  for (int dj = max(-lattice.reach[1], -j); dj <= min(lattice.reach[1], n1 - 1 - j); ++dj)
    for (int di = -lattice.reach[0]; di <= lattice.reach[0]; ++di)
      {
        const int column      = abs(dj) * (lattice.reach[0] + 1) + abs(di);
        const int half_length = lattice.half_lengths[column];
        if (half_length < 0)
          continue;
        const double *const weights =
          lattice.weights + std::size_t(column) * lattice.stride + lattice.middle;
        const bool is_inside = i + di >= 0 && i + di < n0;
        const double *const from =
          values + (std::ptrdiff_t(n0) * (j + dj) + (is_inside ? i + di : 0));
        const std::ptrdiff_t layer = std::ptrdiff_t(n0) * n1;
        for (int first = -half_length; first < per_thread + half_length; first += per_thread)
          {
            double of_piece[per_thread], w[2 * per_thread - 1];
#pragma unroll
            for (int s = 0; s < per_thread; ++s)
              {
                const int at = k + first + s;
                of_piece[s]  = is_inside && at >= 0 && at < n2 ? from[layer * at] : 0.;
              }
#pragma unroll
            for (int s = 0; s < 2 * per_thread - 1;
                 ++s) // Weights of the offset first + s - (per_thread - 1).
              w[s] = weights[first + s - (per_thread - 1)];
#pragma unroll
            for (int s = 0; s < per_thread; ++s)
#pragma unroll
              for (int t = 0; t < per_thread; ++t)
                sums[t] = fma(w[s - t + per_thread - 1], of_piece[s], sums[t]);
          }
      }
  if (i >= n0)
    return;
#pragma unroll
  for (int t = 0; t < per_thread; ++t)
    if (k + t < n2)
      {
        const std::size_t place = i + std::size_t(n0) * (j + std::size_t(n1) * (k + t));
        const std::uint32_t point =
          lattice.points == nullptr ? static_cast<std::uint32_t>(place) : lattice.points[place];
        if (point < lattice.n_targets)
          out[point] = sums[t] / divisors.of(lattice, i, j, k + t, point);
      }
}

/// Sets marks to 1 at places with a point, to 0 at others.
void mark_places(const Context &context, const Array<std::uint32_t> &points, Array<double> &marks)
{
  const std::uint32_t *const from = points.data();
  double *const to                = marks.data();
  parallel_for(context, points.size(), [=] __device__(const std::size_t place) {
    to[place] = from[place] == PointLattice::nothing ? 0. : 1.;
  });
}

/// Copies values of the points to their places; other places keep theirs.
void take_values(const Context &context,
                 const Array<std::uint32_t> &points,
                 const Array<double> &in,
                 Array<double> &values)
{
  const std::uint32_t *const from = points.data();
  const double *const of_points   = in.data();
  double *const to                = values.data();
  parallel_for(context, points.size(), [=] __device__(const std::size_t place) {
    const std::uint32_t point = from[place];
    if (point != PointLattice::nothing)
      to[place] = of_points[CellGrid::value_index(point)];
  });
}

/// NeighbourhoodSum of a lattice on one device.
class CudaLatticeSum : public NeighbourhoodSum
{
public:
  CudaLatticeSum(const Context &context,
                 Memory &memory,
                 const PointLattice &lattice,
                 const std::size_t n_targets)
    : CudaLatticeSum(context, memory, lattice, n_targets, ConeStencil(lattice, 2 * per_thread))
  {}

  void mean(const Array<double> &in, Array<double> &out, Array<double> *const work) const override
  {
    walk(values_of(in, work), {weight_sums_.data(), is_full_}, out);
  }

  void sum(const Array<double> &in, Array<double> &out) const override
  {
    walk(values_of(in, nullptr), {nullptr, false}, out);
  }

private:
  CudaLatticeSum(const Context &context,
                 Memory &memory,
                 const PointLattice &lattice,
                 const std::size_t n_targets,
                 const ConeStencil &stencil)
    : context_(context)
    , n_{lattice.n[0], lattice.n[1], lattice.n[2]}
    , n_targets_(n_targets)
    , reach_{stencil.reach[0], stencil.reach[1], stencil.reach[2]}
    , middle_(stencil.middle)
    , stride_(stencil.stride)
    , half_lengths_(memory, stencil.half_lengths)
    , weights_(memory, stencil.weights)
    , points_(memory, lattice.points)
    , is_full_(std::find(lattice.points.begin(), lattice.points.end(), PointLattice::nothing) ==
               lattice.points.end())
    , memory_(memory)
  {
    if (!is_full_)
      {
        values_      = Array<double>(memory, points_.size());
        weight_sums_ = Array<double>(memory, n_targets);
        mark_places(context_, points_, values_);
        walk(values_, {nullptr, false}, weight_sums_);
        return;
      }
    LatticeView clipped = view();
    clipped.points      = nullptr;
    clipped.n_targets   = 1;
    for (int d = 0; d < 3; ++d)
      {
        clipped.n[d] = ConeStencil::clipped_size(n_[d], reach_[d]);
        clipped.n_targets *= static_cast<std::size_t>(clipped.n[d]);
      }
    const Array<double> ones(memory, std::vector<double>(clipped.n_targets, 1.));
    weight_sums_ = Array<double>(memory, clipped.n_targets);
    walk(clipped, ones, {nullptr, false}, weight_sums_);
  }

  /// Returns values in the order of the places. Where each place has a point, `work` may hold them.
  const Array<double> &values_of(const Array<double> &in, Array<double> *const work) const
  {
    const bool fits = is_full_ && work != nullptr && work->size() >= points_.size();
    if (!fits && values_.empty())
      values_ = Array<double>(memory_, points_.size());
    Array<double> &values = fits ? *work : values_;
    take_values(context_, points_, in, values);
    return values;
  }

  LatticeView view() const
  {
    return {{n_[0], n_[1], n_[2]},
            {reach_[0], reach_[1], reach_[2]},
            middle_,
            stride_,
            half_lengths_.data(),
            weights_.data(),
            points_.data(),
            n_targets_};
  }

  void walk(const Array<double> &values, const Divisors &divisors, Array<double> &out) const
  {
    walk(view(), values, divisors, out);
  }

  void walk(const LatticeView &view,
            const Array<double> &values,
            const Divisors &divisors,
            Array<double> &out) const
  {
    if (values.empty())
      return;
    const auto blocks = [](const int n, const int size) {
      return static_cast<unsigned int>((n + size - 1) / size);
    };
    const dim3 grid(blocks(view.n[0], block_x),
                    blocks(view.n[1], block_y),
                    blocks(view.n[2], per_thread));
    lattice_sum_kernel<<<grid, dim3(block_x, block_y), 0, context_.activate()>>>(view,
                                                                                 values.data(),
                                                                                 divisors,
                                                                                 out.data());
    STRUT_CUDA_CHECK_LAUNCH("lattice_sum_kernel");
  }

  const Context &context_;
  const int n_[3];
  const std::size_t n_targets_;
  const int reach_[3], middle_, stride_;
  Array<int> half_lengths_;
  Array<double> weights_;
  Array<std::uint32_t> points_;
  const bool is_full_; ///< whether each place has a point
  Memory &memory_;
  mutable Array<double> values_; ///< `[n2][n1][n0]`, allocated once there was no work to borrow
  Array<double> weight_sums_;    ///< sums of the weights, see Divisors
};
} // namespace

std::unique_ptr<NeighbourhoodSum> make_lattice_sum(const Context &context,
                                                   Memory &memory,
                                                   const PointLattice &lattice,
                                                   const std::size_t n_targets)
{
  return std::make_unique<CudaLatticeSum>(context, memory, lattice, n_targets);
}
} // namespace strut::cuda
