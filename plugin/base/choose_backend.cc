// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/choose_backend.h"

#include <sched.h>

#include <strut/backend/cuda_stream.h>
#include <strut/base/exceptions.h>
#include <strut/base/text.h>

#include <algorithm>
#include <cmath>

#include "plugin/base/attempt.h"
#include "plugin/base/core_binding.h"
#include "plugin/base/cpu_quota.h"
#include "plugin/base/rank_table.h"
#include "source/base/team.h"

namespace strut
{
namespace
{
/// Position of this rank among those of its machine.
struct LocalRank
{
  int rank    = 0;
  int n_ranks = 1;
  /// Number of cores that the machine's ranks share: allowed to at least one of them, and limited
  /// by the quota.
  int n_cores = 1;

  explicit LocalRank(const Communicator &communicator)
  {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof(mine), &mine);
    int mpi_runs = 0;
    MPI_Initialized(&mpi_runs);
    if (mpi_runs == 0) // serial programs of deal.II
      {
        n_cores = usable(mine);
        return;
      }

    MPI_Comm local;
    MPI_Comm_split_type(communicator.mpi(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
    MPI_Comm_rank(local, &rank);
    MPI_Comm_size(local, &n_ranks);

    // mpirun may have bound each rank to separate cores, or left all cores to all of them
    cpu_set_t all;
    CPU_ZERO(&all);
    MPI_Allreduce(&mine, &all, sizeof(mine), MPI_BYTE, MPI_BOR, local);
    n_cores = usable(all);
    MPI_Comm_free(&local);
  }

private:
  static int usable(const cpu_set_t &cores)
  {
    const int n      = std::max(1, CPU_COUNT(&cores));
    const auto quota = cpu_quota();
    return quota && *quota < n ? std::max(1, static_cast<int>(std::ceil(*quota))) : n;
  }
};

/// Default number of threads of this rank: OMP_NUM_THREADS, else its share of the cores.
unsigned int default_threads(const LocalRank &local)
{
  return static_cast<unsigned int>(
    cpu::n_threads_of_environment().value_or(std::max(1, local.n_cores / local.n_ranks)));
}
} // namespace

ChosenBackend choose_backend(const std::string &name,
                             const unsigned int n_threads,
                             const Communicator &communicator,
                             const int device,
                             const Communication communication,
                             void *const stream)
{
  const LocalRank local(communicator);

  std::string no_gpu;
  const int n_devices = name == "cpu" ? 0 : n_cuda_devices(&no_gpu);
  // every rank must make the same decision
  const bool gpu = !communicator.any(n_devices == 0);
  if (no_gpu.empty())
    no_gpu = "another rank has none";

  ChosenBackend chosen;
  if (gpu)
    {
      attempt_together(communicator, [&]() {
        if (device >= n_devices)
          throw Error("There is no GPU " + std::to_string(device) + ", this rank sees " +
                        std::to_string(n_devices) + ", counted from 0.",
                      Remedy::choose_listed_gpu);
        chosen.backend =
          make_cuda_backend(device >= 0 ? device : local.rank % n_devices, communication, stream);
      });
      chosen.n_threads = default_threads(local);
      chosen.reason    = name == "auto" ? "auto: a GPU was found" : "";
    }
  else if (name == "cuda")
    chosen.reason = no_gpu;
  else
    {
      chosen.n_threads = n_threads > 0 ? n_threads : default_threads(local);
      attempt_together(communicator,
                       [&]() { chosen.backend = make_cpu_backend(chosen.n_threads); });
      chosen.n_sharing = local.n_ranks;
      chosen.reason    = name == "auto" ? "auto: no GPU was found, " + no_gpu : "";
    }
  if (gpu)
    {
      const RankTable table(communicator, chosen.backend->hardware_id());
      chosen.sharing   = table.sharing();
      chosen.n_sharing = table.n_sharing();
      if (communicator.size() > 1)
        chosen.ranks = table.lines();
    }
  if (chosen.backend != nullptr && communicator.size() > 1)
    attempt_or_abort(communicator, [&]() {
      chosen.communication = chosen.backend->transport(communicator).name();
    });
  return chosen;
}

ChosenBackend make_backend(const std::string &name,
                           const unsigned int n_threads,
                           const Communicator &communicator,
                           const Communication communication)
{
  const LocalRank local(communicator);
  replace_default_binding(local.rank, local.n_ranks);
  ChosenBackend chosen = choose_backend(name, n_threads, communicator, -1, communication);
  if (chosen.backend == nullptr)
    throw EntryError({},
                     "Backend",
                     "The deck asks for a GPU, but there is none to use: " + chosen.reason +
                       ".\n  Either 'set Backend = cpu' (or auto), or run where a GPU and, in the "
                       "build, the CUDA toolkit are.");
  if (communicator.size() > 1 && communication != Communication::automatic &&
      chosen.backend->memory().is_host())
    throw EntryError(
      {},
      "Communication",
      "The entry chooses how GPUs exchange what they have, and here the CPU computes (" +
        (chosen.reason.empty() ? "as the deck asks" : chosen.reason) +
        "), whose ranks exchange by MPI.\n  Leave it at auto, or run where GPUs are.");
  if (!chosen.sharing.empty() && communication != Communication::staged)
    throw EntryError(
      {},
      "Communication",
      "The ranks " + join(chosen.sharing) +
        " would share one GPU, and be slower than one rank alone. The ranks have:\n  " +
        join(chosen.ranks, "\n  ") +
        "\n  Start one rank for each GPU, or 'set Communication = staged' if sharing is meant.");
  // Limits the other work of the host, for a GPU and for files; otherwise each rank of a machine
  // would use all cores.
  cpu::set_default_n_threads(static_cast<int>(chosen.n_threads));
  if (chosen.reason.empty())
    chosen.reason = "as the deck asks";
  return chosen;
}
} // namespace strut
