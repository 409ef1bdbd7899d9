// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/updates/design_update.h"

namespace strut
{
/// Optimality criteria, which lead from one design to the next. They find the multiplier with which
/// the densities of the next design hold the volume, `sum_e v_e rho_e(x) = target`. The tolerance
/// is 1e-6 relative, or 1e-9 where maps change densities, as published histories require.
///
/// The only constraint of the problem is the volume, with the derivative `dV/dx_e`.
///
/// The volume of a trial design x is that of its densities:
///
/// - without maps `sum_e v_e x_e`,
/// - with affine maps exactly `V(x_0) + sum_e dV/dx_e (x_e - x_0e)` from the design x_0 before,
/// - with other maps that of the mapped trial.
///
/// Solid and void elements never change, so they take no part in the differences.
class OptimalityUpdate : public DesignUpdate
{
public:
  explicit OptimalityUpdate(const UpdateContext &context);

  /// Compute the next design. The search for lambda, the only column, begins with the lambda of the
  /// last step.
  Step step(const DesignPoint &point, Array<double> &next) override;

  const std::vector<HistoryColumn> &columns() const override;
  bool fills_volume() const override
  {
    return true;
  }
  void set_move_limit(const double move_limit) override
  {
    criteria_.move_limit = move_limit;
  }

private:
  struct Found
  {
    double multiplier = 0;
    /// The design holds the volume; else it is out of reach of this step.
    bool holds = false;
  };
  Found find(const DesignPoint &point, double multiplier, Array<double> &next);

  /// Material of the trial design for a multiplier; leaves that design in `next`.
  double trial(const DesignPoint &point, double multiplier, Array<double> &next);

  Backend &backend_;
  Communicator communicator_;
  DesignChain &map_;
  OptimalityCriteria criteria_;
  const VolumeConstraint &volume_;
  const Array<DesignFlag> &flags_;
  const DesignVolumes &volumes_;

  double offset_ = 0.;            ///< V(x_0) - sum_e dV/dx_e x_0e, for affine maps
  Array<double> trial_densities_; ///< used only if the maps are not affine
};
} // namespace strut
