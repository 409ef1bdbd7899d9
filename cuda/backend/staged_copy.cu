// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/staged_copy.h"
#include "cuda/base/check.h"
#include "source/base/team.h"

#include <algorithm>
#include <cstring>

namespace strut::cuda
{
namespace
{
/// Largest number of threads that copy; more are no faster than the bus.
constexpr int most_copying_threads = 8;

void copy_by_threads(char *const destination, const char *const source, const std::size_t bytes)
{
  constexpr std::size_t page = 4096; // No two threads touch the same page.
  const std::size_t n_parts =
    static_cast<std::size_t>(std::min(most_copying_threads, cpu::default_n_threads()));
  const std::size_t part_size = (bytes / n_parts / page + 1) * page;
  cpu::run_parts(static_cast<int>(n_parts), [&](const int part) {
    const std::size_t begin = static_cast<std::size_t>(part) * part_size;
    if (begin < bytes)
      std::memcpy(destination + begin, source + begin, std::min(part_size, bytes - begin));
  });
}
} // namespace

StagedCopy::StagedCopy(const Context &context) : context_(context)
{}

StagedCopy::~StagedCopy()
{
  release();
}

void StagedCopy::release() noexcept
{
  cudaSetDevice(context_.device());
  for (Buffer &buffer : buffers_)
    {
      if (buffer.is_free != nullptr)
        cudaEventDestroy(buffer.is_free);
      if (buffer.bytes != nullptr)
        cudaFreeHost(buffer.bytes);
      buffer = Buffer();
    }
}

bool StagedCopy::provide_buffers()
{
  if (was_tried_)
    return has_buffers_;
  was_tried_ = true;
  context_.activate();
  for (Buffer &buffer : buffers_)
    if (cudaMallocHost(&buffer.bytes, buffer_size) != cudaSuccess ||
        cudaEventCreateWithFlags(&buffer.is_free, cudaEventDisableTiming) != cudaSuccess)
      {
        cudaGetLastError(); // Plain copies need neither buffers nor events.
        release();
        return false;
      }
  return has_buffers_ = true;
}

bool StagedCopy::from_host(char *const destination,
                           const char *const source,
                           const std::size_t bytes)
{
  const std::unique_lock lock(in_use_, std::try_to_lock);
  if (bytes < least_bytes || !lock.owns_lock() || !provide_buffers())
    return false;
  const cudaStream_t stream = context_.activate();
  for (std::size_t begin = 0, i = 0; begin < bytes; begin += buffer_size, ++i)
    {
      const Buffer &buffer = buffers_[i % 2];
      const std::size_t n  = std::min(buffer_size, bytes - begin);
      if (i >= 2)
        STRUT_CUDA_CHECK(cudaEventSynchronize(buffer.is_free));
      copy_by_threads(buffer.bytes, source + begin, n);
      STRUT_CUDA_CHECK(
        cudaMemcpyAsync(destination + begin, buffer.bytes, n, cudaMemcpyHostToDevice, stream));
      STRUT_CUDA_CHECK(cudaEventRecord(buffer.is_free, stream));
    }
  STRUT_CUDA_CHECK(cudaStreamSynchronize(stream));
  return true;
}

bool StagedCopy::to_host(char *const destination, const char *const source, const std::size_t bytes)
{
  const std::unique_lock lock(in_use_, std::try_to_lock);
  if (bytes < least_bytes || !lock.owns_lock() || !provide_buffers())
    return false;
  const cudaStream_t stream = context_.activate();
  const auto submit         = [&](const std::size_t i) {
    const std::size_t begin = i * buffer_size;
    if (begin >= bytes)
      return;
    const Buffer &buffer = buffers_[i % 2];
    STRUT_CUDA_CHECK(cudaMemcpyAsync(buffer.bytes,
                                     source + begin,
                                     std::min(buffer_size, bytes - begin),
                                     cudaMemcpyDeviceToHost,
                                     stream));
    STRUT_CUDA_CHECK(cudaEventRecord(buffer.is_free, stream));
  };
  submit(0);
  for (std::size_t begin = 0, i = 0; begin < bytes; begin += buffer_size, ++i)
    {
      submit(i + 1);
      STRUT_CUDA_CHECK(cudaEventSynchronize(buffers_[i % 2].is_free));
      copy_by_threads(destination + begin,
                      buffers_[i % 2].bytes,
                      std::min(buffer_size, bytes - begin));
    }
  return true;
}
} // namespace strut::cuda
