// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/entries.h"
#include "source/base/registry.h"
#include "source/operators/strategy_pair.h"

#include <strut/backend/backend.h>

// The strategies of the GPU, in the order of tables. Each is a function in a file of its name or of
// the strategy that it varies.
#define STRUT_STRATEGIES(STRATEGY) \
  STRATEGY(ebe)                    \
  STRATEGY(nbn)                    \
  STRATEGY(on_the_fly)             \
  STRATEGY(on_the_fly_ordered)

namespace strut
{
namespace cuda
{
STRUT_DECLARE_EACH(STRUT_STRATEGIES, StrategyPair)

namespace
{
/// The list of strategies, which grows with add_cuda_strategy().
template <typename Number>
StrategyList<Number> &strategies()
{
  static StrategyList<Number> list = in_precision<Number>({STRUT_CALL_EACH(STRUT_STRATEGIES)});
  return list;
}
} // namespace
} // namespace cuda

template <typename Number>
const StrategyList<Number> &cuda_strategies()
{
  return cuda::strategies<Number>();
}

template const StrategyList<double> &cuda_strategies<double>();
template const StrategyList<float> &cuda_strategies<float>();

template <typename Number>
void add_cuda_strategy(const Strategy<Number> &strategy)
{
  add_named(cuda::strategies<Number>(), strategy, "an operator of the CUDA backend");
}

template void add_cuda_strategy<double>(const Strategy<double> &);
template void add_cuda_strategy<float>(const Strategy<float> &);
} // namespace strut
