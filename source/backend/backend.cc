// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/backend_operations.h"
#include "source/backend/recording.h"
#include "source/element/components.h"

namespace strut
{
std::unique_ptr<Recording> Backend::make_recording()
{
  return nullptr;
}

const DesignOperations &Backend::design_operations() const
{
  return *operations().design;
}

const MmaOperations &Backend::mma_operations() const
{
  return *operations().mma;
}

const StressOperations &Backend::stress_operations() const
{
  return *operations().stress;
}

const FilterOperations &Backend::filter_operations() const
{
  return *operations().filter;
}

const LevelOperations &Backend::level_operations() const
{
  return *operations().level;
}

template <typename Number>
const VectorOperations<Number> &Backend::vector_operations() const
{
  return *std::get<NumberOperations<Number>>(operations().by_number).vector;
}

template <typename Number>
const MultigridOperations<Number> &
Backend::multigrid_operations(const unsigned int n_components) const
{
  const auto &of_number = std::get<NumberOperations<Number>>(operations().by_number);
  return with_components(n_components, [&](const auto n) -> const MultigridOperations<Number> & {
    return n == 3 ? *of_number.multigrid : *of_number.scalar_multigrid;
  });
}

template <typename Number>
const StrategyList<Number> &Backend::strategies() const
{
  return std::get<NumberOperations<Number>>(operations().by_number).strategies;
}

template const VectorOperations<double> &Backend::vector_operations<double>() const;
template const VectorOperations<float> &Backend::vector_operations<float>() const;
template const MultigridOperations<double> &
Backend::multigrid_operations<double>(unsigned int) const;
template const MultigridOperations<float> &Backend::multigrid_operations<float>(unsigned int) const;
template const StrategyList<double> &Backend::strategies<double>() const;
template const StrategyList<float> &Backend::strategies<float>() const;
} // namespace strut
