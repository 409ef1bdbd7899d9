// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/base/check.h"
#include "cuda/base/context.h"

#include <strut/base/exceptions.h>

#include <cctype>
#include <fstream>
#include <iomanip>
#include <sstream>

namespace strut::cuda
{
namespace
{
/// An empty kernel whose attributes are queried. The query fails where this build has no code for
/// the device.
__global__ void probe()
{}

constexpr double gibibyte = 1024. * 1024. * 1024.;

cudaDeviceProp properties_of(const int device)
{
  cudaDeviceProp properties;
  STRUT_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  return properties;
}

std::string short_description(const int device)
{
  const cudaDeviceProp properties = properties_of(device);
  std::ostringstream text;
  text.precision(4);
  text << properties.name << ", compute capability " << properties.major << '.' << properties.minor
       << ", " << properties.totalGlobalMem / gibibyte << " GiB";
  return text.str();
}

/// Returns the version of the installed driver, such as "580.95.05"; empty if the system does not
/// provide it.
std::string driver_version()
{
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line); // NVRM version: ... Kernel Module  580.95.05  Release Build ...
  std::istringstream words(line);
  std::string word;
  while (words >> word)
    if (std::isdigit(static_cast<unsigned char>(word[0])) && word.find('.') != std::string::npos)
      return word;
  return "";
}

/// Whether the stream belongs to the current device, which can then record an event there. CUDA
/// before 12.8 has no other query.
bool takes_events(const cudaStream_t stream)
{
  cudaEvent_t event;
  STRUT_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  const bool taken = cudaEventRecord(event, stream) == cudaSuccess;
  cudaEventDestroy(event);
  cudaGetLastError(); // This clears the error.
  return taken;
}

/// Throws unless the stream belongs to the device, which is current before and afterwards.
void require_stream_of(const int device, const int n_devices, const cudaStream_t stream)
{
  if (stream == cudaStreamPerThread)
    throw Error(
      "The stream that was given is cudaStreamPerThread, which is another one in each thread: work of two threads "
      "would be out of order.\n  Give a stream of cudaStreamCreateWithFlags().");
  if (takes_events(stream))
    return;
  for (int other = 0; other < n_devices; ++other)
    {
      STRUT_CUDA_CHECK(cudaSetDevice(other));
      const bool is_there = other != device && takes_events(stream);
      STRUT_CUDA_CHECK(cudaSetDevice(device));
      if (is_there)
        throw Error("The stream that was given is one of CUDA device " + std::to_string(other) +
                    ", and the backend computes on device " + std::to_string(device) +
                    ".\n  Ask for the device of the stream, or give a stream of that device.");
    }
  throw Error(
    "The stream that was given is none of any device that this process sees, or it is in a failed capture.\n  Give "
    "a cudaStream_t that cudaStreamCreateWithFlags() made, and destroy it after the backend.");
}

/// Returns a version as text. CUDA writes 13.0 as 13000.
std::string cuda_version(const int number)
{
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string uuid_of(const int device)
{
  const cudaUUID_t uuid = properties_of(device).uuid;
  std::ostringstream text;
  text << "GPU-" << std::hex << std::setfill('0');
  for (int i = 0; i < 16; ++i)
    text << (i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "") << std::setw(2)
         << (static_cast<unsigned int>(uuid.bytes[i]) & 0xffu);
  return text.str();
}

std::string full_description(const int device)
{
  int runtime = 0, supported = 0;
  STRUT_CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  STRUT_CUDA_CHECK(cudaDriverGetVersion(&supported));
  const std::string driver = driver_version();
  return short_description(device) + " (device " + std::to_string(device) + "), driver " +
         (driver.empty() ? "" : driver + " ") + "(CUDA " + cuda_version(supported) +
         "), CUDA runtime " + cuda_version(runtime);
}
} // namespace

int count_devices(std::string *reason)
{
  int n                    = 0;
  const cudaError_t status = cudaGetDeviceCount(&n);
  if (status == cudaSuccess && n > 0)
    return n;
  cudaGetLastError();
  if (reason != nullptr)
    {
      // Without a driver the runtime reports that the driver is too old.
      int supported = 0;
      cudaDriverGetVersion(&supported);
      *reason = supported == 0          ? "no NVIDIA driver is installed"
                : status == cudaSuccess ? "no CUDA-capable device is detected"
                                        : cudaGetErrorString(status);
    }
  return 0;
}

Context::Context(const int device, const cudaStream_t stream)
  : device_(device), stream_(stream), owns_stream_(stream == nullptr)
{
  std::string reason;
  const int n = count_devices(&reason);
  if (n == 0)
    throw Error("The CUDA backend was asked for, but there is no GPU to use: " + reason + ".",
                Remedy::provide_gpu);
  if (device < 0 || device >= n)
    {
      std::string text =
        "There is no CUDA device " + std::to_string(device) + ".\n  This process sees:";
      for (int d = 0; d < n; ++d)
        text += "\n    " + std::to_string(d) + ": " + short_description(d);
      throw Error(text, Remedy::choose_listed_gpu);
    }

  // Asked here, since the driver answers no other call while it starts.
  uuid_        = uuid_of(device);
  description_ = full_description(device);
  // A stream of the application is checked here, which needs the device.
  if (!owns_stream_)
    {
      STRUT_CUDA_CHECK(cudaSetDevice(device));
      require_stream_of(device, n, stream);
    }
  started_ = std::async(owns_stream_ ? std::launch::async : std::launch::deferred, [this] {
               start();
             }).share();
  if (!owns_stream_)
    started_.get();
}

void Context::start()
{
  STRUT_CUDA_CHECK(cudaSetDevice(device_));
  cudaFuncAttributes attributes;
  STRUT_CUDA_CHECK(cudaFuncGetAttributes(&attributes, probe));
  try
    {
      if (owns_stream_)
        STRUT_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
      ReductionScratch &scratch = reduction_scratch_;
      STRUT_CUDA_CHECK(
        cudaMalloc(&scratch.partial, max_sums * max_reduction_blocks * sizeof(double)));
      STRUT_CUDA_CHECK(cudaMalloc(&scratch.finished, sizeof(unsigned int)));
      STRUT_CUDA_CHECK(cudaMemsetAsync(scratch.finished, 0, sizeof(unsigned int), stream_));
      STRUT_CUDA_CHECK(
        cudaHostAlloc(&scratch.result, max_sums * sizeof(double), cudaHostAllocMapped));
    }
  catch (...)
    {
      release();
      throw;
    }
}

Context::~Context()
{
  started_.wait();
  release();
}

void Context::release() noexcept
{
  // An error here has been reported by the work that caused it, or has no reader any more.
  cudaSetDevice(device_);
  if (stream_ != nullptr)
    cudaStreamSynchronize(stream_);
  cudaFreeHost(reduction_scratch_.result);
  cudaFree(reduction_scratch_.finished);
  cudaFree(reduction_scratch_.partial);
  if (owns_stream_ && stream_ != nullptr)
    cudaStreamDestroy(stream_);
  reduction_scratch_ = {nullptr, nullptr, nullptr};
  if (owns_stream_)
    stream_ = nullptr;
  cudaGetLastError();
}

cudaStream_t Context::activate() const
{
  started_.get();
  STRUT_CUDA_CHECK(cudaSetDevice(device_));
  return stream_;
}

void Context::synchronize() const
{
  STRUT_CUDA_CHECK(cudaStreamSynchronize(activate()));
}
} // namespace strut::cuda
