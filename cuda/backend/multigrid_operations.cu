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
/// The numbers of a node, one for each component, in registers.
template <typename Number, int n_components>
struct OfNode
{
  Number value[n_components];

  __device__ static OfNode load(const Number *const from, const std::size_t node)
  {
    OfNode result;
#pragma unroll
    for (std::size_t c = 0; c < n_components; ++c)
      result.value[c] = from[n_components * node + c];
    return result;
  }

  __device__ void store(Number *const to, const std::size_t node) const
  {
#pragma unroll
    for (std::size_t c = 0; c < n_components; ++c)
      to[n_components * node + c] = value[c];
  }
};

/// Loads a block of three components as three pairs, 2 numbers at a time.
template <typename Number, int n_components>
__device__ NodalBlock<Number, n_components> load_block(const Number *const blocks,
                                                       const std::size_t node)
{
  if constexpr (n_components == 1)
    return {{blocks[node]}};
  else
    {
      struct alignas(2 * sizeof(Number)) Pair
      {
        Number first, second;
      };
      const Pair *const pairs = reinterpret_cast<const Pair *>(blocks) + 3 * node;
      const Pair a = pairs[0], b = pairs[1], c = pairs[2];
      return {{a.first, a.second, b.first, b.second, c.first, c.second}};
    }
}

template <typename Number>
using BlockWord = typename StoredBlock<Number>::Word;

/// Loads the inverse block of a node. Packed blocks take three loads of 4 bytes, about 30 flops
/// more than a product, and two divisions.
template <typename Number, int n_components>
__device__ InverseBlock<Number, n_components> load_inverse(const BlockWord<Number> *const B,
                                                           const std::size_t node)
{
  if constexpr (StoredBlock<Number>::is_packed)
    {
      InverseBlock<Number, n_components> result;
#pragma unroll
      for (std::size_t k = 0; k < n_components; ++k)
        result.entry[k] = B[n_components * node + k];
      return result;
    }
  else
    return load_block<Number, n_components>(B, node);
}

/// Returns z = a B r of a node.
template <typename Number, int n_components>
__device__ OfNode<Number, n_components> scaled_product(const InverseBlock<Number, n_components> &B,
                                                       const Number a,
                                                       const OfNode<Number, n_components> &r)
{
  OfNode<Number, n_components> z;
  B.multiply(r.value, z.value);
  for (Number &value : z.value)
    value *= a;
  return z;
}

template <typename Number, int n_components>
__device__ OfNode<Number, n_components> difference(const OfNode<Number, n_components> &a,
                                                   const OfNode<Number, n_components> &b)
{
  OfNode<Number, n_components> result;
#pragma unroll
  for (int c = 0; c < n_components; ++c)
    result.value[c] = a.value[c] - b.value[c];
  return result;
}

template <typename Number, int n_components>
__device__ OfNode<Number, n_components>
plus(const OfNode<Number, n_components> &a, const Number b, const OfNode<Number, n_components> &c)
{
  OfNode<Number, n_components> result;
#pragma unroll
  for (int i = 0; i < n_components; ++i)
    result.value[i] = a.value[i] + b * c.value[i];
  return result;
}

constexpr int restriction_block  = 256;
constexpr unsigned int warp_team = 8; ///< children that a team of lanes adds at a time

constexpr unsigned int lanes_of_child(const int n_components)
{
  return n_components == 1 ? 1 : 4;
}

