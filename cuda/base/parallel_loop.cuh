// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/check.h"
#include "cuda/base/context.h"

#include <algorithm>
#include <array>
#include <cstddef>

/// The two patterns of all vector and field operations, like those in source/base/parallel_loop.h.
/// Bodies and terms are device lambdas.
namespace strut::cuda
{
constexpr int loop_block_size            = 256;
constexpr int reduction_block_size       = 256;
constexpr int reduction_terms_per_thread = 4; ///< fewer terms take fewer blocks

/// Number of blocks with one thread for each of n items.
inline unsigned int n_blocks(const std::size_t n, const int block_size)
{
  return static_cast<unsigned int>((n + block_size - 1) / block_size);
}

/// Number of this thread in a one-dimensional launch.
__device__ inline std::size_t thread_number()
{
  return std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
}

template <typename Body>
__global__ void __launch_bounds__(loop_block_size)
  parallel_for_kernel(const std::size_t n, const Body body)
{
  const std::size_t i = thread_number();
  if (i < n)
    body(i);
}

/// Runs body(i) for all i < n, one thread each. The loop is submitted to a stream of the current
/// device, not waited for.
template <typename Body>
void parallel_for(const cudaStream_t stream, const std::size_t n, const Body &body)
{
  if (n == 0)
    return;
  parallel_for_kernel<<<n_blocks(n, loop_block_size), loop_block_size, 0, stream>>>(n, body);
  STRUT_CUDA_CHECK_LAUNCH("parallel_for_kernel");
}

/// Runs body(i) for all i < n on the stream of the context.
template <typename Body>
void parallel_for(const Context &context, const std::size_t n, const Body &body)
{
  parallel_for(context.activate(), n, body);
}

/// Combines two values of a reduction by their sum.
struct Sum
{
  __device__ double operator()(const double a, const double b) const
  {
    return a + b;
  }
};
struct Maximum
{
  __device__ double operator()(const double a, const double b) const
  {
    return a < b ? b : a;
  }
};

/// Combines one value of each thread of a block. Thread 0 gets the result.
template <int block_size, typename Combine>
__device__ double reduce_block(double value, const Combine combine)
{
  constexpr int warp_size = 32;
  constexpr int n_warps   = block_size / warp_size;
  __shared__ double of_warp[n_warps];

  for (int offset = warp_size / 2; offset > 0; offset /= 2)
    value = combine(value, __shfl_down_sync(0xffffffffu, value, offset));
  __syncthreads(); // An earlier call may still be reading.
  if (threadIdx.x % warp_size == 0)
    of_warp[threadIdx.x / warp_size] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int warp = 1; warp < n_warps; ++warp)
      value = combine(value, of_warp[warp]);
  return value;
}

/// Formula:   result = combination of term(i) over i < n, and 0.
/// Threads:   as many as the launch has; thread t takes the terms t, t + n_threads, ...; then warp
///            by shuffles, block through shared memory; the block that finishes last combines the
///            blocks.
/// Bytes:     those of the terms; 8 for each block.
/// Determinism: the order of combination depends on n and the constants above only, not on which
///            block is last; each term is evaluated once.
template <typename Combine, typename Term>
__global__ void __launch_bounds__(reduction_block_size)
  reduction_kernel(const std::size_t n,
                   const Combine combine,
                   const Term term,
                   const Context::ReductionScratch scratch)
{
  const std::size_t n_threads = std::size_t(gridDim.x) * blockDim.x;
  double value                = 0.;
#pragma unroll 4
  for (std::size_t i = thread_number(); i < n; i += n_threads)
    value = combine(value, term(i));
  value = reduce_block<reduction_block_size>(value, combine);

  __shared__ bool is_last;
  if (threadIdx.x == 0)
    {
      scratch.partial[blockIdx.x] = value;
      __threadfence(); // The partial value must be visible before the count.
      is_last = atomicAdd(scratch.finished, 1u) == gridDim.x - 1;
    }
  __syncthreads();
  if (!is_last)
    return;

  __threadfence(); // The count must be read before the partial values of the others.
  value = 0.;
  for (unsigned int block = threadIdx.x; block < gridDim.x; block += blockDim.x)
    value = combine(value, __ldcg(scratch.partial + block));
  value = reduce_block<reduction_block_size>(value, combine);
  if (threadIdx.x == 0)
    {
      *scratch.result   = value;
      *scratch.finished = 0;
    }
}

/// Returns the combination of term(i) over i < n, and of 0, in double; waits for it.
template <typename Combine, typename Term>
double parallel_reduce(const Context &context,
                       const std::size_t n,
                       const Combine &combine,
                       const Term &term)
{
  if (n == 0)
    return 0.;
  const cudaStream_t stream = context.activate();
  const unsigned int blocks = static_cast<unsigned int>(
    std::min<std::size_t>(Context::max_reduction_blocks,
                          n_blocks(n, reduction_block_size * reduction_terms_per_thread)));
  reduction_kernel<<<blocks, reduction_block_size, 0, stream>>>(n,
                                                                combine,
                                                                term,
                                                                context.reduction_scratch());
  STRUT_CUDA_CHECK_LAUNCH("reduction_kernel");
  STRUT_CUDA_CHECK(cudaStreamSynchronize(stream));
  return *context.reduction_scratch().result;
}

