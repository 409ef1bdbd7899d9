// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/driver/make_backend.h"

#include <strut/base/exceptions.h>

#include <omp.h>

#include <algorithm>

namespace strut::plugin
{
namespace
{
/// This rank among those of its machine, and how many they are.
std::pair<int, int> local_rank(const Communicator &communicator)
{
  MPI_Comm local;
  MPI_Comm_split_type(communicator.mpi(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
  int rank = 0, size = 1;
  MPI_Comm_rank(local, &rank);
  MPI_Comm_size(local, &size);
  MPI_Comm_free(&local);
  return {rank, size};
}
} // namespace

ChosenBackend make_backend(const std::string &name,
                           const unsigned int n_threads,
                           const Communicator &communicator)
{
  const auto [rank, n_ranks] = local_rank(communicator);

  std::string no_gpu;
  const int n_devices = name == "cpu" ? 0 : n_cuda_devices(&no_gpu);
  // every rank must come to the same decision
  const bool gpu = !communicator.any(n_devices == 0);
  if (name == "cuda" && !gpu)
    throw EntryError({},
                     "Backend",
                     "The deck asks for a GPU, but there is none to use: " +
                       (no_gpu.empty() ? "another rank has none" : no_gpu) +
                       ".\n  Either 'set Backend = cpu' (or auto), or run where a GPU and, in the "
                       "build, the CUDA toolkit are.");

  ChosenBackend chosen;
  if (gpu)
    {
      chosen.backend = make_cuda_backend(rank % n_devices);
      chosen.reason  = name == "auto" ? "auto: a GPU was found" : "as the deck asks";
      return chosen;
    }
  const int share = std::max(1, omp_get_max_threads() / n_ranks);
  chosen.backend  = make_cpu_backend(n_threads > 0 ? n_threads : static_cast<unsigned int>(share));
  chosen.reason   = name == "auto" ? "auto: no GPU was found, " + no_gpu : "as the deck asks";
  return chosen;
}
} // namespace strut::plugin
