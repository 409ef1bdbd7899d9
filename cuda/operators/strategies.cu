// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "strategies.h"

#include "assembled.h"
#include "dbd.h"
#include "ebe.h"
#include "ebe24.h"
#include "ebe64.h"
#include "ebe8.h"
#include "ebe_sym.h"
#include "nbn.h"
#include "on_the_fly.h"

namespace strut::cuda
{
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

template StrategyList<double> &strategies<double>();
template StrategyList<float> &strategies<float>();
} // namespace strut::cuda
