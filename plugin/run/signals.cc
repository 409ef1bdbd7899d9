// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/run/signals.h"

#include <csignal>

namespace strut::plugin
{
namespace
{
volatile std::sig_atomic_t requested = 0;

void request_stop(const int signal)
{
  requested = 1;
  // A terminal that is closed sends it twice: its shell does, and the system. With the terminal the
  // program that reads the log may be gone: results come first.
  const bool terminal_is_gone = signal == SIGHUP;
  std::signal(signal, terminal_is_gone ? SIG_IGN : SIG_DFL);
  if (terminal_is_gone)
    std::signal(SIGPIPE, SIG_IGN);
}
} // namespace

void catch_stop_signals()
{
  std::signal(SIGINT, &request_stop);
  std::signal(SIGTERM, &request_stop);
  // mpirun hands this one on and waits; after SIGINT it gives its ranks a second only
  std::signal(SIGUSR1, &request_stop);
  // nohup has it ignored, and means it
  if (std::signal(SIGHUP, &request_stop) == SIG_IGN)
    std::signal(SIGHUP, SIG_IGN);
}

bool stop_requested()
{
  return requested != 0;
}
} // namespace strut::plugin
