// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/choose_backend.h"
#include "source/backend/cuda_stream.h"
#include "source/backend/transport.h"
#include "source/base/text.h"

#include <sched.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "plugin/base/attempt.h"
#include "source/base/team.h"

namespace strut
{
namespace
{
namespace fs = std::filesystem;

/// Whether Open MPI started this process, and no option or setting chose cores.
bool is_bound_by_default()
{
  for (const char *const choice : {"OMPI_MCA_hwloc_base_binding_policy",
                                   "OMPI_MCA_rmaps_base_mapping_policy",
                                   "OMPI_MCA_rmaps_rank_file_path",
                                   "OMPI_MCA_hwloc_base_cpu_list",
                                   "OMPI_MCA_hwloc_base_cpu_set",
                                   "OMPI_MCA_hwloc_base_slot_list"})
    if (std::getenv(choice) != nullptr)
      return false;
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
}

std::vector<int> cores_in(const cpu_set_t &set)
{
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set))
      cores.push_back(core);
  return cores;
}

/// Replaces Open MPI's default binding by this process's share of the machine's cores. Open MPI
/// binds each of up to two ranks to a core, and more ranks to a socket, unless its command line
/// says otherwise. The host's work of a rank would then have few cores, whatever the machine has. A
/// binding that somebody asked for stays. Existing threads of the process keep theirs.
///
/// @param rank  number among the ranks of this machine @param n_ranks  number of ranks of this
/// machine
void replace_default_binding(const int rank, const int n_ranks)
{
  cpu_set_t bound;
  if (!is_bound_by_default() || sched_getaffinity(0, sizeof(bound), &bound) != 0)
    return;

  // The kernel removes cores that the control group of this process does not allow.
  cpu_set_t all;
  CPU_ZERO(&all);
  for (int core = 0; core < CPU_SETSIZE; ++core)
    CPU_SET(core, &all);
  if (sched_setaffinity(0, sizeof(all), &all) != 0 || sched_getaffinity(0, sizeof(all), &all) != 0)
    return;

  const std::vector<int> cores = cores_in(all);
  cpu_set_t share;
  CPU_ZERO(&share);
  for (std::size_t i = cores.size() * rank / n_ranks; i < cores.size() * (rank + 1) / n_ranks; ++i)
    CPU_SET(cores[i], &share);
  // With more ranks than cores, the old binding stays.
  const cpu_set_t &chosen = CPU_COUNT(&share) > CPU_COUNT(&bound) ? share : bound;
  sched_setaffinity(0, sizeof(chosen), &chosen);
}

/// Quota by version 2, a file such as "200000 100000", where the first number may be "max".
std::optional<double> quota_of_v2(const fs::path &group)
{
  double quota = 0, period = 0;
  std::ifstream file(group / "cpu.max");
  if (file >> quota >> period && quota > 0. && period > 0.)
    return quota / period;
  return {};
}

/// Quota by version 1, in two files; -1 means no quota.
std::optional<double> quota_of_v1(const fs::path &group)
{
  double quota = 0, period = 0;
  if (std::ifstream(group / "cpu.cfs_quota_us") >> quota &&
      std::ifstream(group / "cpu.cfs_period_us") >> period && quota > 0. && period > 0.)
    return quota / period;
  return {};
}

/// Lowers `least` to the least quota of a group and its ancestors. A container may see its own
/// group as the root, under the path that it has outside.
template <typename QuotaOf>
void lower_to(std::optional<double> &least,
              const fs::path &root,
              const std::string &group,
              const QuotaOf &quota_of)
{
  fs::path path = group;
  while (true)
    {
      if (const auto quota = quota_of(root / path.relative_path()))
        least = std::min(least.value_or(*quota), *quota);
      if (!path.has_relative_path())
        return;
      path = path.parent_path();
    }
}

/// Texts of all ranks, each cut off after a fixed length. Collective.
std::vector<std::string> texts_of_ranks(const Communicator &communicator, const std::string &text)
{
  if (communicator.size() == 1)
    return {text};
  using Text = std::array<char, 128>;
  Text own{};
  std::copy_n(text.begin(), std::min(text.size(), own.size() - 1), own.begin());
  std::vector<Text> all(communicator.size());
  MPI_Allgather(
    own.data(), sizeof(Text), MPI_CHAR, all.data(), sizeof(Text), MPI_CHAR, communicator.mpi());
  std::vector<std::string> texts;
  for (const Text &one : all)
    texts.emplace_back(one.data());
  return texts;
}

/// Name that only the ranks of one machine have in common.
std::string name_of_machine(const Communicator &communicator)
{
  if (communicator.size() == 1)
    return "";
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return name.data();
}

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

std::optional<double> cpu_quota(const std::string &groups, const std::string &root)
{
  std::optional<double> least;
  std::ifstream file(groups);
  for (std::string line; std::getline(file, line);)
    {
      // lines are "4:cpu,cpuacct:/path" in version 1, "0::/path" in version 2
      const std::size_t first = line.find(':'), second = line.find(':', first + 1);
      if (first == std::string::npos || second == std::string::npos)
        continue;
      const std::string controllers = line.substr(first + 1, second - first - 1);
      const std::string group       = line.substr(second + 1);
      std::istringstream names(controllers);
      if (controllers.empty())
        lower_to(least, root, group, quota_of_v2);
      for (std::string name; std::getline(names, name, ',');)
        if (name == "cpu")
          lower_to(least, fs::path(root) / controllers, group, quota_of_v1);
    }
  return least;
}

RankTable::RankTable(const Communicator &communicator, const std::string &gpu)
  : rank_(communicator.rank())
  , machines_(texts_of_ranks(communicator, name_of_machine(communicator)))
  , gpus_(texts_of_ranks(communicator, gpu))
{}

int RankTable::n_sharing() const
{
  return static_cast<int>(std::count(gpus_.begin(), gpus_.end(), gpus_[rank_]));
}

std::vector<std::string> RankTable::sharing() const
{
  for (const std::string &gpu : gpus_)
    if (!gpu.empty() && std::count(gpus_.begin(), gpus_.end(), gpu) > 1)
      {
        std::vector<std::string> ranks;
        for (std::size_t rank = 0; rank < gpus_.size(); ++rank)
          if (gpus_[rank] == gpu)
            ranks.push_back(std::to_string(rank));
        return ranks;
      }
  return {};
}

std::vector<std::string> RankTable::lines() const
{
  std::vector<std::string> lines;
  for (std::size_t rank = 0; rank < gpus_.size(); ++rank)
    lines.push_back(std::to_string(rank) + ": " + machines_[rank] +
                    (gpus_[rank].empty() ? "" : ", " + gpus_[rank]));
  return lines;
}

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
        if (communicator.size() > 1) // All ranks hear of a device that does not start.
          chosen.backend->synchronize();
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
