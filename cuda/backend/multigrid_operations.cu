// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"
#include "source/backend/multigrid_loops.h"
#include "source/element/packed_block.h"

namespace strut::cuda
{
namespace
{
/// Three numbers of a node, in registers.
template <typename Number>
struct Triple
{
  Number value[3];

  __device__ static Triple load(const Number *const from, const std::size_t node)
  {
    return {{from[3 * node], from[3 * node + 1], from[3 * node + 2]}};
  }

  __device__ void store(Number *const to, const std::size_t node) const
  {
    for (std::size_t c = 0; c < 3; ++c)
      to[3 * node + c] = value[c];
  }
};

/// Loads a block as three pairs, 2 numbers at a time.
template <typename Number>
__device__ NodalBlock<Number> load_block(const Number *const blocks, const std::size_t node)
{
  struct alignas(2 * sizeof(Number)) Pair
  {
    Number first, second;
  };
  const Pair *const pairs = reinterpret_cast<const Pair *>(blocks) + 3 * node;
  const Pair a = pairs[0], b = pairs[1], c = pairs[2];
  return {{a.first, a.second, b.first, b.second, c.first, c.second}};
}

template <typename Number>
using BlockWord = typename StoredBlock<Number>::Word;

/// Loads the inverse block of a node. Packed blocks take three loads of 4 bytes, about 30 flops
/// more than a product, and two divisions.
template <typename Number>
__device__ InverseBlock<Number> load_inverse(const BlockWord<Number> *const B,
                                             const std::size_t node)
{
  if constexpr (StoredBlock<Number>::is_packed)
    return {{B[3 * node], B[3 * node + 1], B[3 * node + 2]}};
  else
    return load_block(B, node);
}

/// Returns z = a B r of a node.
template <typename Number>
__device__ Triple<Number>
scaled_product(const InverseBlock<Number> &B, const Number a, const Triple<Number> &r)
{
  Triple<Number> z;
  B.multiply(r.value, z.value);
  for (Number &value : z.value)
    value *= a;
  return z;
}

template <typename Number>
__device__ Triple<Number> difference(const Triple<Number> &a, const Triple<Number> &b)
{
  return {{a.value[0] - b.value[0], a.value[1] - b.value[1], a.value[2] - b.value[2]}};
}

template <typename Number>
__device__ Triple<Number> plus(const Triple<Number> &a, const Number b, const Triple<Number> &c)
{
  return {{a.value[0] + b * c.value[0], a.value[1] + b * c.value[1], a.value[2] + b * c.value[2]}};
}

constexpr int restriction_block  = 256;
constexpr unsigned int warp_team = 8; ///< children that a warp adds at a time

/// Formula:   coarse_I = sum over the children n of I of w_nI fine_n, w = 1 / (number of parents of
///            n).
/// Layout:    NodeInterpolation; vectors [node][3].
/// Threads:   4 lanes per child, of which the last is idle; `team` children of a coarse node at a
///            time, lane 4 k + c has component c of the children k, k + team, ... A warp per node
///            where there are few, since 27 loads in turn take 15 us; else 4 lanes, which load a
///            child in one piece and the same word of its pattern. Children of neighbours are far
///            apart, so with a thread per node a load would access 32 pieces of memory. That takes
///            168 us for 8.3 million fine nodes, and 108 us with 4 lanes (on one H100).
/// Bytes:     8 per coarse node, 3 numbers written, the fine vector (a fine node is read by up to 8
///            coarse ones, mostly from the caches); 28 words of a pattern, from the caches too
///            where many nodes share it.
/// Flops:     162 per coarse node.
/// Determinism: the order of a sum is that of the children, or of `team` sums of them, for any
///            order of the warps.
template <unsigned int team, typename Number>
__global__ void __launch_bounds__(restriction_block)
  restriction_kernel(const std::size_t n_coarse,
                     const NodeLists::View children,
                     const Number *__restrict__ fine,
                     Number *__restrict__ coarse)
{
  const std::size_t node    = thread_number() / (4 * team);
  const unsigned int lane   = threadIdx.x % (4 * team);
  const unsigned int member = lane / 4, c = lane % 4;
  Number sum = Number(0);
  if (node < n_coarse && c < 3)
    {
      const std::uint32_t base                  = children.bases[node];
      const std::uint32_t *__restrict__ pattern = children.patterns + children.begins[node];
      const std::uint32_t n_children            = pattern[0];
#pragma unroll 4
      for (std::uint32_t k = member; k < n_children; k += team)
        {
          const std::uint32_t child = pattern[1 + k];
          sum += LatticePlace::weight<Number>(child & 3u) *
                 fine[3 * std::size_t(base + (child >> 2)) + c];
        }
    }
#pragma unroll
  for (unsigned int offset = 2 * team; offset >= 4; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (node < n_coarse && lane < 3)
    coarse[3 * node + lane] = sum;
}

/// MultigridOperations as kernels.
template <typename Number>
class CudaMultigridOperations : public MultigridLoops<Number, Loops>
{
public:
  using MultigridLoops<Number, Loops>::MultigridLoops;

  using MultigridOperations<Number>::invert_blocks;

  /// Invert the blocks. Threads: one per node. Bytes: 1, 6 numbers read; written 6, packed 3 words.
  void invert_blocks(const std::size_t n_nodes,
                     const Array<std::uint8_t> &constrained,
                     const Array<Number> &blocks,
                     StoredBlocks<Number> &inverse) const override
  {
    const std::uint8_t *const flags = constrained.data();
    const Number *const from        = blocks.data();
    BlockWord<Number> *const to     = inverse.data();
    this->loops_.for_each(n_nodes, [=] __device__(const std::size_t n) {
      constexpr std::size_t n_words     = StoredBlock<Number>::n_words;
      const InverseBlock<Number> stored = inverse_block(load_block(from, n), flags[n]);
      for (std::size_t k = 0; k < n_words; ++k)
        to[n_words * n + k] = stored.entry[k];
    });
  }

  // The three steps below have one thread per node. In float they read and write 6 + 6 words from
  // zero, 15 + 9 otherwise, and 12 + 6 without q. In double the block has 3 numbers more.
  //
  // All data of a node are loaded before any is used: the compiler moves no load before a store or
  // a division. Otherwise it loads the numbers of x and d one after the other (0.79 ms instead of
  // 0.27 for 8.3 million nodes).

  void smooth_from_zero(const std::size_t n_nodes,
                        const StoredBlocks<Number> &B,
                        const Number a,
                        const Array<Number> &r,
                        Array<Number> &d,
                        Array<Number> &x) const override
  {
    const BlockWord<Number> *const Bs = B.data();
    const Number *const rs            = r.data();
    Number *const ds = d.data(), *const xs = x.data();
    this->loops_.for_each(n_nodes, [=] __device__(const std::size_t n) {
      const auto z =
        scaled_product<Number>(load_inverse<Number>(Bs, n), a, Triple<Number>::load(rs, n));
      z.store(ds, n);
      z.store(xs, n);
    });
  }

  void smooth_first(const std::size_t n_nodes,
                    const StoredBlocks<Number> &B,
                    const Number a,
                    const Array<Number> &q,
                    Array<Number> &r,
                    Array<Number> &d,
                    Array<Number> &x) const override
  {
    const BlockWord<Number> *const Bs = B.data();
    const Number *const qs            = q.empty() ? nullptr : q.data();
    Number *const rs = r.data(), *const ds = d.data(), *const xs = x.data();
    this->loops_.for_each(n_nodes, [=] __device__(const std::size_t n) {
      const auto block = load_inverse<Number>(Bs, n);
      auto residual    = Triple<Number>::load(rs, n);
      const auto old_d = Triple<Number>::load(ds, n), old_x = Triple<Number>::load(xs, n);
      if (qs != nullptr)
        {
          residual = difference(residual, Triple<Number>::load(qs, n));
          residual.store(rs, n);
        }
      const auto z = scaled_product<Number>(block, a, residual);
      z.store(ds, n);
      plus(plus(old_x, Number(1), old_d), Number(1), z).store(xs, n);
    });
  }

  void smooth_next(const std::size_t n_nodes,
                   const StoredBlocks<Number> &B,
                   const Number a,
                   const Number b,
                   const Array<Number> &q,
                   Array<Number> &r,
                   Array<Number> &d,
                   Array<Number> &x) const override
  {
    const BlockWord<Number> *const Bs = B.data();
    const Number *const qs            = q.empty() ? nullptr : q.data();
    Number *const rs = r.data(), *const ds = d.data(), *const xs = x.data();
    this->loops_.for_each(n_nodes, [=] __device__(const std::size_t n) {
      const auto block = load_inverse<Number>(Bs, n);
      auto residual    = Triple<Number>::load(rs, n);
      const auto old_d = Triple<Number>::load(ds, n), old_x = Triple<Number>::load(xs, n);
      if (qs != nullptr)
        {
          residual = difference(residual, Triple<Number>::load(qs, n));
          residual.store(rs, n);
        }
      const auto z = plus(scaled_product<Number>(block, a, residual), b, old_d);
      z.store(ds, n);
      plus(old_x, Number(1), z).store(xs, n);
    });
  }

  // For transfer between a mesh and background cells.
  using MultigridLoops<Number, Loops>::restrict_to_parents;

  void restrict_to_parents(const NodeInterpolation &P,
                           const Array<Number> &fine,
                           Array<Number> &coarse) const override
  {
    constexpr std::size_t most_for_warps = 65536;
    if (P.n_coarse <= most_for_warps)
      restrict_by_teams<warp_team>(P, fine, coarse);
    else
      restrict_by_teams<1>(P, fine, coarse);
  }

  std::unique_ptr<GalerkinMatrices<Number>>
  make_galerkin_matrices(Memory &memory, const GalerkinElements &elements) const override
  {
    return cuda::make_galerkin_matrices<Number>(this->loops_.context, memory, elements);
  }

  std::unique_ptr<DenseInverse<Number>> make_dense_inverse(Memory &memory,
                                                           const SymmetricSums &sums) const override
  {
    return cuda::make_dense_inverse<Number>(this->loops_.context, memory, sums);
  }

private:
  template <unsigned int team>
  void restrict_by_teams(const NodeInterpolation &P,
                         const Array<Number> &fine,
                         Array<Number> &coarse) const
  {
    const cudaStream_t stream = this->loops_.context.activate();
    if (P.n_coarse == 0)
      return;
    restriction_kernel<team>
      <<<n_blocks(4 * team * P.n_coarse, restriction_block), restriction_block, 0, stream>>>(
        P.n_coarse, P.children.view(), fine.data(), coarse.data());
    STRUT_CUDA_CHECK_LAUNCH("restriction_kernel");
  }
};
} // namespace

template <typename Number>
std::unique_ptr<MultigridOperations<Number>> make_multigrid_operations(const Context &context)
{
  return std::make_unique<CudaMultigridOperations<Number>>(Loops{context});
}

template std::unique_ptr<MultigridOperations<double>> make_multigrid_operations(const Context &);
template std::unique_ptr<MultigridOperations<float>> make_multigrid_operations(const Context &);
} // namespace strut::cuda
