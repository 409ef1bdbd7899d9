// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/check.h"
#include "cuda/base/context.h"
#include "cuda/base/scratch.h"

#include <thrust/system/cuda/error.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system_error.h>

/// Calls of Thrust and CUB on the stream of the context, with scratch buffers from the memory of
/// the backend. Algorithms without a result on the host are submitted, not waited for.
namespace strut::cuda
{
/// Runs work(), and reports errors of Thrust like STRUT_CUDA_CHECK.
template <typename Work>
auto checked_thrust(const Work &work)
{
  try
    {
      return work();
    }
  catch (const thrust::system_error &error)
    {
      STRUT_CUDA_CHECK(error.code().category() == thrust::cuda_category()
                         ? static_cast<cudaError_t>(error.code().value())
                         : cudaErrorUnknown);
      throw; // This is never reached, since the status is an error.
    }
}

/// Runs work(policy) with algorithms that need no scratch buffer: gather, transform, tabulate,
/// searches.
template <typename Work>
auto with_thrust(const Context &context, const Work &work)
{
  return checked_thrust([&]() { return work(thrust::cuda::par_nosync.on(context.activate())); });
}

/// Runs work(policy) with any algorithm.
template <typename Work>
auto with_thrust(const Context &context, Scratch &scratch, const Work &work)
{
  return checked_thrust(
    [&]() { return work(thrust::cuda::par_nosync(scratch).on(context.activate())); });
}

/// Allocates the scratch buffer of a function of CUB, called as `call(scratch, bytes)`.
template <typename Call>
std::size_t reserve_for(Scratch &scratch, const Call &call)
{
  std::size_t bytes = 0;
  STRUT_CUDA_CHECK(call(nullptr, bytes));
  scratch.reserve(bytes);
  return bytes;
}

/// Runs a function of CUB.
template <typename Call>
void run_cub(Scratch &scratch, const Call &call)
{
  std::size_t bytes = 0;
  STRUT_CUDA_CHECK(call(nullptr, bytes));
  char *const block        = scratch.allocate(static_cast<std::ptrdiff_t>(bytes));
  const cudaError_t status = call(static_cast<void *>(block), bytes);
  scratch.deallocate(block, bytes); // The next user is behind it on the stream.
  STRUT_CUDA_CHECK(status);
}
} // namespace strut::cuda
