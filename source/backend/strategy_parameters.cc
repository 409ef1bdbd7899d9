// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/registry.h"

#include <strut/backend/strategy.h>

namespace strut
{
namespace
{
std::vector<StrategyParameters> &parameters_of_strategies()
{
  static std::vector<StrategyParameters> list;
  return list;
}
} // namespace

const std::vector<StrategyParameters> &strategy_parameters()
{
  return parameters_of_strategies();
}

void add_strategy_parameters(const StrategyParameters &parameters)
{
  add_named(parameters_of_strategies(), parameters, "a list of parameters of the operator");
}
} // namespace strut
