// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include <iostream>

#include "plugin/programs/options.h"
#include "plugin/programs/program.h"
#include "plugin/studies/comparators/comparators.h"
#include "plugin/studies/comparison/comparison.h"
#include "plugin/studies/comparison/remedies.h"
#include "plugin/studies/comparison/report.h"
#include "plugin/studies/comparison/solver_comparison.h"
#include "plugin/studies/comparison/solver_report.h"

namespace strut::plugin
{
namespace
{
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

int run(const DeckChoice &deck, const ComparisonOptions &options)
{
  const Communicator communicator(MPI_COMM_WORLD);
  std::ostream silence(nullptr);
  std::ostream &log = communicator.rank() == 0 ? std::cout : silence;
  DeckParameters parameters(deck.file, deck.settings);
  if (options.solvers.empty())
    compare_operators(parameters, options, communicator, log);
  else
    compare_solvers(parameters, options, communicator, log);
  return 0;
}
} // namespace

int compare_main(int argc, char **argv)
{
  register_comparators();
  DeckChoice deck;
  ComparisonOptions options;
  return run_program(
    argc,
    argv,
    [&] { return parse_compare(argc, argv, deck, options); },
    [&] {
      return guard("strut-compare", deck, comparison_remedy, [&] { return run(deck, options); });
    });
}
} // namespace strut::plugin
