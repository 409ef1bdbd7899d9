// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <iostream>

#include "plugin/programs/options.h"
#include "plugin/programs/program.h"
#include "plugin/programs/remedies.h"
#include "plugin/studies/comparators/comparators.h"
#include "plugin/studies/comparison/comparison.h"

namespace strut
{
namespace
{
int run(const DeckChoice &deck, const ComparisonOptions &options)
{
  const Communicator communicator(MPI_COMM_WORLD);
  std::ostream silence(nullptr);
  DeckParameters parameters(deck.file, deck.settings);
  const Comparison comparison(parameters,
                              options,
                              communicator,
                              communicator.rank() == 0 ? std::cout : silence);
  if (options.solvers.empty())
    compare_operators(comparison);
  else
    compare_solvers(comparison);
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
} // namespace strut
