// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "strategies.h"

#include "ebe.h"
#include "nbn.h"
#include "on_the_fly.h"

namespace strut::cpu
{
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

template StrategyList<double> &strategies<double>();
template StrategyList<float> &strategies<float>();
} // namespace strut::cpu
