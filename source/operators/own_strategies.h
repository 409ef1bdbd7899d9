// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut::cpu
{
/// Whether a strategy of the CPU is built in, not added from outside.
bool is_own_strategy(const std::string &name);
} // namespace strut::cpu
