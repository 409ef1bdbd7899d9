// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparison/solver_comparison.h"

#include <algorithm>
#include <ostream>
#include <sstream>

#include "plugin/base/atomic_file.h"
#include "plugin/run/choose_preconditioner.h"
#include "plugin/run/versions.h"
#include "plugin/studies/comparison/designs.h"
#include "plugin/studies/comparison/solver_report.h"
#include "plugin/studies/report/backends.h"
#include "plugin/studies/report/choices.h"
#include "plugin/studies/report/results.h"

namespace strut::plugin
{
namespace
{
const std::vector<std::string> all_solvers = {"jacobi", "multigrid", "ml"};

std::string scientific_contrast(const double contrast)
{
  std::ostringstream text;
  text << contrast;
  return text.str();
}
} // namespace

SolverComparison::SolverComparison(DeckParameters &parameters,
                                   const ComparisonOptions &options,
                                   const Communicator &communicator,
                                   std::ostream &log)
  : parameters_(parameters)
  , options_(options)
  , communicator_(communicator)
  , log_(log)
  , folder_(options.output.empty() ? "output/" + parameters.base_name + "-comparison"
                                   : options.output)
{
  if (options_.solvers == std::vector<std::string>{"all"})
    options_.solvers = all_solvers;
  require_known("--solvers", options_.solvers, all_solvers);
  require_known("--backends", options_.backends, {"cuda", "cpu"});
  for (const std::string &text : options_.threads)
    to_threads(text);
  for (const std::string &design : options_.designs)
    require_design(design);
  choose_backends(options_.backends, communicator_, log_);
  if (communicator_.rank() == 0)
    create_folder(folder_);
}

bool SolverComparison::run()
{
  // (1) The structure.
  Problem &problem = parameters_.problem;
  problem.setup(communicator_.mpi(), true);
  problem.check_well_posed();
  const ElementMesh &mesh = problem.mesh();
  const ChosenPreconditioner levels =
    choose_preconditioner("auto", "double", communicator_, mesh, problem.hierarchy());
  const SolverControl control = parameters_.solver.get("on_the_fly").control;
  SolveLimits limits;
  limits.max_iterations = control.max_iterations;
  limits.seconds        = options_.solve_seconds;
  if (control.criterion == SolverControl::Criterion::relative)
    limits.tolerance = control.tolerance;

  results_.deck       = parameters_.base_name;
  results_.n_elements = communicator_.sum(static_cast<double>(mesh.n_elements));
  results_.n_nodes    = communicator_.sum(static_cast<double>(mesh.n_owned_nodes));
  results_.n_ranks    = communicator_.size();
  std::ostringstream tolerance;
  tolerance << limits.tolerance << ", |f - K u| / |f|";
  results_.label = {{"program", strut_version()},
                    {"date", today()},
                    {"deck", parameters_.deck.file_name()},
                    {"degrees of freedom", std::to_string(static_cast<long>(results_.n_dofs()))},
                    {"ranks", std::to_string(communicator_.size())},
                    {"libraries", library_versions()},
                    {"preconditioner of strut", levels.text},
                    {"tolerance", tolerance.str()},
                    {"contrast of the frame", scientific_contrast(options_.contrast)}};
  log_ << strut_version() << ", " << library_versions() << '\n' << problem.describe() << std::flush;

  // (2) What the backends can do.
  for (const std::string &name : options_.backends)
    for (const std::string &text : name == "cpu" ? options_.threads : std::vector<std::string>{"1"})
      {
        const ChosenBackend chosen = make_backend(name, to_threads(text), communicator_);
        // of the rank that has most: ranks must decide alike
        const auto n = static_cast<unsigned int>(communicator_.max(chosen.backend->n_threads()));
        if (name == "cpu" && contains(n_threads_, n)) // "all" may be what there is already
          continue;
        if (name == "cpu")
          n_threads_.push_back(n);
        results_.label.emplace_back(backend_key(name, n),
                                    backend_label(*chosen.backend,
                                                  measure_rates(chosen, communicator_),
                                                  communicator_));
        log_ << backend_key(name, n) << ": " << results_.label.back().second << '\n';
      }

  // (3) Design by design, solver by solver.
  JudgedSystem system(
    communicator_, mesh, problem.hierarchy(), problem.material(), problem.load_cases());
  for (const std::string &design : options_.designs)
    {
      log_ << "\n" << design << '\n' << std::flush;
      system.set_stiffness(make_design(
        design, options_.contrast, options_.backends.front(), parameters_, communicator_, log_));
      for (const SolverCase &what : cases(design))
        measure(what, system, limits);
    }
  return std::none_of(results_.solvers.begin(),
                      results_.solvers.end(),
                      [](const SolverResult &result) { return is_failure(result.status); });
}

std::vector<SolverCase> SolverComparison::cases(const std::string &design)
{
  std::vector<SolverCase> list;
  const auto add = [&](const std::string &backend,
                       const std::string &solver,
                       const std::string &precision,
                       const unsigned int n_threads) {
    if (contains(options_.solvers, solver))
      list.push_back({design, backend, solver, precision, n_threads});
  };
  const auto add_strut = [&](const std::string &backend, const unsigned int n_threads) {
    add(backend, "multigrid", "mixed", n_threads);
    add(backend, "multigrid", "double", n_threads);
    add(backend, "jacobi", "double", n_threads);
  };
  for (const std::string &backend : options_.backends)
    if (backend == "cuda")
      add_strut(backend, 1);
    else
      {
        add(backend, "ml", "double", 1);
        for (const unsigned int n_threads : n_threads_)
          add_strut(backend, n_threads);
      }
  return list;
}

void SolverComparison::measure(const SolverCase &what,
                               JudgedSystem &system,
                               const SolveLimits &limits)
{
  log_ << "  " << what.backend << ", " << what.solver << ", " << what.precision << ", "
       << what.n_threads << (what.n_threads == 1 ? " thread: " : " threads: ") << std::flush;
  results_.solvers.push_back(measure_solver(what, system, limits));
  const SolverResult &result = results_.solvers.back();
  if (result.measured())
    log_ << "new design " << result.update << " s, solve " << result.median << " s, "
         << result.iterations << " iterations" << (result.status == "ok" ? "" : ", ");
  if (result.status != "ok")
    log_ << result.status;
  log_ << std::endl;
  if (communicator_.rank() == 0)
    write_solver_reports(folder_, results_);
}
} // namespace strut::plugin
