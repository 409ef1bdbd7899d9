// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/base/choose_backend.h"
#include "source/base/team.h"

namespace strut
{
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
