// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/solve_notes.h"

#include <algorithm>

namespace strut
{
std::string SolveNotes::after(const IterationRecord &record)
{
  const Problem &problem               = run_.parameters.problem;
  const bool accepts_limit             = optimizer_.settings.control.accepts_limit;
  const PreconditionerSettings &chosen = optimizer_.settings.preconditioner;
  const std::string of_solver          = optimizer_.state->take_warnings();
  const std::string of_method          = optimizer_.method->take_warnings();
  std::string text;
  for (const std::string &warnings : {of_solver, of_method})
    if (!warnings.empty())
      text += "  NOTE: " + warnings + '\n';
  // These notes do not apply to other preconditioners or to solves of refused designs. Nearly
  // incompressible material has its own note.
  told_of_slow_solves_ = told_of_slow_solves_ || !of_solver.empty();
  if (!told_of_slow_solves_ && of_method.empty() && !accepts_limit && !problem.locks())
    {
      const std::string note =
        describe_slow_solves(record.solver_iterations / std::max(1u, record.n_solves),
                             chosen.name,
                             chosen.values,
                             run_.communicator.size() == 1 && problem.mesh().dependent.empty() &&
                               problem.solids().law.known() == Law::factor,
                             run_.backend().memory().is_host());
      text += note;
      told_of_slow_solves_ = !note.empty();
    }
  if (!told_of_lost_displacements_ && accepts_limit &&
      std::max(record.residual, record.adjoint_residual) >= 1.)
    {
      text +=
        std::string("  NOTE: the displacements") +
        (record.residual >= 1. ? "" : " of a second solve, for derivatives,") +
        " are further from equilibrium than none at all: the design moves faster "
        "than its solves follow, and what it becomes may be worthless.\n    Raise 'Maximum iterations' in "
        "subsection Solver";
      text += chosen.name == "multigrid" ? "" : ", or take 'Preconditioner = multigrid'";
      text += run_.parameters.optimization.method == "simp" ? ", or lower 'Move limit'.\n" : ".\n";
      told_of_lost_displacements_ = true;
    }
  return text;
}

std::string describe_slow_solves(const unsigned int iterations,
                                 const std::string &preconditioner,
                                 const ParameterValues &values,
                                 const bool can_have_pieces,
                                 const bool on_host)
{
  constexpr unsigned int many = 60; // most decks take 10 to 30
  // What both remedies do on the host takes longer than the iterations that a GPU saves.
  if (iterations < many || preconditioner != "multigrid" || !on_host)
    return "";
  std::string remedies;
  const auto offer =
    [&](const std::string &entry, const std::string &choice, const std::string &use) {
      for (const Parameter &parameter : find_preconditioner(preconditioner).parameters)
        if (parameter.name == entry)
          if (const auto value = values.find(entry);
              value == values.end() || value->second.text() != choice)
            remedies +=
              (remedies.empty() ? "'" : "\n    or '") + entry + " = " + choice + "' (" + use + ")";
    };
  offer("Coarse operators", "aggregation", "for thin walls and lattices");
  if (can_have_pieces)
    offer("Rigid pieces", "yes", "for islands of solid in void, as sharp projections make them");
  if (remedies.empty())
    return "";
  return "  NOTE: a solve takes " + std::to_string(iterations) +
         " PCG iterations. In subsection Solver " + remedies + " often takes fewer.\n";
}
} // namespace strut
