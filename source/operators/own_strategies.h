// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut::cpu
{
/// Whether a strategy of the CPU is strut's own, and none that somebody has added.
bool is_own_strategy(const std::string &name);
} // namespace strut::cpu
