// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparison/comparison.h"

#include <strut/base/exceptions.h>
#include <strut/solvers/elasticity_operator.h>

#include <algorithm>
#include <ostream>

#include "plugin/base/atomic_file.h"
#include "plugin/base/make_backend.h"
#include "plugin/base/spelling.h"
#include "plugin/run/versions.h"
#include "plugin/studies/comparison/report.h"
#include "plugin/studies/report/backends.h"
#include "plugin/studies/report/choices.h"

namespace strut::plugin
{
namespace
{
template <typename Number>
void add_names(const StrategyList<Number> &list, std::vector<std::string> &names)
{
  for (const Strategy<Number> &strategy : list)
    if (!contains(names, strategy.name))
      names.push_back(strategy.name);
}

/// The names of all strategies of a backend in one precision.
std::vector<std::string> names_of(const Backend &backend, const Precision precision)
{
  std::vector<std::string> names;
  if (precision == Precision::fp64)
    add_names(backend.strategies<double>(), names);
  else
    add_names(backend.strategies<float>(), names);
  return names;
}

bool is_threaded(const Backend &backend, const std::string &name, const Precision precision)
{
  return precision == Precision::fp64 ? find_strategy<double>(backend, name).threaded
                                      : find_strategy<float>(backend, name).threaded;
}

/// "cpu:ebe" -> "ebe".
std::string operator_of(const std::string &baseline)
{
  return baseline.substr(baseline.find(':') + 1);
}

} // namespace

Comparison::Comparison(DeckParameters &parameters,
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
  choose_backends(options_.backends, communicator_, log_);
  check_options();
  if (communicator_.rank() == 0)
    create_folder(folder_);
}

void Comparison::check_options() const
{
  std::vector<std::string> operators;
  add_names(cuda_strategies<double>(), operators);
  add_names(cuda_strategies<float>(), operators);
  add_names(cpu_strategies<double>(), operators);
  add_names(cpu_strategies<float>(), operators);
  require_known("--operators", options_.operators, operators);
  require_known("--baseline", {operator_of(options_.baseline)}, operators);
  if (options_.baseline.find(':') != std::string::npos)
    require_known("the backend of --baseline",
                  {options_.baseline.substr(0, options_.baseline.find(':'))},
                  {"cuda", "cpu"});
  require_known("--backends", options_.backends, {"cuda", "cpu"});
  require_known("--precisions", options_.precisions, {"double", "float"});
  for (const std::string &text : options_.threads)
    to_threads(text);

  std::vector<std::string> there; // of what is chosen otherwise
  for (const std::string &backend : options_.backends)
    for (const std::string &precision : options_.precisions)
      if (precision == "double")
        add_names(backend == "cuda" ? cuda_strategies<double>() : cpu_strategies<double>(), there);
      else
        add_names(backend == "cuda" ? cuda_strategies<float>() : cpu_strategies<float>(), there);
  if (!options_.operators.empty() &&
      std::none_of(options_.operators.begin(), options_.operators.end(), [&](const auto &name) {
        return contains(there, name);
      }))
    throw Error("There is nothing to compare: on " + join(options_.backends) + " in precision " +
                join(options_.precisions) + " there is no " + join(options_.operators) +
                ".\n  There are: " + join(there) + ".");
}

bool Comparison::run()
{
  results_.deck     = parameters_.base_name;
  results_.baseline = options_.baseline;
  results_.label    = {{"program", strut_version()},
                       {"date", today()},
                       {"deck", parameters_.deck.file_name()},
                       {"ranks", std::to_string(communicator_.size())},
                       {"libraries", library_versions()},
                       {"baseline", options_.baseline}};

  // (1) The structure.
  parameters_.problem.setup(communicator_.mpi());
  parameters_.problem.check_well_posed();
  const ElementMesh &mesh = parameters_.problem.mesh();
  results_.n_elements     = communicator_.sum(static_cast<double>(mesh.n_elements));
  results_.n_nodes        = communicator_.sum(static_cast<double>(mesh.n_owned_nodes));
  log_ << strut_version() << ", " << library_versions() << '\n'
       << parameters_.problem.describe() << std::flush;

  // (2) What every product is checked against, and the design of the solves.
  reference_ = ReferenceProduct::compute(communicator_, mesh, parameters_.problem.material());
  const SimpSettings settings   = parameters_.optimization.get();
  std::vector<double> stiffness = VolumeConstraint::build(communicator_,
                                                          mesh,
                                                          settings.volume_fraction,
                                                          settings.criteria.minimum_density,
                                                          settings.count_non_design)
                                    .uniform_design(mesh, settings.criteria.minimum_density);
  for (double &value : stiffness)
    value = settings.interpolation.stiffness(value);
  const SolverControl control = parameters_.solver.get("ebe").control;
  const MeasuredProblem problem{communicator_,
                                mesh,
                                parameters_.problem.material(),
                                parameters_.problem.load_cases(),
                                stiffness,
                                control};

  // (3) Backend by backend, so that one does not hold memory while the other is measured.
  for (const std::string &backend : options_.backends)
    if (backend == "cuda")
      compare_on(backend, 1, problem);
    else
      for (const std::string &text : options_.threads)
        compare_on(backend, to_threads(text), problem);

  const auto failed = [](const auto &result) { return is_failure(result.status); };
  return std::none_of(results_.operators.begin(), results_.operators.end(), failed) &&
         std::none_of(results_.solves.begin(), results_.solves.end(), failed);
}

bool Comparison::already_measured(const OperatorCase &what) const
{
  return std::any_of(results_.operators.begin(), results_.operators.end(), [&](const auto &result) {
    return result.what.backend == what.backend && result.what.name == what.name &&
           result.what.precision == what.precision && result.what.n_threads == what.n_threads;
  });
}

void Comparison::compare_on(const std::string &name,
                            const unsigned int n_threads,
                            const MeasuredProblem &problem)
{
  const ChosenBackend chosen = make_backend(name, n_threads, communicator_);
  Backend &backend           = *chosen.backend;
  // of the rank that has most: ranks must decide alike
  const auto n_working = static_cast<unsigned int>(communicator_.max(backend.n_threads()));
  if (name == "cpu")
    {
      if (contains(n_threads_done_, n_working)) // "all" may be what was measured already
        return;
      n_threads_done_.push_back(n_working);
    }

  const HardwareRates rates = measure_rates(chosen, communicator_);
  const double limit        = parameters_.compute.memory_limit; // MB, 0: none
  const MeasuredBackend where{backend,
                              rates,
                              limit > 0. ? 1e6 * limit
                                         : static_cast<double>(backend.memory().available()) /
                                             chosen.n_sharing};
  const std::string key = backend_key(name, n_working);
  results_.label.emplace_back(key, backend_label(backend, rates, communicator_));
  log_ << "\n" << key << ": " << results_.label.back().second << '\n';

  for (const std::string &precision_name : options_.precisions)
    {
      const Precision precision = precision_name == "double" ? Precision::fp64 : Precision::fp32;
      for (const std::string &strategy : names_of(backend, precision))
        {
          if (!options_.operators.empty() && !contains(options_.operators, strategy))
            continue;
          const OperatorCase what{name,
                                  strategy,
                                  precision,
                                  is_threaded(backend, strategy, precision) ? n_working : 1,
                                  false};
          if (already_measured(what))
            continue;
          results_.operators.push_back(
            measure_operator(problem, where, what, reference_, options_.apply_seconds));
          const OperatorResult &applied = results_.operators.back();
          log_ << "  " << strategy << ", " << precision_name << ": ";
          if (applied.measured())
            log_ << 1e3 * applied.median << " ms"
                 << (applied.status == "ok" ? "" : ", " + applied.status);
          else
            log_ << applied.status;
          log_ << std::flush;
          if (options_.solves && applied.measured())
            {
              results_.solves.push_back(
                measure_solve(problem, where, applied, options_.solve_seconds));
              const SolveResult &solve = results_.solves.back();
              log_ << "; solve " << solve.seconds << " s, " << solve.iterations << " iterations"
                   << (solve.status == "ok" ? "" : ", " + solve.status);
            }
          log_ << std::endl;
          if (communicator_.rank() == 0)
            write_reports(folder_, results_);
        }
    }
}
} // namespace strut::plugin
