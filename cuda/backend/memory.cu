// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/backend/staged_copy.h"
#include "cuda/base/check.h"
#include "source/base/watchdog.h"

#include <strut/base/exceptions.h>

#include <sstream>

namespace strut::cuda
{
namespace
{
/// The memory of one device, by plain cudaMalloc.
///
/// Copies within the device and set_zero() are only submitted. All work that depends on them is on
/// the same stream behind them.
class DeviceMemory : public Memory
{
public:
  explicit DeviceMemory(const Context &context) : context_(context), staged_(context)
  {}

  void *allocate(const std::size_t bytes) override
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
             << " bytes free (" << available() / 1e6 << " MB), " << in_use() / 1e6
             << " MB already taken by this run.";
        throw OutOfMemory(text.str(), Remedy::use_less_device_memory);
      }
    STRUT_CUDA_CHECK(status);
    count_allocated(bytes);
    return pointer;
  }

  void deallocate(void *pointer, const std::size_t bytes) noexcept override
  {
    // After a failed kernel every call fails. The first caller has reported the failure, and this
    // must not throw.
    cudaSetDevice(context_.device());
    if (cudaFree(pointer) != cudaSuccess)
      cudaGetLastError();
    count_deallocated(bytes);
  }

  void copy_from_host(void *destination, const void *host_source, const std::size_t bytes) override
  {
    const cudaStream_t stream = context_.activate();
    const watchdog::Wait wait; // The wait includes earlier messages of other ranks; the same below.
    if (staged_.from_host(static_cast<char *>(destination),
                          static_cast<const char *>(host_source),
                          bytes))
      return;
    STRUT_CUDA_CHECK(
      cudaMemcpyAsync(destination, host_source, bytes, cudaMemcpyHostToDevice, stream));
    STRUT_CUDA_CHECK(cudaStreamSynchronize(stream));
  }

  void copy_to_host(void *host_destination, const void *source, const std::size_t bytes) override
  {
    const cudaStream_t stream = context_.activate();
    const watchdog::Wait wait;
    if (staged_.to_host(static_cast<char *>(host_destination),
                        static_cast<const char *>(source),
                        bytes))
      return;
    STRUT_CUDA_CHECK(
      cudaMemcpyAsync(host_destination, source, bytes, cudaMemcpyDeviceToHost, stream));
    STRUT_CUDA_CHECK(cudaStreamSynchronize(stream));
  }

  void copy(void *destination, const void *source, const std::size_t bytes) override
  {
    STRUT_CUDA_CHECK(
      cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDeviceToDevice, context_.activate()));
  }

  void set_zero(void *destination, const std::size_t bytes) override
  {
    STRUT_CUDA_CHECK(cudaMemsetAsync(destination, 0, bytes, context_.activate()));
  }

  std::size_t available() const override
  {
    context_.activate();
    std::size_t free = 0, total = 0;
    STRUT_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    return free;
  }

  bool is_host() const override
  {
    return false;
  }

  bool can_read(const void *const pointer) const override
  {
    context_.activate();
    cudaPointerAttributes attributes = {};
    STRUT_CUDA_CHECK(cudaPointerGetAttributes(&attributes, pointer));
    return attributes.type == cudaMemoryTypeDevice ? attributes.device == context_.device()
                                                   : attributes.type != cudaMemoryTypeUnregistered;
  }

private:
  const Context &context_;
  StagedCopy staged_;
};
} // namespace

std::unique_ptr<Memory> make_memory(const Context &context)
{
  return std::make_unique<DeviceMemory>(context);
}
} // namespace strut::cuda
