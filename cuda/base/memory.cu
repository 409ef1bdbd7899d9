// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "check.h"
#include "memory.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <sstream>

namespace strut::cuda
{
void *DeviceMemory::allocate(const std::size_t bytes)
{
  context_.activate();
  void *pointer            = nullptr;
  const cudaError_t status = cudaMalloc(&pointer, bytes);
  if (status == cudaErrorMemoryAllocation)
    {
      cudaGetLastError();
      std::ostringstream text;
      text << "Not enough memory on CUDA device " << context_.device() << ": " << bytes
           << " bytes needed (" << bytes / 1e6 << " MB) for one more array, " << available()
           << " bytes free (" << available() / 1e6 << " MB), " << in_use_ / 1e6
           << " MB already taken by this run.\n"
           << "  Use 'set Precision = float', fewer elements, another operator strategy, more MPI "
              "ranks on more GPUs, or 'set Backend = cpu'.";
      throw OutOfMemory(text.str());
    }
  STRUT_CUDA_CHECK(status);
  in_use_ += bytes;
  peak_ = std::max(peak_, in_use_);
  return pointer;
}

void DeviceMemory::deallocate(void *pointer, const std::size_t bytes) noexcept
{
  // After a failed kernel every call fails; the first to notice has said so, and this must not throw.
  cudaSetDevice(context_.device());
  if (cudaFree(pointer) != cudaSuccess)
    cudaGetLastError();
  in_use_ -= bytes;
}

void DeviceMemory::copy_from_host(void *destination,
                                  const void *host_source,
                                  const std::size_t bytes)
{
  const cudaStream_t stream = context_.activate();
  STRUT_CUDA_CHECK(
    cudaMemcpyAsync(destination, host_source, bytes, cudaMemcpyHostToDevice, stream));
  STRUT_CUDA_CHECK(cudaStreamSynchronize(stream));
}

void DeviceMemory::copy_to_host(void *host_destination, const void *source, const std::size_t bytes)
{
  const cudaStream_t stream = context_.activate();
  STRUT_CUDA_CHECK(
    cudaMemcpyAsync(host_destination, source, bytes, cudaMemcpyDeviceToHost, stream));
  STRUT_CUDA_CHECK(cudaStreamSynchronize(stream));
}

void DeviceMemory::copy(void *destination, const void *source, const std::size_t bytes)
{
  STRUT_CUDA_CHECK(
    cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDeviceToDevice, context_.activate()));
}

void DeviceMemory::set_zero(void *destination, const std::size_t bytes)
{
  STRUT_CUDA_CHECK(cudaMemsetAsync(destination, 0, bytes, context_.activate()));
}

std::size_t DeviceMemory::available() const
{
  context_.activate();
  std::size_t free = 0, total = 0;
  STRUT_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return free;
}
} // namespace strut::cuda
