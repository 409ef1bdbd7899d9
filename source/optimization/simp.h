// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/optimality_update.h"
#include "source/optimization/stopping.h"
#include "source/optimization/volume_check.h"
#include "source/optimization/volume_constraint.h"

#include <strut/design/interpolation.h>
#include <strut/design/optimality_criteria.h>
#include <strut/optimization/filter.h>
#include <strut/optimization/objective.h>
#include <strut/solvers/state_solver.h>

#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// What the user asks of the optimization.
struct SimpSettings
{
  double volume_fraction = 0.3;
  bool count_non_design  = true; ///< solid and void regions are part of the volume
  Interpolation interpolation;
  OptimalityCriteria criteria;
  StoppingRule stopping;
};

/// One row of the history.
struct IterationRecord
{
  unsigned int iteration         = 0;    ///< from 1
  double objective               = 0;    ///< J; of the compliance sum_l w_l (2 f_l.u_l - u_l.K u_l)
  double volume_fraction         = 0;    ///< of the analysed design
  double density_change          = 0;    ///< max |x_new - x| of the design variables
  double multiplier              = 0;    ///< lambda of the optimality criteria
  unsigned int solver_iterations = 0;    ///< sum over the load cases, of second solves too
  double residual                = 0;    ///< largest over the load cases
  double seconds                 = 0;    ///< wall time of the iteration
  std::vector<double> case_objectives{}; ///< J_l of each load case, without weights
};

/// Topology optimization by SIMP and optimality criteria:
///
///     minimise  J(rho) = sum_l w_l J_l(u_l),   K(rho) u_l = f_l
///     over      rho_min <= rho_e <= 1,   sum_e v_e rho_e <= V_f sum_e v_e
///
/// with an Objective J, the compliance for one, E_e = E(rho_e) (Interpolation), dJ/drho_e =
/// E'(rho_e) dJ/dE_e, a Filter between the design variables x and the densities rho, and the update of
/// OptimalityCriteria (Bendsoe and Sigmund 2003).
///
/// The fields stay on the backend; only scalars cross in iterate().
class Simp
{
public:
  Simp(const Execution &execution,
       const ElementMesh &mesh,
       StateSolver &state,
       Objective &objective,
       Filter &filter,
       const SimpSettings &settings);

  /// Bytes that it will keep on the backend, without those for the filter.
  static double memory_estimate(std::size_t n_elements);

  /// Analyse the current design, then compute the next one. The analysed densities stay available
  /// until the next call.
  IterationRecord iterate();

  /// Whether the stopping rule or the limit of iterations ends the optimization here. The rule waits
  /// for a filter that is still changing.
  bool finished() const;
  bool converged() const;

  /// Whether the filter of the last design was what it will be.
  bool filter_is_settled() const
  {
    return settled_;
  }

  /// Warnings since the last call, empty if there are none; clears them.
  std::string take_warnings()
  {
    return std::exchange(warnings_, "");
  }

  /// What is wrong with the volume of the last design; empty if nothing.
  std::string volume_verdict() const
  {
    return volume_check_.verdict();
  }

  const std::vector<IterationRecord> &history() const
  {
    return history_;
  }

  /// The densities, after the filter, that the last iterate() analysed, on the host, `[n_elements]`.
  std::vector<double> analysed_densities() const;

  /// The design variables, before the filter, that the next iterate() will analyse, on the host; and to continue from
  /// such a state.
  std::vector<double> next_design() const;
  void restore(const std::vector<double> &next_design, std::vector<IterationRecord> history);

private:
  /// The uniform design whose densities meet the volume, on the host.
  std::vector<double> first_design(const ElementMesh &mesh);

  Backend &backend_;
  Communicator communicator_;
  StateSolver &state_;
  Objective &objective_;
  Filter &filter_;
  SimpSettings settings_;
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
  bool promised_ = true;  ///< the update found that the next design holds the volume
  bool settled_  = false; ///< the filter
  std::string warnings_;
  std::vector<IterationRecord> history_;
};
} // namespace strut
