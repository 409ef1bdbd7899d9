// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "strategies.h"

#include "ebe.h"
#include "nbn.h"

namespace strut::cpu
{
template <typename Number>
StrategyList<Number> &strategies()
{
  static StrategyList<Number> list = {
    ebe<Number>(),
    nbn<Number>(),
  };
  return list;
}

template StrategyList<double> &strategies<double>();
template StrategyList<float> &strategies<float>();
} // namespace strut::cpu
