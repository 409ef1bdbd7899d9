// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/entries.h"
#include "source/operators/strategy_pair.h"

#include <strut/backend/backend.h>

// The strategies of the GPU that exist to be compared, in the order of tables. Each is a function
// in a file of its name or of the strategy that it varies.
#define STRUT_STRATEGIES(STRATEGY) \
  STRATEGY(ebe8)                   \
  STRATEGY(ebe24)                  \
  STRATEGY(ebe64)                  \
  STRATEGY(ebe_sym)                \
  STRATEGY(dbd)                    \
  STRATEGY(slices)                 \
  STRATEGY(assembled)              \
  STRATEGY(assembled_ell)

namespace strut::cuda
{
STRUT_DECLARE_EACH(STRUT_STRATEGIES, StrategyPair)

namespace
{
/// Adds the strategies to the list of the backend, as a library of a user does, when the program
/// starts. Nothing else names this room, so strut can be built without it.
const bool are_added = [] {
  for (const StrategyPair &pair : std::vector<StrategyPair>{STRUT_CALL_EACH(STRUT_STRATEGIES)})
    {
      add_cuda_strategy(pair.in_double);
      add_cuda_strategy(pair.in_float);
    }
  return true;
}();
} // namespace
} // namespace strut::cuda
