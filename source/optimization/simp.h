// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/design_method.h"
#include "source/optimization/maps/design_chain.h"
#include "source/optimization/maps/sensitivity_filter.h"
#include "source/optimization/optimality_update.h"
#include "source/optimization/optimization_settings.h"
#include "source/optimization/volume_check.h"
#include "source/optimization/volume_constraint.h"

#include <strut/optimization/objective.h>
#include <strut/solvers/state/state_solver.h>

#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// Topology optimization by SIMP and optimality criteria:
///
///     minimise  J(rho) = sum_l w_l J_l(u_l),   K(rho) u_l = f_l
///     over      rho_min <= rho_e <= 1,   sum_e v_e rho_e <= V_f sum_e v_e
///
/// with an Objective J, the compliance for one, E_e = E(rho_e) (Interpolation), dJ/drho_e =
/// E'(rho_e) dJ/dE_e, a DesignChain between the design variables x and the densities rho, and the update of
/// OptimalityCriteria (Bendsoe and Sigmund 2003), which may take sensitivities of the SensitivityFilter.
///
/// The fields stay on the backend, and only scalars cross in iterate(), but for what an objective on the host, self
/// weight or the solver copies (doc/architecture.md has a list).
class Simp : public DesignMethod
{
public:
  /// Its columns(): max |x_new - x| of the design variables; lambda of the optimality criteria.
  enum Column
  {
    density_change,
    multiplier
  };

  Simp(const Execution &execution,
       const ElementMesh &mesh,
       StateSolver &state,
       Objective &objective,
       DesignChain &map,
       const OptimizationSettings &settings);

  /// Bytes that it will keep on the backend, without those for the maps and the filter.
  static double memory_estimate(std::size_t n_elements);

  IterationRecord iterate() override;
  void complete_last() override;

  /// By the stopping rule, which waits for maps that are still changing, or by the limit of iterations.
  bool finished() const override;
  bool converged() const override;

  const std::vector<IterationRecord> &history() const override
  {
    return history_;
  }
  const std::vector<HistoryColumn> &columns() const override;

  /// Behind the maps.
  std::vector<double> analysed_densities() const override;
  std::vector<double> analysed_stiffness() const override;

  /// One field: the design variables, before the maps.
  DesignState state() const override;
  void restore(const DesignState &state, std::vector<IterationRecord> history) override;

  std::string take_warnings() override
  {
    return std::exchange(warnings_, "");
  }

  /// On the volume.
  DesignVerdict verdict() const override
  {
    return {volume_check_.verdict(), volume_check_.misses_volume()};
  }

  /// On maps that are still changing.
  std::string note() const override;

private:
  /// The uniform design whose densities meet the volume, on the host.
  std::vector<double> first_design(const ElementMesh &mesh);

  /// Smaller moves where the history alternates between two designs, and a warning that says so.
  void answer_two_cycles();

  Backend &backend_;
  Communicator communicator_;
  StateSolver &state_;
  Objective &objective_;
  DesignChain &map_;
  std::unique_ptr<SensitivityFilter> sensitivity_filter_; ///< null without one
  OptimizationSettings settings_;
  TimingTable &timing_;
  std::size_t n_elements_;
  VolumeConstraint volume_;

  Array<DesignFlag> flags_;
  Array<double> volumes_;
  Array<double> design_;
  Array<double> next_design_;
  Array<double> filtered_; ///< densities; empty if they are the design
  Array<double> stiffness_;
  Array<double> sensitivities_;
  Array<double> volume_sensitivities_; ///< empty if they are the volumes

  OptimalityUpdate update_;
  VolumeCheck volume_check_;
  bool promised_      = true;  ///< the update found that the next design holds the volume
  bool settled_       = false; ///< the maps
  double move_factor_ = 1.;    ///< of the move limit
  double stopping_factor_ =
    1.; ///< of the change of densities that ends a run: small cycles do not count
  std::string warnings_;
  std::vector<IterationRecord> history_;
};
} // namespace strut
