// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <omp.h>

#include "plugin/base/choose_backend.h"

namespace strut::plugin
{
/// As long as it lives, OpenMP gives this thread no more threads than are this rank's share: what the host
/// does for a GPU asks OpenMP, which would give all cores to each rank of a machine. The application's
/// own setting comes back.
class HostThreads
{
public:
  explicit HostThreads(const ChosenBackend &chosen) : before_(omp_get_max_threads())
  {
    if (!chosen.backend->memory().is_host())
      omp_set_num_threads(static_cast<int>(chosen.n_threads));
  }
  ~HostThreads()
  {
    omp_set_num_threads(before_);
  }
  HostThreads(const HostThreads &)            = delete;
  HostThreads &operator=(const HostThreads &) = delete;

private:
  const int before_;
};
} // namespace strut::plugin
