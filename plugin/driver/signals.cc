// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/driver/signals.h"

#include <csignal>

namespace strut::plugin
{
namespace
{
volatile std::sig_atomic_t requested = 0;

void request_stop(const int signal)
{
  requested = 1;
  std::signal(signal, SIG_DFL);
}
} // namespace

void catch_stop_signals()
{
  std::signal(SIGINT, &request_stop);
  std::signal(SIGTERM, &request_stop);
  // mpirun hands this one on and waits; after SIGINT it gives its ranks a second only
  std::signal(SIGUSR1, &request_stop);
}

bool stop_requested()
{
  return requested != 0;
}
} // namespace strut::plugin