/// Returns the sum of term(i) over i < n in double, with the same bits in every run.
template <typename Term>
double parallel_sum(const Context &context, const std::size_t n, const Term &term)
{
  return parallel_reduce(context, n, Sum(), term);
}

/// Sums one array of each thread of a block, entry by entry. Thread k gets entry k of the result, k
/// < N.
template <int block_size, int N>
__device__ double sum_arrays_of_block(double (&values)[N])
{
  constexpr int warp_size = 32;
  constexpr int n_warps   = block_size / warp_size;
  __shared__ double of_warp[N][n_warps];

  __syncthreads(); // An earlier call may still be reading.
#pragma unroll
  for (int k = 0; k < N; ++k)
    {
      for (int offset = warp_size / 2; offset > 0; offset /= 2)
        values[k] += __shfl_down_sync(0xffffffffu, values[k], offset);
      if (threadIdx.x % warp_size == 0)
        of_warp[k][threadIdx.x / warp_size] = values[k];
    }
  __syncthreads();
  double sum = 0.;
  if (threadIdx.x < N)
    for (int warp = 0; warp < n_warps; ++warp)
      sum += of_warp[threadIdx.x][warp];
  return sum;
}

/// Formula:   result_k = sum over i < n of the k-th term of i, k < N; body(i, sums) adds all terms
///            of i.
/// Layout:    scratch.partial `[N][n_blocks]`.
/// Threads:   as in reduction_kernel; N sums per thread, in registers if the body's loops are
///            unrolled.
/// Bytes:     those of the terms; 8 N for each block.
/// Determinism: as reduction_kernel.
template <int N, typename Body>
__global__ void __launch_bounds__(reduction_block_size)
  sums_kernel(const std::size_t n, const Body body, const Context::ReductionScratch scratch)
{
  static_assert(N <= Context::max_sums && N <= reduction_block_size, "too many sums");
  const std::size_t n_threads = std::size_t(gridDim.x) * blockDim.x;
  double sums[N]              = {};
  for (std::size_t i = thread_number(); i < n; i += n_threads)
    body(i, sums);
  const double of_block = sum_arrays_of_block<reduction_block_size>(sums);

  __shared__ bool is_last;
  if (threadIdx.x < N)
    scratch.partial[threadIdx.x * gridDim.x + blockIdx.x] = of_block;
  __threadfence(); // The partial values must be visible before the count.
  __syncthreads();
  if (threadIdx.x == 0)
    is_last = atomicAdd(scratch.finished, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!is_last)
    return;

  __threadfence(); // The count must be read before the partial values of the others.
#pragma unroll
  for (int k = 0; k < N; ++k)
    {
      sums[k] = 0.;
      for (unsigned int block = threadIdx.x; block < gridDim.x; block += blockDim.x)
        sums[k] += __ldcg(scratch.partial + k * gridDim.x + block);
    }
  const double result = sum_arrays_of_block<reduction_block_size>(sums);
  if (threadIdx.x < N)
    scratch.result[threadIdx.x] = result;
  if (threadIdx.x == 0)
    *scratch.finished = 0;
}

/// Returns N sums of one pass, in double, and waits for them. body(i, sums) adds the terms of i < n
/// to its `double (&sums)[N]`. The bits are the same in every run.
template <int N, typename Body>
std::array<double, N> parallel_sums(const Context &context, const std::size_t n, const Body &body)
{
  std::array<double, N> sums{};
  if (n == 0)
    return sums;
  const cudaStream_t stream = context.activate();
  const unsigned int blocks = static_cast<unsigned int>(
    std::min<std::size_t>(Context::max_reduction_blocks,
                          n_blocks(n, reduction_block_size * reduction_terms_per_thread)));
  sums_kernel<N><<<blocks, reduction_block_size, 0, stream>>>(n, body, context.reduction_scratch());
  STRUT_CUDA_CHECK_LAUNCH("sums_kernel");
  STRUT_CUDA_CHECK(cudaStreamSynchronize(stream));
  std::copy_n(context.reduction_scratch().result, N, sums.begin());
  return sums;
}

/// The loops for the operations that both backends share: source/backend/*_loops.h.
struct Loops
{
  template <typename Body>
  void for_each(const std::size_t n, const Body &body) const
  {
    parallel_for(context, n, body);
  }
  template <typename Term>
  double sum(const std::size_t n, const Term &term) const
  {
    return parallel_sum(context, n, term);
  }
  template <int N, typename Body>
  std::array<double, N> sums(const std::size_t n, const Body &body) const
  {
    return parallel_sums<N>(context, n, body);
  }
  template <typename Value>
  double maximum(const std::size_t n, const Value &value) const
  {
    return parallel_reduce(context, n, Maximum(), value);
  }

  const Context &context;
};
} // namespace strut::cuda
