// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <string>

namespace strut
{
/// Number of cores whose time the control groups of this process allow, as containers and batch
/// systems limit it ("docker run --cpus 1.5"). No value if there is no limit. Supports versions 1
/// and 2.
///
/// @param groups  the file that names the groups of the process @param root  their mount point
std::optional<double> cpu_quota(const std::string &groups = "/proc/self/cgroup",
                                const std::string &root   = "/sys/fs/cgroup");
} // namespace strut
