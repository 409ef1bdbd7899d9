// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include <iostream>

#include "plugin/programs/options.h"
#include "plugin/programs/program.h"
#include "plugin/studies/assembly/assembly_report.h"
#include "plugin/studies/assembly/assembly_study.h"
#include "plugin/studies/assembly/remedies.h"

namespace strut::plugin
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
  const AssemblyDeck deck(options.deck.file, options.deck.settings);
  AssemblyStudy study(deck, options.output, options.lock_file, std::cout);
  const bool right = study.run();

  const AssemblyResults &results = study.results();
  std::cout << "\nMeshes\n"
            << mesh_table(results).text() << "\nMemory of the matrix\n"
            << memory_table(results).text() << "\nWhole generation\n"
            << generation_table(results).text() << "\nWritten: " << study.folder() << '/'
            << results.deck << ".assembly.md (all stages and steps), .assembly.csv, .memory.csv"
            << std::endl;
  if (!right)
    throw Error("Values are wrong: see the column 'status'.\n  Their times mean nothing; please "
                "report it with the deck.");
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
} // namespace strut::plugin
