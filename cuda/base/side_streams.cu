// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/base/check.h"
#include "cuda/base/side_streams.h"

namespace strut::cuda
{
SideStreams::SideStreams(const Context &context, const std::size_t n)
  : context_(context), streams_(n, nullptr), joined_(n, nullptr)
{
  context_.activate();
  try
    {
      STRUT_CUDA_CHECK(cudaEventCreateWithFlags(&forked_, cudaEventDisableTiming));
      for (std::size_t i = 0; i < n; ++i)
        {
          STRUT_CUDA_CHECK(cudaStreamCreateWithFlags(&streams_[i], cudaStreamNonBlocking));
          STRUT_CUDA_CHECK(cudaEventCreateWithFlags(&joined_[i], cudaEventDisableTiming));
        }
    }
  catch (...)
    {
      release();
      throw;
    }
}

SideStreams::~SideStreams()
{
  release();
}

void SideStreams::release() noexcept
{
  cudaSetDevice(context_.device());
  for (const cudaStream_t stream : streams_)
    if (stream != nullptr)
      cudaStreamDestroy(stream);
  for (const cudaEvent_t event : joined_)
    if (event != nullptr)
      cudaEventDestroy(event);
  if (forked_ != nullptr)
    cudaEventDestroy(forked_);
}

void SideStreams::fork(const cudaStream_t main) const
{
  STRUT_CUDA_CHECK(cudaEventRecord(forked_, main));
  for (const cudaStream_t stream : streams_)
    STRUT_CUDA_CHECK(cudaStreamWaitEvent(stream, forked_));
}

void SideStreams::join(const cudaStream_t main) const
{
  for (std::size_t i = 0; i < streams_.size(); ++i)
    {
      STRUT_CUDA_CHECK(cudaEventRecord(joined_[i], streams_[i]));
      STRUT_CUDA_CHECK(cudaStreamWaitEvent(main, joined_[i]));
    }
}
} // namespace strut::cuda
