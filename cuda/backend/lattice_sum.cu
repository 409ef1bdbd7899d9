// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"
#include "source/backend/cone_stencil.h"

namespace strut::cuda
{
namespace
{
constexpr int block_x = 32, block_y = 4;
constexpr int per_thread = 8; ///< places along z

/// The kernel's view of lattice and stencil; names as in PointLattice and ConeStencil.
struct LatticeView
{
  int n[3];
  int reach[3];
  int middle, stride;
  const int *half_lengths;
  const double *weights;
  const std::uint32_t *points;
  std::size_t n_targets;
};

/// Formula:   out_e = sum_i w_ei in_i, w_ei = max(0, radius - |x_e - x_i|), over the places of a lattice, or that divided by
///            the sum of the weights of e
/// Layout:    values[n2][n1][n0], 0 where there is no point; the weights of an offset as ConeStencil has them
/// Threads:   a lane per place along x, 4 of them along y in a block, 8 targets along z by thread. A column of the
///            stencil is walked along z by pieces of 8: of each, 8 values (coalesced, whatever the offset along x) and 15
///            weights (the same in all threads) come to registers for 64 multiplications
/// Bytes:     per target, from L1: 8 for each value read, which serves 8 targets, so about 1.8 times the volume of the ball;
///            from L2 about 300 at a radius of 10 places; from memory some 20
/// Flops:     per target, a fused multiply-add for each place in the ball, and as many again for weights of 0 at the ends of
///            columns
/// Determinism: each thread sums in the order of the stencil
__global__ void __launch_bounds__(block_x *block_y)
  lattice_sum_kernel(const LatticeView lattice,
                     const double *__restrict__ values,
                     const double *__restrict__ divisors,
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
                 ++s) // of the offset first + s - (per_thread - 1)
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
        const std::uint32_t point =
          lattice.points[i + std::size_t(n0) * (j + std::size_t(n1) * (k + t))];
        if (point < lattice.n_targets)
          out[point] = divisors == nullptr ? sums[t] : sums[t] / divisors[point];
      }
}

/// 1 at places with a point, 0 at others.
void mark_places(const Context &context, const Array<std::uint32_t> &points, Array<double> &marks)
{
  const std::uint32_t *const from = points.data();
  double *const to                = marks.data();
  parallel_for(context, points.size(), [=] __device__(const std::size_t place) {
    to[place] = from[place] == PointLattice::nothing ? 0. : 1.;
  });
}

/// Values of the points at their places; others stay.
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

  void mean(const Array<double> &in, Array<double> &out) const override
  {
    take_values(context_, points_, in, values_);
    walk(weight_sums_.data(), out);
  }

  void sum(const Array<double> &in, Array<double> &out) const override
  {
    take_values(context_, points_, in, values_);
    walk(nullptr, out);
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
    , values_(memory, lattice.points.size())
    , weight_sums_(memory, n_targets)
  {
    mark_places(context_, points_, values_);
    walk(nullptr, weight_sums_);
  }

  /// @param divisors  `[n_targets]`; null: none
  void walk(const double *const divisors, Array<double> &out) const
  {
    if (points_.size() == 0)
      return;
    const LatticeView view = {{n_[0], n_[1], n_[2]},
                              {reach_[0], reach_[1], reach_[2]},
                              middle_,
                              stride_,
                              half_lengths_.data(),
                              weights_.data(),
                              points_.data(),
                              n_targets_};
    const auto blocks      = [](const int n, const int size) {
      return static_cast<unsigned int>((n + size - 1) / size);
    };
    const dim3 grid(blocks(n_[0], block_x), blocks(n_[1], block_y), blocks(n_[2], per_thread));
    lattice_sum_kernel<<<grid, dim3(block_x, block_y), 0, context_.activate()>>>(view,
                                                                                 values_.data(),
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
  mutable Array<double> values_; ///< `[n2][n1][n0]`
  Array<double> weight_sums_;    ///< `[n_targets]`
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
