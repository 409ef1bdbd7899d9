// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/backend.h>

namespace strut::cpu
{
/// The strategies of the CPU backend, in the order in which tables list them; grows with
/// add_cpu_strategy().
template <typename Number>
StrategyList<Number> &strategies();
} // namespace strut::cpu
