// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/design_method.h"
#include "source/optimization/maps/design_chain.h"
#include "source/optimization/problem/optimization_problem.h"

#include <strut/solvers/state/state_solver.h>

#include <optional>
#include <vector>

namespace strut
{
/// The functions of an OptimizationProblem, with their values at the last design and their
/// derivatives: one for each sum, and for a worst case one for each of its load cases; all of them
/// for each of the fields of a robust design.
class DesignFunctions
{
public:
  /// A scalar function of the design.
  struct Row
  {
    const DesignFunction *function = nullptr;
    std::vector<std::size_t> cases;                             ///< none: of the densities alone
    RobustFields::Field field = RobustFields::Field::blueprint; ///< that it is evaluated for
    double limit              = 0;  ///< of a constraint: `sign (value - limit) <= 0`
    double sign               = 1.; ///< -1 of an objective that is maximised
    bool is_worst_objective   = false;
    bool has_weights          = true; ///< of the load cases
    std::size_t first_adjoint =
      0; ///< StateSolver::select_adjoint() of its first case; the others follow
    double value = 0;
    /// `sign dvalue/drho_e`, `[n_elements]`; by the design variables after backward().
    Array<double> derivative;
  };

  DesignFunctions(Backend &backend,
                  std::size_t n_elements,
                  std::size_t n_load_cases,
                  OptimizationProblem problem);

  /// Bytes that it keeps. @param n_rows  functions of the problem
  static double memory_estimate(std::size_t n_elements, std::size_t n_rows);

  /// A design comes. The same for one of its fields: after begin() of all, and before evaluate().
  void begin();
  void begin_field(RobustFields::Field field);
  /// The design since begin() is given up.
  void abandon();
  /// A design comes as with begin(), and the derivatives stay those of the design before.
  void begin_values();

  /// The functions of the load case that was just solved; the record gets the objective.
  /// Collective. Throws SolverFailure.
  /// @param work  `[n_elements]`, overwritten; null: the derivatives are not asked for
  /// @param count  called with the report of each adjoint solve
  template <typename Count>
  void evaluate(const AnalysedDesign &design,
                const std::size_t l,
                Array<double> *work,
                IterationRecord &record,
                const Count &count)
  {
    for (Row &row : rows_)
      for (const std::size_t of_row : row.cases)
        if (of_row == l && row.field == field_)
          count(add(
            row, design, l, row.has_weights ? design.state.load_case(l).weight : 1., work, record));
  }

  /// The functions of the densities alone; then the record has the objective, and the iterations of
  /// an eigenvalue solver in addition. Collective.
  void finish(const AnalysedDesign &design, Array<double> *work, IterationRecord &record);

  /// The derivatives become those by the design variables, of each field by its own threshold.
  /// @param design  the variables
  void backward(DesignChain &map, const Array<double> &design);

  /// The objective, or of a worst case its members, come first.
  std::vector<Row> &rows()
  {
    return rows_;
  }
  const std::vector<Row> &rows() const
  {
    return rows_;
  }
  std::size_t n_objective_rows() const
  {
    return n_objective_rows_;
  }

  /// The same for one of the analysed fields.
  double objective(RobustFields::Field field) const;

  /// One number per constraint of the problem: its value, of a worst case that of the worst.
  /// @param field  one of the analysed ones that counts alone; none: all do
  std::vector<double>
  constraint_values(std::optional<RobustFields::Field> field = std::nullopt) const;

  bool has_worst_objective() const
  {
    return rows_.front().is_worst_objective;
  }
  /// Its value, of a worst case that of the worst.
  double objective() const;

  /// That of the objective, then those of the constraints.
  std::vector<Response *> responses() const;

  const OptimizationProblem &problem() const
  {
    return problem_;
  }

private:
  SolverReport add(Row &row,
                   const AnalysedDesign &design,
                   std::size_t l,
                   double weight,
                   Array<double> *work,
                   IterationRecord &record);

  Backend &backend_;
  OptimizationProblem problem_;
  std::vector<Row> rows_;
  std::size_t n_objective_rows_ = 0;
  RobustFields::Field field_    = RobustFields::Field::blueprint; ///< the current one
};
} // namespace strut
