// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>

namespace strut::cuda
{
/// NVIDIA's collective communication library. It is opened at run time, so that one binary starts
/// with and without it. The types and numbers are those of its interface since version 2.7, which
/// later versions keep.
struct Nccl
{
  using Result = int; ///< 0: success
  struct Opaque;
  using Comm = Opaque *;
  struct UniqueId
  {
    char internal[128];
  };
  static constexpr int bytes = 1, float64 = 8; ///< numbers of the data types
  static constexpr int sum = 0;                ///< number of the reduction's operation

  Result (*GetVersion)(int *version);
  Result (*GetUniqueId)(UniqueId *id);
  Result (*CommInitRank)(Comm *comm, int n_ranks, UniqueId id, int rank);
  Result (*CommDestroy)(Comm comm);
  Result (*GroupStart)();
  Result (*GroupEnd)();
  Result (*Send)(
    const void *buffer, std::size_t n, int type, int to, Comm comm, cudaStream_t stream);
  Result (*Recv)(void *buffer, std::size_t n, int type, int from, Comm comm, cudaStream_t stream);
  Result (*AllReduce)(const void *in,
                      void *out,
                      std::size_t n,
                      int type,
                      int operation,
                      Comm comm,
                      cudaStream_t stream);
  const char *(*GetErrorString)(Result result);

  /// Version such as "2.27.3".
  std::string version() const;

  /// Throws Error, with NCCL's own text, unless the result is success.
  void check(Result result, const char *call) const;
};

/// Returns the library, which stays open. If it returns null, `reason` says why.
const Nccl *open_nccl(std::string &reason);
} // namespace strut::cuda
