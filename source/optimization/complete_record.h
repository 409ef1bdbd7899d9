// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/design_method.h"

#include <strut/optimization/objective.h>
#include <strut/solvers/state_solver.h>

#include <algorithm>

namespace strut
{
/// DesignMethod::complete_last(). @param stiffness  that of the analysed design @param scratch  `[n_elements]`
inline void complete_record(StateSolver &state,
                            Objective &objective,
                            const Array<double> &stiffness,
                            Array<double> &scratch,
                            IterationRecord &record)
{
  record.objective = 0.;
  record.residual  = 0.;
  record.case_objectives.clear();
  for (std::size_t l = 0; l < state.n_load_cases(); ++l)
    {
      const SolverReport report = state.solve_to_tolerance(l);
      const double value        = objective.evaluate(state, l, stiffness, scratch).value;
      record.solver_iterations += report.iterations;
      record.residual = std::max(record.residual, report.residual);
      record.objective += state.load_case(l).weight * value;
      record.case_objectives.push_back(value);
    }
}
} // namespace strut
