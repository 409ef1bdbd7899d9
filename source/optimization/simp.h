// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/design_functions.h"
#include "source/optimization/design_method.h"
#include "source/optimization/maps/design_chain.h"
#include "source/optimization/maps/sensitivity_filter.h"
#include "source/optimization/move_limits.h"
#include "source/optimization/optimization_settings.h"
#include "source/optimization/solve_load_cases.h"
#include "source/optimization/updates/design_update.h"
#include "source/optimization/volume_check.h"
#include "source/optimization/volume_limit.h"

#include <strut/solvers/state/state_solver.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// Topology optimization by SIMP:
///
///     minimise  J(rho, u_l),   K(rho) u_l = f_l
///     over      rho_min <= rho_e <= 1,   sum_e v_e rho_e <= V_f sum_e v_e,
///               and further constraints
///
/// with the responses of an OptimizationProblem, such as the compliance, and E_e = E(rho_e) of the
/// Interpolation. A DesignChain leads from the design variables x to the densities rho, and a
/// DesignUpdate from one design to the next. Optimality criteria may use sensitivities of the
/// SensitivityFilter.
///
/// With RobustFields the problem has several densities of one design, and results show those of the
/// blueprint.
///
/// The fields stay on the backend, and iterate() transfers scalars only. Responses on the host,
/// self weight and the solver may copy more (doc/architecture.md has a list).
class Simp : public DesignMethod
{
public:
  /// Columns of the history: max |x_new - x| of the design variables, then those of the update,
  /// then the values of the constraints.
  static constexpr std::size_t density_change = 0, first_of_update = 1;

  Simp(const Execution &execution,
       const ElementMesh &mesh,
       StateSolver &state,
       OptimizationProblem problem,
       DesignChain &map,
       const OptimizationSettings &settings);

  /// Bytes on the backend for one objective and the volume, without DesignVolumes, the maps and the
  /// filter.
  static double memory_estimate(std::size_t n_elements);

  IterationRecord iterate() override;
  void complete_last() override;

  /// Whether the run ends, by the stopping rule, which waits for maps that are still changing, or
  /// by the limit of iterations.
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

  /// Densities behind the maps; those of the blueprint for a robust design.
  std::vector<double> analysed_densities() const override;
  std::vector<double> analysed_stiffness() const override;
  std::size_t displacements_of_stiffness() const override
  {
    return static_cast<std::size_t>(selected_);
  }

  /// The design variables, before the maps; then the state of the update.
  DesignState state() const override;
  void restore(const DesignState &state, std::vector<IterationRecord> history) override;

  std::string take_warnings() override
  {
    return std::exchange(warnings_, "");
  }

  /// Verdict on the volume and the constraints.
  DesignVerdict verdict() const override;

  /// Notes on maps that are still changing or have changed just before the end, and on limits that
  /// no design was near to.
  std::vector<std::string> notes() const override;

private:
  using Field = RobustFields::Field;

  /// Densities of the design, with their own threshold of the last map.
  struct DesignField
  {
    Field name;
    double shift;            ///< distance of the threshold from that of the blueprint
    Array<double> densities; ///< empty if they are the design variables
    double material = 0.;    ///< volume of the last design in the design elements
    std::optional<DesignFieldRecord> record = std::nullopt; ///< record of the last design
  };
  /// Densities to solve for.
  struct Evaluated
  {
    const Array<double> &densities;
    Field field;        ///< the field whose displacements they have
    Field of_functions; ///< the field whose functions take the values
  };
  /// The part of the functions that is evaluated.
  enum class Wanted
  {
    nothing,
    values,
    values_of_trial, ///< values by the scales that responses have from the design before
    derivatives      ///< derivatives and values
  };

