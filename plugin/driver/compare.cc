// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The program `strut-compare`: every operator on the structure of a deck, side by side.

#include <deal.II/base/conditional_ostream.h>
#include <deal.II/base/exceptions.h>
#include <deal.II/base/mpi.h>

#include <CLI/CLI.hpp>

#include <iostream>

#include "plugin/comparison/comparison.h"
#include "plugin/comparison/report.h"
#include "plugin/comparison/solver_comparison.h"
#include "plugin/comparison/solver_report.h"
#include "plugin/driver/program.h"
#include "plugin/driver/versions.h"
#include "plugin/operators/comparators.h"

namespace
{
using namespace strut;
using namespace strut::plugin;

/// "  cuda  ebe, nbn*, ..." for the help.
std::string operators_of(const std::string &backend, const StrategyList<double> &list)
{
  std::string text;
  for (const Strategy<double> &strategy : list)
    text += (text.empty() ? "" : ", ") + strategy.name + (strategy.deterministic ? "*" : "");
  return text.empty() ? "" : "  " + backend + std::string(6 - backend.size(), ' ') + text + "\n";
}

void compare_solvers(DeckParameters &parameters,
                     const ComparisonOptions &options,
                     const Communicator &communicator,
                     std::ostream &log)
{
  SolverComparison comparison(parameters, options, communicator, log);
  const bool right             = comparison.run();
  const SolverResults &results = comparison.results();
  log << "\nSolves from zero, speed-up of a new design and its solve over 'ml'\n"
      << solver_table(results).text() << "\nWritten: " << comparison.folder() << '/' << results.deck
      << ".solvers.csv, .solvers.md, .solvers.tex" << std::endl;
  if (!right)
    throw Error("A solver failed: see the column 'status'.\n  Please report it with the deck.");
}

void compare_operators(DeckParameters &parameters,
                       const ComparisonOptions &options,
                       const Communicator &communicator,
                       std::ostream &log)
{
  Comparison comparison(parameters, options, communicator, log);
  const bool right = comparison.run();

  const ComparisonResults &results = comparison.results();
  log << "\nOne application, speed-up over '" << results.baseline << "' of the same precision\n"
      << operator_table(results).text();
  if (!results.solves.empty())
    log << "\nA solve by PCG and Jacobi, uniform design, speed-up per iteration\n"
        << solve_table(results).text();
  const std::string base = comparison.folder() + "/" + results.deck;
  log << "\nWritten: " << base << ".operators.csv, .solves.csv, .md, .tex\n"
      << "A bar chart: plugin/tools/plot_comparison.py " << base << ".operators.csv -o " << base
      << ".png" << std::endl;
  if (find_baseline(results.operators, results.baseline, Precision::fp64) == nullptr &&
      find_baseline(results.operators, results.baseline, Precision::fp32) == nullptr)
    log << "The baseline '" << results.baseline << "' was not measured, so there are no speed-ups."
        << std::endl;
  if (!right)
    throw Error(
      "An operator is wrong (its product differs from that of the plain CPU operator by "
      "more than rounding) or failed: see the column 'status'.\n  Its times mean nothing; "
      "please report it with the deck.");
}

int run(const std::string &deck, const ComparisonOptions &options)
{
  const Communicator communicator(MPI_COMM_WORLD);
  std::ostream silence(nullptr);
  std::ostream &log = communicator.rank() == 0 ? std::cout : silence;
  DeckParameters parameters(deck);
  if (options.solvers.empty())
    compare_operators(parameters, options, communicator, log);
  else
    compare_solvers(parameters, options, communicator, log);
  return 0;
}
} // namespace

int main(int argc, char **argv)
{
  wait_politely(argv);

  std::string deck;
  ComparisonOptions options;
  CLI::App parser(
    "Every operator strategy of the GPU and the CPU on the structure of a parameter "
    "file: time,\nmemory, correctness, and a solve by the conjugate gradient method.\n");
  parser.add_option("deck", deck, "Parameter file (deal.II's .prm format)")->required();
  const auto list =
    [&](const std::string &name, std::vector<std::string> &values, const std::string &description) {
      parser.add_option(name, values, description)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->capture_default_str();
    };
  list("--operators", options.operators, "Names, separated by commas; all unless given");
  list("--backends", options.backends, "cuda, cpu; all that there are unless given");
  list("--precisions", options.precisions, "double, float");
  list("--threads", options.threads, "Numbers of threads of the CPU operators; all: every core");
  parser
    .add_option("--baseline",
                options.baseline,
                "Operator that speed-ups refer to: a name, or backend:name, as in cpu:ebe")
    ->capture_default_str();
  parser.add_option("--output", options.output, "Folder of the tables")
    ->type_name("FOLDER")
    ->default_str("output/<deck>-comparison");
  parser
    .add_option("--apply-seconds", options.apply_seconds, "Seconds to measure each operator, about")
    ->check(CLI::Range(1e-3, 1e5))
    ->capture_default_str();
  parser
    .add_option(
      "--solve-seconds",
      options.solve_seconds,
      "Seconds for each solve, about: limits its iterations by the time of one application")
    ->check(CLI::Range(1e-3, 1e6))
    ->capture_default_str();
  bool no_solves = false;
  parser.add_flag("--no-solves", no_solves, "Apply the operators only");
  list("--solvers",
       options.solvers,
       "Compare solvers instead of operators: all, or some of multigrid, jacobi (strut's), ml "
       "(conjugate gradients of deal.II with the algebraic multigrid ML of Trilinos)");
  list(
    "--designs",
    options.designs,
    "What the solvers solve for: uniform; frame, of solid and void; a number: the design that the "
    "deck's optimization analyses in this iteration");
  parser.add_option("--contrast", options.contrast, "Stiffness of the frame's void")
    ->check(CLI::Range(1e-16, 1.))
    ->capture_default_str();
  parser.set_version_flag("--version", [] { return strut_version() + ", " + library_versions(); });
  register_comparators();
  parser.footer(
    "Operators (*: the same bits in every run):\n" +
    operators_of("cuda", cuda_strategies<double>()) +
    operators_of("cpu", cpu_strategies<double>()) +
    "\nOf the deck's own Backend, Operator, Precision and Threads none counts here; Memory limit does, and\n"
    "Solver's criterion, tolerance and limit of iterations.\n\n"
    "Writes <deck>.operators.csv, <deck>.solves.csv, <deck>.md and <deck>.tex; with --solvers\n"
    "<deck>.solvers.csv, .solvers.md and .solvers.tex.\n"
    "Exit codes: 0 done, 1 error, or an operator that is wrong or failed.");

  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  dealii::deal_II_exceptions::suppress_stacktrace_in_exceptions();
  const int code = parse_command_line(parser, argc, argv);
  if (code >= 0)
    return code;
  options.solves = !no_solves;
  return guard("strut-compare", deck, [&]() { return run(deck, options); });
}
