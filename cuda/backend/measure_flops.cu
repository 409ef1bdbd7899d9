// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/check.h"
#include "cuda/base/parallel_loop.cuh"

#include <strut/base/array.h>

namespace strut::cuda
{
namespace
{
constexpr int n_chains    = 8; ///< independent chains, which hide latency
constexpr int n_steps     = 4096;
constexpr int block_size  = 256;
constexpr int n_repeats   = 5; ///< number of runs, of which the best counts
constexpr int n_per_block = block_size * n_chains * n_steps;

/// Computes x <- a x + b, n_steps times, on n_chains numbers of each thread, in registers only.
/// That is 2 n_steps n_chains flops per thread. The store keeps the compiler from removing it all.
template <typename Number>
__global__ void __launch_bounds__(block_size)
  multiply_add_kernel(const Number a, const Number b, Number *const out)
{
  Number x[n_chains];
  for (int i = 0; i < n_chains; ++i)
    x[i] = Number(threadIdx.x + i);
#pragma unroll 16
  for (int k = 0; k < n_steps; ++k)
    for (int i = 0; i < n_chains; ++i)
      x[i] = a * x[i] + b;
  Number sum = 0;
  for (int i = 0; i < n_chains; ++i)
    sum += x[i];
  out[thread_number()] = sum;
}

template <typename Number>
double measure(const Context &context)
{
  cudaDeviceProp properties;
  STRUT_CUDA_CHECK(cudaGetDeviceProperties(&properties, context.device()));
  // There are 8 resident blocks, 8 times over.
  const int blocks  = 64 * properties.multiProcessorCount;
  const auto memory = make_memory(context);
  Array<Number> out(*memory, std::size_t(blocks) * block_size);
  const auto stopwatch = make_stopwatch(context);
  double best          = 0;
  for (int i = 0; i < n_repeats; ++i)
    {
      stopwatch->start();
      multiply_add_kernel<<<blocks, block_size, 0, context.activate()>>>(Number(0.999),
                                                                         Number(0.001),
                                                                         out.data());
      STRUT_CUDA_CHECK_LAUNCH("multiply_add_kernel");
      best = std::max(best, 2. * n_per_block * blocks / stopwatch->stop());
    }
  return best;
}
} // namespace

double measure_flops(const Precision precision, const Context &context)
{
  return precision == Precision::fp64 ? measure<double>(context) : measure<float>(context);
}
} // namespace strut::cuda
