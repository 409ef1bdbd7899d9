// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include <iostream>

#include "plugin/programs/options.h"
#include "plugin/programs/program.h"
#include "plugin/programs/remedies.h"
#include "plugin/studies/assembly/assembly_study.h"

namespace strut
{
namespace
{
int run(const AssembleOptions &options)
{
  int n_ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  if (n_ranks > 1)
    throw Error("Matrices are generated on one process, and there are " + std::to_string(n_ranks) +
                ".\n  Start the program without mpirun.");
  std::vector<Deck::Setting> settings = options.deck.settings;
  if (options.solve)
    settings.push_back({"--solve", "Solve / Solve = true"});
  AssemblyDeck deck(options.deck.file, settings);
  study_assembly(deck, options.output, options.lock_file, std::cout);
  return 0;
}
} // namespace

int assemble_main(int argc, char **argv)
{
  AssembleOptions options;
  return run_program(
    argc,
    argv,
    [&] { return parse_assemble(argc, argv, options); },
    [&] {
      return guard("strut-assemble", options.deck, assembly_remedy, [&] { return run(options); });
    });
}
} // namespace strut
