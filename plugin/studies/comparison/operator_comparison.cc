// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparison/comparison.h"
#include "source/base/text.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <ostream>

#include "plugin/studies/comparison/designs.h"
#include "plugin/studies/comparison/measure.h"
#include "plugin/studies/comparison/report.h"
#include "plugin/studies/report/backends.h"
#include "plugin/studies/report/choices.h"

namespace strut
{
namespace
{
/// Names of the strategies of some backends in some precisions, each once.
std::vector<std::string> names_on(const std::vector<std::string> &backends,
                                  const std::vector<std::string> &precisions)
{
  std::vector<std::string> names;
  for (const std::string &backend : backends)
    for (const std::string &precision : precisions)
      with_number(to_precision(precision), [&](const auto number) {
        using Number = std::decay_t<decltype(number)>;
        for (const Strategy<Number> &strategy :
             backend == "cuda" ? cuda_strategies<Number>() : cpu_strategies<Number>())
          if (!contains(names, strategy.name))
            names.push_back(strategy.name);
      });
  return names;
}

/// Text ", WRONG: ..." if the status is not ok, else empty.
std::string unless_ok(const std::string &status)
{
  return status == "ok" ? "" : ", " + status;
}

/// Whether a CSV has the columns that plot_comparison.py reads (COLUMNS).
bool can_be_plotted(const std::vector<std::string> &csv_names)
{
  const std::vector<std::string> needed = {"deck",
                                           "backend",
                                           "operator",
                                           "precision",
                                           "threads",
                                           "status",
                                           "median_s",
                                           "min_s",
                                           "max_s",
                                           "percent_of_copy"};
  return std::all_of(needed.begin(), needed.end(), [&](const std::string &name) {
    return contains(csv_names, name);
  });
}

void check_options(const ComparisonOptions &options)
{
  const std::vector<std::string> operators = names_on({"cuda", "cpu"}, {"double", "float"});
  require_known("--operators", options.operators, operators);
  const std::size_t colon = options.baseline.find(':'); // "cpu:ebe", or "ebe"
  require_known("--baseline", {options.baseline.substr(colon + 1)}, operators);
  if (colon != std::string::npos)
    require_known("the backend of --baseline",
                  {options.baseline.substr(0, colon)},
                  {"cuda", "cpu"});
  require_known("--precisions", options.precisions, {"double", "float"});
  require_known("--columns", options.columns, names_of_operator_columns());

  const std::vector<std::string> there = names_on(options.backends, options.precisions);
  if (!options.operators.empty() && std::none_of(options.operators.begin(),
                                                 options.operators.end(),
                                                 [&](auto &name) { return contains(there, name); }))
    throw Error("There is nothing to compare: on " + join(options.backends) + " in precision " +
                join(options.precisions) + " there is no " + join(options.operators) +
                ".\n  There are: " + join(there) + ".");
}

/// Comparison of the operators of a deck, backend by backend.
class OperatorComparison : private Comparison
{
public:
  explicit OperatorComparison(const Comparison &comparison) : Comparison(comparison)
  {}

  const ComparisonResults &run()
  {
    // (1) The structure.
    set_up(false, results_);
    results_.baseline = options.baseline;
    results_.label.emplace_back("baseline", options.baseline);

    // (2) The reference for the products, and the design for the solves.
    const Problem &problem = parameters.problem;
    reference_ = ReferenceProduct::compute(communicator, problem.mesh(), problem.material());
    const std::vector<double> stiffness = uniform_design(parameters, communicator);
    const SolverControl control         = parameters.solver.control();
    const MeasuredProblem measured{
      communicator, problem.mesh(), problem.material(), problem.load_cases(), stiffness, control};

    // (3) Backend by backend, so that a backend holds no memory while another is measured.
    for_each_place(options.backends,
                   options.threads,
                   communicator,
                   results_.label,
                   [&](const Place &place) { compare_on(place, measured); });
    return results_;
  }

private:
  void compare_on(const Place &place, const MeasuredProblem &problem)
  {
    log << '\n' << place.text << '\n';
    Backend &backend   = place.backend();
    const double limit = 1e6 * parameters.compute.memory_limit; // 0 means no limit
    const double free  = static_cast<double>(backend.memory().available()) / place.chosen.n_sharing;
    const MeasuredBackend where{backend, place.rates, limit > 0. ? limit : free};
    for (const std::string &name : options.precisions)
      with_number(to_precision(name), [&](const auto number) {
        for (const auto &strategy : backend.strategies<std::decay_t<decltype(number)>>())
          {
            const OperatorCase subject{backend.name(),
                                       strategy.name,
                                       to_precision(name),
                                       strategy.threaded ? place.n_threads : 1,
                                       strategy.deterministic};
            if ((options.operators.empty() || contains(options.operators, strategy.name)) &&
                !already_measured(subject))
              compare(subject, where, problem);
          }
      });
  }

