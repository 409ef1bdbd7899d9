// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/filter_operations.h"
#include "source/backend/mma_operations.h"
#include "source/backend/multigrid_operations.h"
#include "source/backend/stress_operations.h"

#include <strut/backend/backend.h>

#include <memory>
#include <tuple>

namespace strut
{
/// The operations of a backend on vectors and matrices of one number type.
template <typename Number>
struct NumberOperations
{
  std::unique_ptr<const VectorOperations<Number>> vector;
  std::unique_ptr<const MultigridOperations<Number>> multigrid; ///< three components per node
  std::unique_ptr<const MultigridOperations<Number>> scalar_multigrid; ///< one component
  const StrategyList<Number> &strategies;
};

/// The operations that a backend makes once and hands out.
struct Backend::Operations
{
  std::unique_ptr<const DesignOperations> design;
  std::unique_ptr<const MmaOperations> mma;
  std::unique_ptr<const StressOperations> stress;
  std::shared_ptr<const FilterOperations> filter;
  std::unique_ptr<const LevelOperations> level;
  std::tuple<NumberOperations<double>, NumberOperations<float>> by_number;
};
} // namespace strut