/// Formula:   coarse_I = sum over the children n of I of w_nI fine_n, w = 1 / (number of parents of
///            n).
/// Layout:    NodeInterpolation; vectors [node][n_components].
/// Threads:   4 lanes per child, of which the last is idle; `team` children of a coarse node at a
///            time, lane 4 k + c has component c of the children k, k + team, ... A warp per node
///            where there are few, since 27 loads in turn take 15 us; else 4 lanes, which load a
///            child in one piece and the same word of its pattern. Children of neighbours are far
///            apart, so with a thread per node a load would access 32 pieces of memory. That takes
///            168 us for 8.3 million fine nodes, and 108 us with 4 lanes (on one H100). With one
///            component there is one lane per child.
/// Bytes:     8 per coarse node, 3 numbers written, the fine vector (a fine node is read by up to 8
///            coarse ones, mostly from the caches); 28 words of a pattern, from the caches too
///            where many nodes share it.
/// Flops:     162 per coarse node.
/// Determinism: the order of a sum is that of the children, or of `team` sums of them, for any
///            order of the warps.
template <int n_components, unsigned int team, typename Number>
__global__ void __launch_bounds__(restriction_block)
  restriction_kernel(const std::size_t n_coarse,
                     const NodeLists::View children,
                     const Number *__restrict__ fine,
                     Number *__restrict__ coarse)
{
  constexpr unsigned int lanes = lanes_of_child(n_components);
  const std::size_t node       = thread_number() / (lanes * team);
  const unsigned int lane      = threadIdx.x % (lanes * team);
  const unsigned int member = lane / lanes, c = lane % lanes;
  Number sum = Number(0);
  if (node < n_coarse && c < n_components)
    {
      const std::uint32_t base                  = children.bases[node];
      const std::uint32_t *__restrict__ pattern = children.patterns + children.begins[node];
      const std::uint32_t n_children            = pattern[0];
#pragma unroll 4
      for (std::uint32_t k = member; k < n_children; k += team)
        {
          const std::uint32_t child = pattern[1 + k];
          sum += LatticePlace::weight<Number>(child & 3u) *
                 fine[n_components * std::size_t(base + (child >> 2)) + c];
        }
    }
#pragma unroll
  for (unsigned int offset = lanes * team / 2; offset >= lanes; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (node < n_coarse && lane < n_components)
    coarse[n_components * node + lane] = sum;
}

constexpr unsigned int places_team = 8; ///< lanes that share the fine nodes of an element

/// Formula:   coarse_I = sum over the fine nodes n of the elements around I of w_nI fine_n, with
///            the trilinear weight of I at the place of n.
/// Layout:    PlaceInterpolation; vectors [node][n_components].
/// Threads:   a warp per coarse node: 4 teams of 8 lanes take the elements in turn, a lane of a
///            team every eighth fine node. An element has some eight fine nodes, and a coarse node
///            eight elements. With a thread per node these are 64 chains of loads in turn.
/// Bytes:     per pair of a fine and a coarse node 4, and 3 + n_components numbers, mostly from
///            the caches, as a fine node has eight coarse ones; 8 per element of a coarse node.
/// Flops:     9 per pair, and 5 n_components per lane for the sum over the warp.
/// Determinism: the order of a sum is fixed by the lists.
template <int n_components, typename Number>
__global__ void __launch_bounds__(restriction_block)
  restrict_places_kernel(const std::size_t n_coarse,
                         const std::uint32_t *__restrict__ around_begin,
                         const std::uint32_t *__restrict__ around,
                         const std::uint32_t *__restrict__ fine_begin,
                         const std::uint32_t *__restrict__ fine_nodes,
                         const Number *__restrict__ places,
                         const Number *__restrict__ fine,
                         Number *__restrict__ coarse)
{
  const std::size_t n     = thread_number() / 32;
  const unsigned int lane = threadIdx.x % 32;
  if (n >= n_coarse) // all lanes of a warp alike
    return;
  Number sum[n_components] = {};
  for (std::uint32_t k = around_begin[n] + lane / places_team; k < around_begin[n + 1];
       k += 32 / places_team)
    {
      const std::uint32_t e = around[k] >> 3, v = around[k] & 7u;
      for (std::uint32_t i = fine_begin[e] + lane % places_team; i < fine_begin[e + 1];
           i += places_team)
        {
          const std::size_t node = fine_nodes[i];
          const Number weight    = PlaceInterpolation<Number>::weight(v, places + 3 * node);
#pragma unroll
          for (int c = 0; c < n_components; ++c)
            sum[c] += weight * fine[n_components * node + c];
        }
    }
#pragma unroll
  for (int c = 0; c < n_components; ++c)
    {
#pragma unroll
      for (unsigned int offset = 16; offset > 0; offset /= 2)
        sum[c] += __shfl_down_sync(0xffffffffu, sum[c], offset);
      if (lane == 0)
        coarse[n_components * n + c] = sum[c];
    }
}

/// MultigridOperations as kernels.
template <typename Number, int n_components>
class CudaMultigridOperations : public MultigridLoops<Number, Loops, n_components>
{
public:
  using MultigridLoops<Number, Loops, n_components>::MultigridLoops;

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
      constexpr std::size_t n_words = StoredBlock<Number>::n_words(n_components);
      const InverseBlock<Number, n_components> stored =
        inverse_block(load_block<Number, n_components>(from, n), flags[n]);
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
      const auto z = scaled_product<Number, n_components>(load_inverse<Number, n_components>(Bs, n),
                                                          a,
                                                          Values::load(rs, n));
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
      const auto block = load_inverse<Number, n_components>(Bs, n);
      auto residual    = Values::load(rs, n);
      const auto old_d = Values::load(ds, n), old_x = Values::load(xs, n);
      if (qs != nullptr)
        {
          residual = difference(residual, Values::load(qs, n));
          residual.store(rs, n);
        }
      const auto z = scaled_product<Number, n_components>(block, a, residual);
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
      const auto block = load_inverse<Number, n_components>(Bs, n);
      auto residual    = Values::load(rs, n);
      const auto old_d = Values::load(ds, n), old_x = Values::load(xs, n);
      if (qs != nullptr)
        {
          residual = difference(residual, Values::load(qs, n));
          residual.store(rs, n);
        }
      const auto z = plus(scaled_product<Number, n_components>(block, a, residual), b, old_d);
      z.store(ds, n);
      plus(old_x, Number(1), z).store(xs, n);
    });
  }

  void restrict_to_parents(const PlaceInterpolation<Number> &P,
                           const Array<Number> &fine,
                           Array<Number> &coarse) const override
  {
    const cudaStream_t stream = this->loops_.context.activate();
    if (P.n_coarse == 0)
      return;
    restrict_places_kernel<n_components>
      <<<n_blocks(32 * P.n_coarse, restriction_block), restriction_block, 0, stream>>>(
        P.n_coarse,
        P.around_begin.data(),
        P.around.data(),
        P.fine_begin.data(),
        P.fine.data(),
        P.places.data(),
        fine.data(),
        coarse.data());
    STRUT_CUDA_CHECK_LAUNCH("restrict_places_kernel");
  }

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
    if constexpr (n_components != 3)
      return MultigridOperations<Number>::make_galerkin_matrices(memory, elements);
    else
      return cuda::make_galerkin_matrices<Number>(this->loops_.context, memory, elements);
  }

  std::unique_ptr<DenseInverse<Number>> make_dense_inverse(Memory &memory,
                                                           const SymmetricSums &sums) const override
  {
    return cuda::make_dense_inverse<Number>(this->loops_.context, memory, sums);
  }