  bool already_measured(const OperatorCase &subject) const
  {
    return std::any_of(results_.operators.begin(),
                       results_.operators.end(),
                       [&](const auto &result) {
                         return result.subject.backend == subject.backend &&
                                result.subject.name == subject.name &&
                                result.subject.precision == subject.precision &&
                                result.subject.n_threads == subject.n_threads;
                       });
  }

  void
  compare(const OperatorCase &subject, const MeasuredBackend &where, const MeasuredProblem &problem)
  {
    log << "  " << subject.name << ", " << to_string(subject.precision) << ": ";
    const OperatorResult applied =
      measure_operator(problem, where, subject, reference_, options.apply_seconds);
    results_.operators.push_back(applied);
    if (applied.measured())
      log << 1e3 * applied.time.median << " ms" << unless_ok(applied.status);
    else
      log << applied.status;
    log << std::flush;
    if (options.solves && applied.measured())
      {
        const SolveResult solve = measure_solve(problem, where, applied, options.solve_seconds);
        results_.solves.push_back(solve);
        log << "; solve " << solve.seconds << " s, " << solve.iterations << " iterations"
            << unless_ok(solve.status);
      }
    log << std::endl;
    if (communicator.rank() == 0)
      write_reports(folder, results_, options.columns);
  }

  ReferenceProduct reference_;
  ComparisonResults results_;
};
} // namespace

void compare_operators(const Comparison &comparison)
{
  check_options(comparison.options);
  OperatorComparison operators(comparison);
  const ComparisonResults &results        = operators.run();
  const std::vector<std::string> &columns = comparison.options.columns;
  std::ostream &log                       = comparison.log;
  const auto show                         = [&](const std::string &title, const Table &table) {
    if (!table.headers.empty()) // the table has some of the chosen columns
      log << '\n' << title << '\n' << table.text();
  };
  const auto of_operators = chosen_columns(operator_columns(results), columns, results.operators);
  show("One application, speed-up over '" + results.baseline + "' of the same precision",
       of_operators.table(results.operators));
  if (!results.solves.empty())
    show("A solve by PCG and Jacobi, uniform design, speed-up per iteration",
         chosen_columns(solve_columns(results), columns, results.solves).table(results.solves));
  const std::string base = comparison.folder + "/" + results.deck;
  log << "\nWritten: " << base << ".operators.csv, .solves.csv, .md, .tex\n";
  if (can_be_plotted(of_operators.csv_names()))
    log << "A bar chart: plugin/tools/plot_comparison.py " << base << ".operators.csv -o " << base
        << ".png\n";
  log << std::flush;
  if (find_baseline(results.operators, results.baseline, Precision::fp64) == nullptr &&
      find_baseline(results.operators, results.baseline, Precision::fp32) == nullptr)
    log << "The baseline '" << results.baseline << "' was not measured, so there are no speed-ups."
        << std::endl;
  if (!none_failed(results.operators) || !none_failed(results.solves))
    throw Error(
      "An operator is wrong (its product differs from that of the plain CPU operator by "
      "more than rounding) or failed: see the column 'status'.\n  Its times mean nothing; "
      "please report it with the deck.");
}
} // namespace strut
