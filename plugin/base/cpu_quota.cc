// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/cpu_quota.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace strut
{
namespace fs = std::filesystem;

namespace
{
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
} // namespace strut