private:
  using Values = OfNode<Number, n_components>;

  template <unsigned int team>
  void restrict_by_teams(const NodeInterpolation &P,
                         const Array<Number> &fine,
                         Array<Number> &coarse) const
  {
    const cudaStream_t stream = this->loops_.context.activate();
    if (P.n_coarse == 0)
      return;
    constexpr unsigned int lanes = lanes_of_child(n_components) * team;
    restriction_kernel<n_components, team>
      <<<n_blocks(lanes * P.n_coarse, restriction_block), restriction_block, 0, stream>>>(
        P.n_coarse, P.children.view(), fine.data(), coarse.data());
    STRUT_CUDA_CHECK_LAUNCH("restriction_kernel");
  }
};
} // namespace

template <typename Number, int n_components>
std::unique_ptr<MultigridOperations<Number>> make_multigrid_operations(const Context &context)
{
  return std::make_unique<CudaMultigridOperations<Number, n_components>>(Loops{context});
}

template decltype(make_multigrid_operations<double, 3>) make_multigrid_operations<double, 3>;
template decltype(make_multigrid_operations<float, 3>) make_multigrid_operations<float, 3>;
template decltype(make_multigrid_operations<double, 1>) make_multigrid_operations<double, 1>;
template decltype(make_multigrid_operations<float, 1>) make_multigrid_operations<float, 1>;
} // namespace strut::cuda
