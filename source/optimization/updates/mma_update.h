// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/design/moving_asymptotes.h"
#include "source/optimization/updates/design_update.h"
#include "source/optimization/updates/moving_asymptotes.h"

#include <memory>
#include <vector>

namespace strut
{
/// MovingAsymptotes as an update: `mma`, or `gcmma` with `is_global`.
class MmaUpdate : public DesignUpdate
{
public:
  /// Parameters of the update.
  struct Settings
  {
    AsymptoteRule asymptotes;

    void declare(ParameterList &list);
  };

  MmaUpdate(const UpdateContext &context, bool is_global);

  /// Compute the next design. The columns are the norm of the KKT residual and the number of passes
  /// of the dual; `gcmma` adds the number of analyses of trials. The residual is that of the
  /// analysed design with the multipliers of the step before, so the first design has none.
  Step step(const DesignPoint &point, Array<double> &next) override;

  const std::vector<HistoryColumn> &columns() const override
  {
    return columns_;
  }
  void set_move_limit(const double move_limit) override
  {
    asymptotes_.set_move_limit(move_limit);
  }
  bool damps_alternation() const override
  {
    return true;
  }
  int kkt_column() const override
  {
    return 0;
  }
  DesignState state() const override
  {
    return asymptotes_.state();
  }
  void restore(const DesignState &state) override
  {
    asymptotes_.restore(state);
  }

  /// Entry of the list of updates, without name and summary.
  template <bool is_global>
  static DesignUpdateEntry entry()
  {
    DesignUpdateEntry entry;
    entry.make = [](const UpdateContext &context) -> std::unique_ptr<DesignUpdate> {
      return std::make_unique<MmaUpdate>(context, is_global);
    };
    entry.parameters      = parameters_of<Settings>();
    entry.has_kkt_norm    = true;
    entry.obstacle        = &obstacle;
    entry.n_fields        = 3;
    entry.memory_estimate = [](const std::size_t n_elements, const std::size_t n_constraints) {
      const double of_trials = is_global ? 2. * sizeof(double) : 0.;
      return static_cast<double>(n_elements) *
             (MovingAsymptotes::bytes_per_element(n_constraints) + of_trials);
    };
    return entry;
  }

private:
  static std::string obstacle(const OptimizationProblem &problem, std::size_t n_load_cases);

  bool is_global_;
  std::vector<HistoryColumn> columns_;
  MovingAsymptotes asymptotes_;
};
} // namespace strut
