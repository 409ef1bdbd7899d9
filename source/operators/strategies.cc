// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "strategies.h"

#include <strut/backend/backend.h>
#include <strut/base/registry.h>

namespace strut
{
namespace cpu
{
namespace
{
/// Grows with add_cpu_strategy().
template <typename Number>
StrategyList<Number> &strategies()
{
  static StrategyList<Number> list = {
    ebe<Number>(),
    nbn<Number>(),
    on_the_fly<Number>(),
  };
  return list;
}
} // namespace
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
  add_named(cpu::strategies<Number>(), strategy, "a strategy of the CPU backend");
}

template void add_cpu_strategy<double>(const Strategy<double> &);
template void add_cpu_strategy<float>(const Strategy<float> &);
} // namespace strut
