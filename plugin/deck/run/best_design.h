// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <vector>

#include "plugin/deck/run/run_parts.h"

namespace strut
{
/// The best design of a run that meets volume and constraints. Only designs of the present filters
/// count: objectives from another state of a continuation are not comparable. Methods with a
/// problem of their own have none: they end with their best design.
class BestDesign
{
public:
  BestDesign(const RunContext &run, const Optimizer &optimizer);

  /// Index in the history of the run, which may include earlier starts; none without such a design.
  std::optional<std::size_t> place() const;

  /// Keeps the densities of this iteration if the design is the best one and the deck asks for it.
  /// Collective.
  void update();

  /// Whether densities() belongs to this iteration.
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
  std::vector<DesignConstraint> constraints_; ///< constraints with their limits
  unsigned int iteration_ = 0;
  std::vector<double> densities_;
};
} // namespace strut
