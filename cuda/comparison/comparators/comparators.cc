// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/comparators/comparators.h"

#include "cuda/comparison/comparators/parts.h"

namespace strut::cuda
{
template <typename Number>
StrategyList<Number> comparators()
{
  std::vector<StrategyPair> pairs = nbn_tables();
#ifdef STRUT_WITH_CUSPARSE
  pairs.push_back(csr());
#endif
  return in_precision<Number>(pairs);
}

template StrategyList<double> comparators();
template StrategyList<float> comparators();
} // namespace strut::cuda
