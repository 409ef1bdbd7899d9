// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/operators/strategy_pair.h"

#include <vector>

namespace strut::cuda
{
StrategyPair csr();
std::vector<StrategyPair> nbn_tables();
} // namespace strut::cuda
