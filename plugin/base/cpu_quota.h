// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <string>

namespace strut::plugin
{
/// How many cores' worth of time the control groups of this process allow it, as containers and batch
/// systems set it ("docker run --cpus 1.5"); nothing if they set no limit. Versions 1 and 2.
///
/// @param groups  the file that names the groups of the process @param root  where they are mounted
std::optional<double> cpu_quota(const std::string &groups = "/proc/self/cgroup",
                                const std::string &root   = "/sys/fs/cgroup");
} // namespace strut::plugin
