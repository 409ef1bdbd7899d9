// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparison/comparison.h"

#include <strut/base/exceptions.h>

#include <ostream>

#include "plugin/deck/run/choose_preconditioner.h"
#include "plugin/studies/comparison/designs.h"
#include "plugin/studies/comparison/report.h"
#include "plugin/studies/comparison/solve_system.h"
#include "plugin/studies/report/backends.h"
#include "plugin/studies/report/choices.h"

namespace strut
{
namespace
{
const std::vector<std::string> all_solvers = {"jacobi", "multigrid", "ml"};

/// Comparison of the solvers on the systems of a deck, design by design.
class SolverComparison : private Comparison
{
public:
  explicit SolverComparison(const Comparison &comparison) : Comparison(comparison)
  {
    if (options.solvers == std::vector<std::string>{"all"})
      options.solvers = all_solvers;
    require_known("--solvers", options.solvers, all_solvers);
    require_known("--columns", options.columns, solver_columns(results_).names());
    for (const std::string &design : options.designs)
      require_design(design);
  }

  const SolverResults &run()
  {
    // (1) The structure.
    set_up(true, results_);
    const Problem &problem            = parameters.problem;
    const ElementMesh &mesh           = problem.mesh();
    const PreconditionerChoice levels = choose_for_deck(
      "auto", Precision::fp64, communicator, {mesh, problem.material(), problem.hierarchy()});
    const SolverControl control = parameters.solver.control();
    SolveLimits limits;
    limits.max_iterations = control.max_iterations;
    limits.seconds        = options.solve_seconds;
    if (control.criterion == SolverControl::Criterion::relative)
      limits.tolerance = control.tolerance;
    results_.n_ranks = communicator.size();
    results_.label.insert(results_.label.end(),
                          {{"preconditioner of strut", levels.text},
                           {"tolerance", number_text(limits.tolerance) + ", |f - K u| / |f|"},
                           {"contrast of the frame", number_text(options.contrast)}});

    // (2) The rates of the backends.
    for_each_place(
      options.backends, options.threads, communicator, results_.label, [&](const Place &place) {
        if (place.backend().name() == "cpu")
          n_threads_.push_back(place.n_threads);
        log << place.text << '\n';
      });

    // (3) Design by design, solver by solver.
    JudgedSystem system(
      communicator, mesh, problem.hierarchy(), problem.material(), problem.load_cases());
    for (const std::string &design : options.designs)
      {
        log << "\n" << design << '\n' << std::flush;
        system.set_stiffness(make_design(
          design, options.contrast, options.backends.front(), parameters, communicator, log));
        for (const SolverCase &subject : cases(design))
          measure(subject, system, limits);
      }
    return results_;
  }

private:
  std::vector<SolverCase> cases(const std::string &design)
  {
    std::vector<SolverCase> list;
    const auto add = [&](const std::string &backend,
                         const std::string &solver,
                         const Precision precision,
                         const unsigned int n_threads) {
      if (contains(options.solvers, solver))
        list.push_back({design, backend, solver, precision, n_threads});
    };
    const auto add_strut = [&](const std::string &backend, const unsigned int n_threads) {
      add(backend, "multigrid", Precision::mixed, n_threads);
      add(backend, "multigrid", Precision::fp64, n_threads);
      add(backend, "jacobi", Precision::fp64, n_threads);
    };
    for (const std::string &backend : options.backends)
      if (backend == "cuda")
        add_strut(backend, 1);
      else
        {
          add(backend, "ml", Precision::fp64, 1);
          for (const unsigned int n_threads : n_threads_)
            add_strut(backend, n_threads);
        }
    return list;
  }

  void measure(const SolverCase &subject, JudgedSystem &system, const SolveLimits &limits)
  {
    log << "  " << subject.backend << ", " << subject.solver << ", " << to_string(subject.precision)
        << ", " << subject.n_threads << (subject.n_threads == 1 ? " thread: " : " threads: ")
        << std::flush;
    results_.solvers.push_back(measure_solver(subject, system, limits));
    const SolverResult &result = results_.solvers.back();
    if (result.measured())
      log << "new design " << result.update << " s, solve " << result.time.median << " s, "
          << result.iterations << " iterations" << (result.status == "ok" ? "" : ", ");
    if (result.status != "ok")
      log << result.status;
    log << std::endl;
    if (communicator.rank() == 0)
      write_reports(folder, results_, options.columns);
  }

  std::vector<unsigned int> n_threads_; ///< threads of the CPU backend, the maximum over the ranks
  SolverResults results_;
};
} // namespace

void compare_solvers(const Comparison &comparison)
{
  SolverComparison solvers(comparison);
  const SolverResults &results = solvers.run();
  const Table table =
    chosen_columns(solver_columns(results), comparison.options.columns, results.solvers)
      .table(results.solvers);
  if (!table.headers.empty()) // some columns are in the CSV only
    comparison.log << "\nSolves from zero, speed-up of a new design and its solve over 'ml'\n"
                   << table.text();
  comparison.log << "\nWritten: " << comparison.folder << '/' << results.deck
                 << ".solvers.csv, .solvers.md, .solvers.tex" << std::endl;
  if (!none_failed(results.solvers))
    throw Error("A solver failed: see the column 'status'.\n  Please report it with the deck.");
}
} // namespace strut
