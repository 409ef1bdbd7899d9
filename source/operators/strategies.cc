// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/entries.h"
#include "source/base/registry.h"
#include "source/operators/own_strategies.h"
#include "source/operators/strategy_pair.h"

#include <strut/backend/backend.h>

// The strategies of the CPU, in the order of tables; each is a function in a file of its name.
#define STRUT_STRATEGIES(STRATEGY) \
  STRATEGY(ebe)                    \
  STRATEGY(nbn)                    \
  STRATEGY(on_the_fly)

namespace strut
{
namespace cpu
{
STRUT_DECLARE_EACH(STRUT_STRATEGIES, StrategyPair)

namespace
{
/// The list of strategies, which add_cpu_strategy() extends.
template <typename Number>
StrategyList<Number> &strategies()
{
  static StrategyList<Number> list = in_precision<Number>({STRUT_CALL_EACH(STRUT_STRATEGIES)});
  return list;
}
} // namespace

bool is_own_strategy(const std::string &name)
{
  for (const Strategy<double> &own : in_precision<double>({STRUT_CALL_EACH(STRUT_STRATEGIES)}))
    if (own.name == name)
      return true;
  return false;
}
} // namespace cpu

template <typename Number>
const StrategyList<Number> &cpu_strategies()
{
  return cpu::strategies<Number>();
}

template const StrategyList<double> &cpu_strategies<double>();
template const StrategyList<float> &cpu_strategies<float>();

template <typename Number>
void add_cpu_strategy(const Strategy<Number> &strategy)
{
  add_named(cpu::strategies<Number>(), strategy, "an operator of the CPU backend");
}

template void add_cpu_strategy<double>(const Strategy<double> &);
template void add_cpu_strategy<float>(const Strategy<float> &);
} // namespace strut
