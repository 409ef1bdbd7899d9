// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/problem/design_state.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// One row of the history: numbers that every method has, and the method's own numbers.
struct IterationRecord
{
  unsigned int iteration         = 0; ///< number of the design, from 1
  double objective               = 0; ///< J; for the compliance sum_l w_l (2 f_l.u_l - u_l.K u_l)
  double volume_fraction         = 0; ///< volume fraction of the analysed design
  unsigned int solver_iterations = 0; ///< sum over all load cases, second solves included
  double residual                = 0; ///< largest residual of the displacements over all load cases
  double seconds                 = 0; ///< wall time of the iteration
  std::vector<double> values{};       ///< one per DesignMethod::columns()
  std::vector<double> case_objectives{}; ///< J_l of each load case, without weights
  unsigned int n_solves = 0; ///< solves that took these iterations; 0 in a history that was read
  /// Largest residual of the second solves, which have adjoint_tolerance(); 0 if there were none.
  double adjoint_residual = 0;
};

/// One of the density fields of a robust design.
struct DesignFieldRecord
{
  std::string name;                ///< "eroded" and so on
  std::optional<double> objective; ///< no value if the field was not analysed
  double volume_fraction = 0;
  /// Names and values of the constraints of a field that was evaluated for results alone. They are
  /// not in the history.
  std::vector<std::pair<std::string, double>> constraints{};
};

/// Verdict of a method on its last design.
struct DesignVerdict
{
  std::string text; ///< faults of the design; empty if there are none
  /// The design misses its volume by more than a per cent, or parts a load from the supports.
  bool falls_short = false;
  /// The design breaks a constraint, and has material left to satisfy it.
  bool smaller_steps_may_help = false;

  void add(const std::string &fault, const bool is_short)
  {
    text += (text.empty() ? "" : "; ") + fault;
    falls_short = falls_short || is_short;
  }
};

/// A method that finds a design by analysing one design after the other. All members but the
/// constant ones are collective.
class DesignMethod
{
public:
  virtual ~DesignMethod() = default;

  /// Analyse the current design, then find the next one. Throws SolverFailure, and then leaves the
  /// state as before the call.
  virtual IterationRecord iterate() = 0;

  /// Solve the last analysed design to the tolerance, and correct its record. This matters where
  /// SolverControl::accepts_limit ended solves early. Throws SolverFailure.
  virtual void complete_last() = 0;

  /// Whether this design is the last one, and whether the method has converged.
  virtual bool finished() const  = 0;
  virtual bool converged() const = 0;

  virtual const std::vector<IterationRecord> &history() const = 0;
  virtual const std::vector<HistoryColumn> &columns() const   = 0;

  /// The densities of the last analysed design and its stiffness factors, on the host,
  /// `[n_elements]`.
  virtual std::vector<double> analysed_densities() const = 0;
  virtual std::vector<double> analysed_stiffness() const = 0;

  /// Number of the set of displacements that belongs to analysed_stiffness(), see
  /// StateSolver::select_displacements(). The selected set is the one for results, and after a
  /// failed solve it may differ. By default there is one set only.
  virtual std::size_t displacements_of_stiffness() const
  {
    return 0;
  }

  /// Fields of a robust design at the last iterate(), the blueprint among them. Empty for other
  /// designs, and after a restart with nothing left to do.
  virtual std::vector<DesignFieldRecord> fields() const
  {
    return {};
  }
  /// The densities of a field on the host, `[n_elements]`. The argument is its index in fields().
  virtual std::vector<double> field_densities(std::size_t) const
  {
    return analysed_densities();
  }

  /// Prepare to write results of the last design: solve for displacements that do not belong to its
  /// densities. Throws SolverFailure. By default there is nothing to solve.
  /// @param is_last  whether no design follows; then constraints are evaluated for verdict()
  virtual void prepare_results(bool /*is_last*/)
  {}

  /// The state from which the next iterate() begins, and the way to continue from it.
  virtual DesignState state() const                                                    = 0;
  virtual void restore(const DesignState &state, std::vector<IterationRecord> history) = 0;

  /// Warnings since the last call, empty if there are none; clears them.
  virtual std::string take_warnings() = 0;

  virtual DesignVerdict verdict() const = 0;
  /// Remarks on the designs and their limits, after the run has ended.
  virtual std::vector<std::string> notes() const
  {
    return {};
  }
};
} // namespace strut
