// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/core_binding.h"

#include <sched.h>

#include <cstdlib>
#include <vector>

namespace strut
{
namespace
{
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
} // namespace

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
} // namespace strut
