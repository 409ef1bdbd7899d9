// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "strategies.h"

#include <strut/backend/backend.h>
#include <strut/base/registry.h>

namespace strut
{
namespace cuda
{
namespace
{
/// Grows with add_cuda_strategy().
template <typename Number>
StrategyList<Number> &strategies()
{
  static StrategyList<Number> list = {
    ebe<Number>(),
    nbn<Number>(),
    ebe8<Number>(),
    ebe24<Number>(),
    ebe64<Number>(),
    ebe_sym<Number>(),
    dbd<Number>(),
    on_the_fly<Number>(),
    on_the_fly_ordered<Number>(),
    assembled<Number>(),
    assembled_ell<Number>(),
  };
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
  add_named(cuda::strategies<Number>(), strategy, "a strategy of the CUDA backend");
}

template void add_cuda_strategy<double>(const Strategy<double> &);
template void add_cuda_strategy<float>(const Strategy<float> &);
} // namespace strut
