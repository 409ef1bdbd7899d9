// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "source/base/team.h"

namespace strut
{
/// Number of cores whose time the control groups of this process allow, as containers and batch
/// systems limit it ("docker run --cpus 1.5"). No value if there is no limit. Supports versions 1
/// and 2.
///
/// @param groups  the file that names the groups of the process @param root  their mount point
std::optional<double> cpu_quota(const std::string &groups = "/proc/self/cgroup",
                                const std::string &root   = "/sys/fs/cgroup");

/// The machine and the GPU of each rank.
class RankTable
{
public:
  /// @param gpu  Backend::hardware_id() of this rank. Collective.
  RankTable(const Communicator &communicator, const std::string &gpu);

  /// Number of ranks that use this rank's GPU, itself included.
  int n_sharing() const;

  /// The ranks of the first GPU that several ranks use, the same on each rank. Empty if there is
  /// none.
  std::vector<std::string> sharing() const;

  /// A line for each rank, for the log, such as "0: node1, GPU-5f0c...".
  std::vector<std::string> lines() const;

private:
  int rank_;
  std::vector<std::string> machines_, gpus_;
};

/// The backend that was asked for, and never silently another one.
struct ChosenBackend
{
  std::shared_ptr<Backend> backend; ///< null if a GPU is asked for and there is none
  /// Why this backend was chosen, or why there is none; empty if it was asked for by name.
  std::string reason;
  /// Number of ranks that share the backend's memory, this one included.
  int n_sharing = 1;
  /// Threads of the CPU backend, or of the host's work for a GPU.
  unsigned int n_threads = 1;
  /// Way of communication between ranks; empty for one rank.
  std::string communication = {};
  /// Ranks of the first GPU that several ranks share; see RankTable::sharing().
  std::vector<std::string> sharing = {};
  /// RankTable::lines() of several ranks with GPUs.
  std::vector<std::string> ranks = {};
};

/// @param name  auto, cuda or cpu
/// @param n_threads  threads of the CPU backend; 0: this rank's share of the cores
/// @param device  device of the CUDA backend; -1: the ranks of a machine take its GPUs in turn
/// @param stream  stream for the work of the CUDA backend, see source/backend/cuda_stream.h; null:
/// the backend makes one
/// @throws Error, on all ranks, if the backend of one cannot be made. Collective.
ChosenBackend choose_backend(const std::string &name,
                             unsigned int n_threads,
                             const Communicator &communicator,
                             int device                  = -1,
                             Communication communication = Communication::automatic,
                             void *stream                = nullptr);

/// Makes the backend that the deck asks for; see choose_backend(). Collective.
/// @throws EntryError if the deck asks for a GPU and there is none
ChosenBackend make_backend(const std::string &name,
                           unsigned int n_threads,
                           const Communicator &communicator,
                           Communication communication = Communication::automatic);

/// Limits this thread's default number of threads to this rank's share during its life. Otherwise
/// the host's work for a GPU would take all cores on each rank of a machine.
class HostThreads
{
public:
  explicit HostThreads(const ChosenBackend &chosen) : before_(cpu::default_n_threads())
  {
    if (!chosen.backend->memory().is_host())
      cpu::set_default_n_threads(static_cast<int>(chosen.n_threads));
  }
  ~HostThreads()
  {
    cpu::set_default_n_threads(before_);
  }
  HostThreads(const HostThreads &)            = delete;
  HostThreads &operator=(const HostThreads &) = delete;

private:
  const int before_;
};
} // namespace strut
