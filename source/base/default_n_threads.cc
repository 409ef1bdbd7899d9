// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>

#include "source/base/team.h"

namespace strut::cpu
{
std::optional<int> read_n_threads(const char *const text)
{
  if (text == nullptr)
    return {};
  char *end        = nullptr;
  errno            = 0;
  const long value = std::strtol(text, &end, 10);
  while (*end == ' ')
    ++end;
  if (end == text || (*end != '\0' && *end != ',') || errno != 0 || value < 1 ||
      value > std::numeric_limits<int>::max())
    return {};
  return static_cast<int>(value);
}

namespace
{
int n_usable_cores()
{
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof(cores), &cores);
  return std::max(1, CPU_COUNT(&cores));
}

thread_local int of_this_thread = 0; ///< 0: not set
} // namespace

std::optional<int> n_threads_of_environment()
{
  static const std::optional<int> value = read_n_threads(std::getenv("OMP_NUM_THREADS"));
  return value;
}

int default_n_threads()
{
  static const int of_process = n_threads_of_environment().value_or(n_usable_cores());
  return of_this_thread > 0 ? of_this_thread : of_process;
}

void set_default_n_threads(const int n_threads)
{
  of_this_thread = n_threads;
}
} // namespace strut::cpu
