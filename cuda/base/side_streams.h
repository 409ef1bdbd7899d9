// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"

#include <vector>

namespace strut::cuda
{
/// Streams beside that of a context, for work whose parts do not depend on each other. The work
/// between fork() and join() runs after the earlier work of the main stream, and before its later
/// work.
class SideStreams
{
public:
  SideStreams(const Context &context, std::size_t n);
  ~SideStreams();

  SideStreams(const SideStreams &)            = delete;
  SideStreams &operator=(const SideStreams &) = delete;

  void fork(cudaStream_t main) const;
  void join(cudaStream_t main) const;

  cudaStream_t stream(const std::size_t i) const
  {
    return streams_[i];
  }

private:
  void release() noexcept;

  const Context &context_;
  cudaEvent_t forked_ = nullptr;
  std::vector<cudaStream_t> streams_;
  std::vector<cudaEvent_t> joined_;
};
} // namespace strut::cuda
