// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "strategies.h"

#include "ebe.h"
#include "nbn.h"

namespace strut::cuda
{
template <typename Number>
const StrategyList<Number> &strategies()
{
  static const StrategyList<Number> list = {
    ebe<Number>(),
    nbn<Number>(),
  };
  return list;
}

template const StrategyList<double> &strategies<double>();
template const StrategyList<float> &strategies<float>();
} // namespace strut::cuda
