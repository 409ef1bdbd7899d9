// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/design_functions.h"
#include "source/optimization/design_method.h"
#include "source/optimization/maps/design_chain.h"
#include "source/optimization/maps/sensitivity_filter.h"
#include "source/optimization/optimization_settings.h"
#include "source/optimization/problem/volume_constraint.h"
#include "source/optimization/updates/design_update.h"
#include "source/optimization/volume_check.h"

#include <strut/solvers/state/state_solver.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// Topology optimization by SIMP:
///
///     minimise  J(rho, u_l),   K(rho) u_l = f_l
///     over      rho_min <= rho_e <= 1,   sum_e v_e rho_e <= V_f sum_e v_e,   and further constraints
///
/// with the responses of an OptimizationProblem, the compliance for one, E_e = E(rho_e)
/// (Interpolation), a DesignChain between the design variables x and the densities rho, and a
/// DesignUpdate. Optimality criteria may take sensitivities of the SensitivityFilter.
///
/// With RobustFields the problem is that of several densities of one design, and the densities of
/// results are those of the blueprint.
///
/// The fields stay on the backend, and only scalars cross in iterate(), but for what a response on
/// the host, self weight or the solver copies (doc/architecture.md has a list).
class Simp : public DesignMethod
{
public:
  /// Its columns(): max |x_new - x| of the design variables; those of the update; the values of the
  /// constraints.
  static constexpr std::size_t density_change = 0, first_of_update = 1;

  Simp(const Execution &execution,
       const ElementMesh &mesh,
       StateSolver &state,
       OptimizationProblem problem,
       DesignChain &map,
       const OptimizationSettings &settings);

  /// Bytes that it will keep on the backend for one objective and the volume, without those for the
  /// volumes (DesignVolumes), the maps and the filter.
  static double memory_estimate(std::size_t n_elements);

  IterationRecord iterate() override;
  void complete_last() override;

  /// By the stopping rule, which waits for maps that are still changing, or by the limit of
  /// iterations.
  bool finished() const override;
  bool converged() const override;

  const std::vector<IterationRecord> &history() const override
  {
    return history_;
  }
  const std::vector<HistoryColumn> &columns() const override
  {
    return columns_;
  }

  std::vector<DesignFieldRecord> fields() const override;
  std::vector<double> field_densities(std::size_t i) const override;
  void prepare_results(bool is_last) override;

  /// Behind the maps; of a robust design those of the blueprint.
  std::vector<double> analysed_densities() const override;
  std::vector<double> analysed_stiffness() const override;
  std::size_t displacements_of_stiffness() const override
  {
    return set_of_stiffness_;
  }

  /// The design variables, before the maps; then the update's.
  DesignState state() const override;
  void restore(const DesignState &state, std::vector<IterationRecord> history) override;

  std::string take_warnings() override
  {
    return std::exchange(warnings_, "");
  }

  /// On the volume and the constraints.
  DesignVerdict verdict() const override;

  /// On maps that are still changing, or have changed just before the end, and on limits that were
  /// never near.
  std::vector<std::string> notes() const override;

private:
  using Field = RobustFields::Field;

  /// Throws Error where the fields of a robust design do not go together with the rest.
  void check_fields(const ElementMesh &mesh) const;
  const RobustFields &robust() const
  {
    return functions_.problem().fields;
  }
  const Array<double> &densities_of(Field field) const;
  /// The densities of all fields of `design_`.
  void map_design();
  /// Stiffness and displacements of a field become the current ones.
  /// @param work  `[n_elements]`, overwritten: the factors, which operators copy
  void select(Field field, Array<double> &work);
  /// Between two designs: the objective's derivative, which the next one begins with zeros.
  Array<double> &free_array()
  {
    return functions_.rows().front().derivative;
  }
  /// Solve all fields, and evaluate the functions. Afterwards displacements are those of the
  /// results. Throws SolverFailure.
  /// @param work  null: the derivatives are not asked for
  void analyse(SolverReport (StateSolver::*solve)(std::size_t),
               Array<double> *work,
               IterationRecord &record);
  /// The next design is the current one again, after a solve that failed.
  void give_up();
  /// Of a robust design: record the volumes of the fields, and renew the limit of the dilated one
  /// if it is due.
  void limit_volume(const IterationRecord &record, double of_blueprint, double of_dilated);
  /// The objectives of the fields become those of the last analysis.
  void record_objectives();
  /// By how much the blueprint of the last design misses the volume, of that, if the limit decides
  /// on it: below 0 it has less.
  double missed_volume() const;
  /// Of a robust design: the displacements of the other fields, for a checkpoint; and from one.
  void add_displacements(DesignState &state) const;
  /// @param next  the first of DesignState::node_fields that holds them
  void restore_displacements(const DesignState &state, std::size_t next);
  /// The same for the adjoint solutions that the next ones begin with. Numbers and fields follow
  /// those that are there.
  void add_adjoints(DesignState &state) const;
  /// @param numbers  that add_adjoints() has added; advanced past them
  /// @return how many of DesignState::node_fields, from the first on, hold them
  std::size_t restore_adjoints(const DesignState &state,
                               std::vector<double>::const_iterator &numbers);

