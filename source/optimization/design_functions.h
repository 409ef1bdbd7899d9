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
/// derivatives. A sum over load cases is one function; a worst case is one function for each of its
/// load cases. A robust design has all of them once for each of its fields.
class DesignFunctions
{
public:
  /// A scalar function of the design.
  struct Row
  {
    const DesignFunction *function = nullptr;
    std::vector<std::size_t> cases; ///< load cases; empty for a function of the densities alone
    RobustFields::Field field = RobustFields::Field::blueprint; ///< field that it is evaluated for
    double limit              = 0;  ///< limit of a constraint: `sign (value - limit) <= 0`
    double sign               = 1.; ///< -1 for an objective that is maximised
    bool is_worst_objective   = false;
    /// Whether values are multiplied by the weights of the load cases.
    bool has_weights = true;
    /// Number for StateSolver::select_adjoint() of the first case; those of the other cases follow.
    std::size_t first_adjoint = 0;
    double value              = 0;
    /// `sign dvalue/drho_e`, `[n_elements]`. After backward() the derivative by the design
    /// variables.
    Array<double> derivative;
  };

  DesignFunctions(Backend &backend,
                  std::size_t n_elements,
                  std::size_t n_load_cases,
                  OptimizationProblem problem);

  /// Bytes that the functions keep.
  /// @param n_rows  functions of the problem
  static double memory_estimate(std::size_t n_elements, std::size_t n_rows);

  /// Begin a new design, or one of its fields. begin_field() is called after begin() of all fields,
  /// and before evaluate().
  void begin();
  void begin_field(RobustFields::Field field);
  /// Discard the design since begin().
  void abandon();
  /// Begin a design as begin() does, but keep the derivatives of the design before.
  void begin_values();

  /// Evaluate the functions of the load case that was just solved, and add the objective to the
  /// record. Collective. Throws SolverFailure.
  /// @param work  `[n_elements]`, overwritten; null if derivatives are not needed
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

  /// Evaluate the functions of the densities alone. The record gets the complete objective, and the
  /// iterations of an eigenvalue solver in addition. Collective.
  void finish(const AnalysedDesign &design, Array<double> *work, IterationRecord &record);

  /// Transform the derivatives into those by the design variables; each field uses its own
  /// threshold.
  /// @param design  the design variables
  void backward(DesignChain &map, const Array<double> &design, unsigned int iteration = 1);

  /// All functions; the objective, or the members of a worst-case objective, come first.
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

  /// The objective in one of the analysed fields.
  double objective(RobustFields::Field field) const;

  /// Values of the constraints of the problem, one number each. A worst case has the value of its
  /// worst member.
  /// @param field  the analysed field that counts; without a value all fields do
  std::vector<double>
  constraint_values(std::optional<RobustFields::Field> field = std::nullopt) const;

  bool has_worst_objective() const
  {
    return rows_.front().is_worst_objective;
  }
  /// Value of the objective; for a worst case the value of its worst member.
  double objective() const;

  /// The response of the objective, then the responses of the constraints.
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
  RobustFields::Field field_    = RobustFields::Field::blueprint; ///< current field
};
} // namespace strut
