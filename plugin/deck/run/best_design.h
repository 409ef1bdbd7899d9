// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <vector>

#include "plugin/deck/run/run_parts.h"

namespace strut::plugin
{
/// The best design of a run that meets volume and constraints, among those that the filters of now have made: objectives under
/// another continuation are no measure of it. Methods that do not take any problem have none: they end with their best one.
class BestDesign
{
public:
  BestDesign(const RunContext &run, const Optimizer &optimizer);

  /// Its place in the history, which may be of an earlier start.
  std::optional<std::size_t> place() const;

  /// After an iteration: keeps its densities if it is the best one and the deck wants that. Collective.
  void update();

  /// Whether densities() are those of an iteration.
  bool has(const unsigned int iteration) const
  {
    return iteration_ == iteration;
  }
  const std::vector<double> &densities() const
  {
    return densities_;
  }

private:
  bool holds(const IterationRecord &record) const;

  const DeckParameters &parameters_;
  const Optimizer &optimizer_;
  bool exists_, limits_volume_;
  std::vector<DesignConstraint> constraints_; ///< their limits
  unsigned int iteration_ = 0;
  std::vector<double> densities_;
};
} // namespace strut::plugin