  /// The fields by falling threshold: the blueprint alone, or that of a robust design in between.
  static std::vector<DesignField>
  make_fields(Memory &memory, const RobustFields &robust, std::size_t n_mapped);
  /// Throws Error where the fields of a robust design are incompatible with other settings.
  void check_fields(const ElementMesh &mesh) const;
  const RobustFields &robust() const
  {
    return functions_.problem().fields;
  }
  const DesignField &field(Field name) const;
  DesignField &field(const Field name)
  {
    return const_cast<DesignField &>(std::as_const(*this).field(name));
  }
  /// The field whose volume is limited: the dilated one, or the only one.
  const DesignField &limited() const
  {
    return fields_.back();
  }
  const Array<double> &densities_of(const DesignField &field) const
  {
    return field.densities.empty() ? design_ : field.densities;
  }
  /// The analysed fields, in the order of their solves.
  std::vector<Evaluated> analysed() const;
  /// Compute the densities of all fields of `design_`.
  void map_design(unsigned int iteration);
  /// Make stiffness and displacements of a field the current ones.
  /// @param work  `[n_elements]`, overwritten with the factors, which operators copy
  void select(const Array<double> &densities, Field field, Array<double> &work);
  /// An array that is free between two designs: the derivative of the objective, which the next
  /// design sets to zero first.
  Array<double> &free_array()
  {
    return functions_.rows().front().derivative;
  }
  /// Solve for each of these, and evaluate the functions. Afterwards the displacements are those
  /// for results. Throws SolverFailure.
  /// @param work  `[n_elements]`, overwritten
  /// @param record  gets iterations and residual, and with values the objective
  void evaluate(const std::vector<Evaluated> &fields,
                SolveTo solve_to,
                Wanted wanted,
                Array<double> &work,
                IterationRecord &record);
  /// Transform the derivatives into those by the design variables, and filter them.
  void transform_derivatives(unsigned int iteration);
  /// The values of columns() for a design whose next one is found.
  std::vector<double> values_for_history(const std::vector<double> &of_update,
                                         const std::vector<double> &constraints) const;
  /// Make the analysed design the next one again, after a solve that failed: a checkpoint continues
  /// from it.
  void revert_design();
  /// Record the volumes of the fields.
  void measure_volumes();
  /// Renew the limit on the volume of a robust design if it is due.
  /// @param record  of the design, which is not in the history yet
  void renew_volume_limit(const IterationRecord &record);
  /// Copy the objectives of the fields from the last analysis.
  void record_objectives();
  /// The objectives of the analysed fields for the history; none for a single field.
  std::vector<double> objectives_of_fields() const;
  /// VolumeLimit::missed() of the last design; 0 where no limit on a robust design follows it.
  double missed_volume() const;
  /// Store the displacements of the other fields of a robust design in a checkpoint.
  void add_displacements(DesignState &state) const;
  /// Restore the displacements of the other fields.
  /// @param next  first of DesignState::vectors that holds them
  void restore_displacements(const DesignState &state, std::size_t next);
  /// Store the adjoint solutions from which the next ones begin. Their numbers and fields are
  /// appended.
  void add_adjoints(DesignState &state) const;
  /// Restore the adjoint solutions.
  /// @param numbers  those that add_adjoints() has added; advanced past them
  /// @return how many of DesignState::vectors, from the first on, hold them
  std::size_t restore_adjoints(const DesignState &state,
                               std::vector<double>::const_iterator &numbers);

  /// Returns the design with the values and derivatives of its functions, for the update.
  /// @param record  of this design; trials add their solves
  DesignPoint point(IterationRecord &record);
  /// Let the update find the next design.
  /// @param constraints  values of this design
  DesignUpdate::Step step_from(IterationRecord &record, const std::vector<double> &constraints);
  /// Size of the values of a constraint: its limit, or the first value if the limit is 0.
  double size_of(const DesignConstraint &constraint) const;
  /// Set the sizes of the functions, from the first design.
  void set_sizes();
  /// Values of the functions of DesignPoint, the objective first.
  /// @param shift  added to the members of a worst case
  std::vector<double> values_of_functions(double shift, double material) const;
  /// Evaluate the functions for another design. Afterwards the displacements are those of the
  /// analysed design again.
  /// @param of_design  record of that design, which gets the solves
  std::vector<double>
  analyse_trial(const Array<double> &trial, double shift, IterationRecord &of_design);

  /// Whether record i of the history meets the stopping criterion.
  bool meets_criterion(std::size_t i) const;

  /// Note on the number of iterations since the last change of the maps; empty if it is sufficient.
  std::string note_on_maps() const;

  /// Append a warning for take_warnings().
  void warn(const std::string &text)
  {
    warnings_ += (warnings_.empty() ? "" : "\n  NOTE: ") + text;
  }

  /// The move limit after the halvings against two-cycles, and after the cuts against limits that
  /// are broken and get worse.
  /// @param constraints  values of the design that is not in the history yet
  double move_limit(const std::vector<double> &constraints);

  Backend &backend_;
  Communicator communicator_;
  StateSolver &state_;
  DesignChain &map_;
  std::unique_ptr<SensitivityFilter> sensitivity_filter_; ///< null without one
  OptimizationSettings settings_;
  TimingTable &timing_;
  std::size_t n_elements_;
  VolumeConstraint volume_;
  VolumeLimit limit_;

  Array<DesignFlag> flags_;
  DesignVolumes volumes_;
  Array<double> design_;
  Array<double> next_design_; ///< free for work until the update
  DesignFunctions functions_;
  std::vector<DesignField> fields_;
  Array<double> volume_sensitivities_; ///< empty if they equal the volumes
  bool knows_volume_sensitivities_ = false;
  /// Constraints in the blueprint of the last design, where it is not analysed. Empty if they are
  /// not known.
  std::vector<double> blueprint_constraints_;
  std::unique_ptr<DesignUpdate> update_;
  Array<double> no_derivative_;      ///< zeros, used where the objective is a worst case
  unsigned int n_step_warnings_ = 0; ///< consecutive designs with a warning of the update
  bool told_step_warning_       = false;
  Field selected_ = Field::blueprint; ///< the field whose stiffness the operators have
  std::vector<double> sizes_;         ///< sizes of the functions, from the first design
  std::vector<HistoryColumn> columns_;
  MoveLimits moves_;
  VolumeCheck volume_check_;
  bool promised_ = true; ///< the update found that the next design holds the volume
  std::string warnings_;
  std::vector<IterationRecord> history_;
};

/// Find the value of all free design variables with which the densities behind the maps meet the
/// volume. Simp starts there. Collective.
/// @throws Error where no value between the minimum density and 1 does
/// @param map  not empty
/// @param design, densities  `[n_elements]`, overwritten
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
