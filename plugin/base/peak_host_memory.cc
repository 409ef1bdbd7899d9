// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/peak_host_memory.h"

#include <sys/resource.h>

namespace strut::plugin
{
double peak_host_memory()
{
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024. * static_cast<double>(usage.ru_maxrss); // Linux counts kilobytes
}
} // namespace strut::plugin