  /// The design with the values and derivatives of its functions, for the update.
  /// @param material  in the design elements of the field whose volume is limited
  DesignPoint point(const Array<double> &densities, double material, double residual);
  /// The size of a constraint's values: its limit, or where that is 0 the first value.
  double size_of(const DesignConstraint &constraint) const;
  /// Sizes of the functions, with the first design.
  void set_sizes();
  /// Those of DesignPoint, the objective's first. @param shift  of the members of a worst case
  std::vector<double> values_of_functions(double shift, double material) const;
  /// The values of the functions of another design. Displacements are those of the analysed one
  /// again afterwards.
  std::vector<double> analyse_trial(const Array<double> &trial, double shift);

  /// Limits that are broken cut the moves down to this, unless the deck asks for less.
  static constexpr double least_move_limit = 0.02;

  /// A design that misses the volume by more, of that, is not the last one, and a fault is told.
  static constexpr double volume_tolerance = 1e-3;

  /// Whether record i of the history meets the stopping criterion.
  bool meets_criterion(std::size_t i) const;

  /// How many iterations a design takes behind the last change of the maps; empty: it had them.
  std::string note_on_maps() const;

  /// A warning for take_warnings(), behind those that are there.
  void warn(const std::string &text)
  {
    warnings_ += (warnings_.empty() ? "" : "\n  NOTE: ") + text;
  }

  /// The move limit after the halvings against two-cycles and the cuts against limits that are
  /// broken and get worse.
  /// @param constraints  values of the design that is not in the history yet
  double move_limit(const std::vector<double> &constraints);

  /// Smaller moves where the history alternates between two designs, and a warning that says so.
  void answer_two_cycles();
  /// @return how often they are halved, by this history
  unsigned int halve_moves(const std::vector<IterationRecord> &history);

  Backend &backend_;
  Communicator communicator_;
  StateSolver &state_;
  DesignChain &map_;
  std::unique_ptr<SensitivityFilter> sensitivity_filter_; ///< null without one
  OptimizationSettings settings_;
  TimingTable &timing_;
  std::size_t n_elements_;
  const ElementMesh &mesh_;
  VolumeConstraint volume_;
  VolumeConstraint limit_; ///< the same, or that of the dilated field of a robust design
  int n_below_limit_ =
    0; ///< designs in a row whose dilated field has less, and not more than before

  Array<DesignFlag> flags_;
  DesignVolumes volumes_;
  Array<double> design_;
  Array<double> next_design_;
  Array<double> filtered_;         ///< densities; empty if they are the design
  Array<double> eroded_, dilated_; ///< of a robust design
  DesignFunctions functions_;
  Array<double> volume_sensitivities_; ///< empty if they are the volumes
  bool knows_volume_sensitivities_ = false;
  bool gave_up_ =
    false; ///< the design that could not be analysed has changed places with the next one

  std::vector<DesignFieldRecord> field_records_; ///< of the last design, if it is robust
  /// Constraints in the blueprint of the last design, where it is not analysed; empty: not known.
  std::vector<double> blueprint_constraints_;
  std::unique_ptr<DesignUpdate> update_;
  Array<double> no_derivative_; ///< zeros, where the objective is a worst case
  unsigned int trial_iterations_ = 0, n_trial_solves_ = 0; ///< of the solver, since the last record
  unsigned int n_step_warnings_ = 0;                       ///< of the update, with designs in a row
  bool told_step_warning_       = false;
  std::size_t set_of_stiffness_ =
    0; ///< of displacements: those of the field whose stiffness operators have
  std::vector<double> sizes_; ///< of the functions: those of the first design
  std::vector<HistoryColumn> columns_;
  VolumeCheck volume_check_;
  bool promised_      = true;  ///< the update found that the next design holds the volume
  bool settled_       = false; ///< the maps
  double move_factor_ = 1.;    ///< of the move limit
  double stopping_factor_ =
    1.; ///< of the change of densities that ends a run: small cycles do not count
  std::string warnings_;
  std::vector<IterationRecord> history_;
};

/// The value of all design variables that are free whose densities behind the maps meet the volume:
/// where Simp starts. Collective. @throws Error where no value between the minimum density and 1
/// does
/// @param map  not empty; begins with its first iteration
/// @param design,  densities `[n_elements]`, overwritten
double value_of_volume(Backend &backend,
                       const Communicator &communicator,
                       const ElementMesh &mesh,
                       const VolumeConstraint &volume,
                       const DesignVolumes &volumes,
                       double minimum_density,
                       DesignChain &map,
                       Array<double> &design,
                       Array<double> &densities);
} // namespace strut
