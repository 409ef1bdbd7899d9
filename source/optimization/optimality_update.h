// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/maps/design_chain.h"
#include "source/optimization/volume_constraint.h"

#include <strut/backend/backend.h>
#include <strut/design/optimality_criteria.h>

namespace strut
{
/// From one design to the next by optimality criteria: finds the multiplier with which the physical
/// densities of the next design hold the volume, `sum_e v_e rho_e(x) = target`, to 1e-6 relative, and to
/// 1e-9 where maps change densities (published histories are made with that much).
///
/// The volume of a trial design x is that of its densities: without maps `sum_e v_e x_e`; if
/// they are affine, `V(x_0) + sum_e dV/dx_e (x_e - x_0e)`, exactly, from the design x_0 before; else the
/// trial is mapped. Solid and void elements never change, so they take no part in the differences.
class OptimalityUpdate
{
public:
  /// The fields that the step begins with, `[n_elements]` each.
  struct Fields
  {
    const Array<double> &design;
    const Array<double> &densities;
    const Array<double>
      &objective_sensitivities; ///< with respect to the design, as volume_sensitivities
    const Array<double> &volume_sensitivities;
  };

  struct Step
  {
    double multiplier = 0;
    bool holds        = false; ///< the volume; else it is out of reach of this step
  };

  /// All references must outlive it.
  /// @param flags, volumes  of the elements, `[n_elements]`
  OptimalityUpdate(Backend &backend,
                   const Communicator &communicator,
                   DesignChain &map,
                   const OptimalityCriteria &criteria,
                   const VolumeConstraint &volume,
                   const Array<DesignFlag> &flags,
                   const Array<double> &volumes);

  /// Instead of the one of the criteria.
  void set_move_limit(const double move_limit)
  {
    criteria_.move_limit = move_limit;
  }

  /// Collective. @param multiplier  to begin with @param next  the next design; overwritten
  Step step(const Fields &fields, double multiplier, Array<double> &next);

  /// Material in design elements at these densities. Collective.
  double material(const Array<double> &densities) const;

private:
  /// Material of the trial design for a multiplier; leaves that design in `next`.
  double trial(const Fields &fields, double multiplier, Array<double> &next);

  Backend &backend_;
  Communicator communicator_;
  DesignChain &map_;
  OptimalityCriteria criteria_;
  const VolumeConstraint &volume_;
  const Array<DesignFlag> &flags_;
  const Array<double> &volumes_;

  double offset_ = 0.;            ///< of affine maps: V(x_0) - sum_e dV/dx_e x_0e
  Array<double> trial_densities_; ///< only if the maps are not affine
};
} // namespace strut
