// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The program `strut-assemble`: times and memory of the generation of assembled matrices.

#include <deal.II/base/exceptions.h>
#include <deal.II/base/mpi.h>

#include <strut/base/exceptions.h>

#include <CLI/CLI.hpp>

#include <iostream>

#include "plugin/assembly/assembly_report.h"
#include "plugin/assembly/assembly_study.h"
#include "plugin/driver/program.h"
#include "plugin/driver/versions.h"

namespace
{
using namespace strut;
using namespace strut::plugin;

int run(const std::string &deck_file, const std::string &output, const std::string &lock_file)
{
  int n_ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  if (n_ranks > 1)
    throw Error("Matrices are generated on one process, and there are " + std::to_string(n_ranks) +
                ".\n  Start the program without mpirun.");
  const AssemblyDeck deck(deck_file);
  AssemblyStudy study(deck, output, lock_file, std::cout);
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

int main(int argc, char **argv)
{
  wait_politely(argv);

  std::string deck, output, lock_file;
  CLI::App parser(
    "Generation of assembled stiffness matrices in three stages (neighbours, indices, "
    "values), on the\nGPU and the CPU: time and bandwidth of each step, memory of each "
    "format.\n");
  parser.add_option("deck", deck, "Parameter file (deal.II's .prm format)")->required();
  parser.add_option("--output", output, "Folder of the tables")
    ->type_name("FOLDER")
    ->default_str("the deck's, or output/<deck>");
  parser
    .add_option("--lock",
                lock_file,
                "Measure while this file is locked: several programs may make their meshes at once")
    ->type_name("FILE");
  parser.set_version_flag("--version", [] { return strut_version() + ", " + library_versions(); });
  parser.footer(
    "The deck: Mesh and Material as for strut, and Assembly (doc/assembling.md). Examples:\n"
    "prm/assembly/.\n\n"
    "Writes <deck>.assembly.md, <deck>.assembly.csv and <deck>.memory.csv.\n"
    "Exit codes: 0 done, 1 error, or values that are wrong.");

  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  dealii::deal_II_exceptions::suppress_stacktrace_in_exceptions();
  const int code = parse_command_line(parser, argc, argv);
  if (code >= 0)
    return code;
  return guard("strut-assemble", deck, [&]() { return run(deck, output, lock_file); });
}
