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
/// One row of the history: what every method has, and the method's own numbers.
struct IterationRecord
{
  unsigned int iteration         = 0;    ///< from 1
  double objective               = 0;    ///< J; of the compliance sum_l w_l (2 f_l.u_l - u_l.K u_l)
  double volume_fraction         = 0;    ///< of the analysed design
  unsigned int solver_iterations = 0;    ///< sum over the load cases, of second solves too
  double residual                = 0;    ///< largest over the load cases, of the displacements
  double seconds                 = 0;    ///< wall time of the iteration
  std::vector<double> values{};          ///< one per DesignMethod::columns()
  std::vector<double> case_objectives{}; ///< J_l of each load case, without weights
  unsigned int n_solves = 0; ///< that took these iterations; 0 in a history that was read
  double adjoint_residual =
    0; ///< largest of the second solves, which have adjoint_tolerance(); 0: there were none
};

/// One of the densities that a robust design was analysed at.
struct DesignFieldRecord
{
  std::string name;                ///< "eroded" and so on
  std::optional<double> objective; ///< none: it was not analysed
  double volume_fraction = 0;
  /// Names and values, of a field that was looked at for results alone: the history does not count
  /// them.
  std::vector<std::pair<std::string, double>> constraints{};
};

/// What is to say about the last design.
struct DesignVerdict
{
  std::string text; ///< its faults; empty if there are none
  /// It is not what was asked for: it misses its volume by more than a per cent, or parts a load
  /// from the supports.
  bool falls_short            = false;
  bool smaller_steps_may_help = false; ///< it breaks a constraint, and has material left to keep it

  void add(const std::string &fault, const bool is_short)
  {
    text += (text.empty() ? "" : "; ") + fault;
    falls_short = falls_short || is_short;
  }
};

/// A way to find a design: it analyses one design after the other. All members but the constant
/// ones are collective.
class DesignMethod
{
public:
  virtual ~DesignMethod() = default;

  /// Analyse the current design, then find the next one. Throws SolverFailure; the state is then
  /// that before the call.
  virtual IterationRecord iterate() = 0;

  /// Solve the design that the last iterate() analysed to the tolerance, and correct the record of
  /// it: where SolverControl::accepts_limit made solves end before. Throws SolverFailure.
  virtual void complete_last() = 0;

  /// Whether this design is the last, and whether that is because the method has converged.
  virtual bool finished() const  = 0;
  virtual bool converged() const = 0;

  virtual const std::vector<IterationRecord> &history() const = 0;
  virtual const std::vector<HistoryColumn> &columns() const   = 0;

  /// The densities that the last iterate() analysed, and the stiffness factors that they had, on
  /// the host, `[n_elements]`.
  virtual std::vector<double> analysed_densities() const = 0;
  virtual std::vector<double> analysed_stiffness() const = 0;

  /// The set of displacements that go with analysed_stiffness(), see
  /// StateSolver::select_displacements(). After a solve that failed it need not be the selected
  /// one, which is for results. Unless overridden: there is one alone.
  virtual std::size_t displacements_of_stiffness() const
  {
    return 0;
  }

  /// Of a robust design its fields, by the last iterate(), the blueprint among them; else none.
  /// After a restart with nothing to do there are none, too.
  virtual std::vector<DesignFieldRecord> fields() const
  {
    return {};
  }
  /// The densities of a field on the host, `[n_elements]`. @param i  in fields()
  virtual std::vector<double> field_densities(std::size_t) const
  {
    return analysed_densities();
  }

  /// Before results of the last design are written: displacements that do not belong to its
  /// densities are solved for. Throws SolverFailure. Unless overridden: they do.
  /// @param is_last  no design follows, and verdict() is on these densities: constraints are
  ///   evaluated for them
  virtual void prepare_results(bool /*is_last*/)
  {}

  /// The state with which the next iterate() begins; and to continue from such a state.
  virtual DesignState state() const                                                    = 0;
  virtual void restore(const DesignState &state, std::vector<IterationRecord> history) = 0;

  /// Warnings since the last call, empty if there are none; clears them.
  virtual std::string take_warnings() = 0;

  virtual DesignVerdict verdict() const = 0;
  /// Remarks on the designs and on what limits them, once the run has ended.
  virtual std::vector<std::string> notes() const
  {
    return {};
  }
};
} // namespace strut
