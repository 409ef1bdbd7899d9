// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The program `strut`: topology optimization from a parameter file.

#include <deal.II/base/exceptions.h>
#include <deal.II/base/mpi.h>

#include <CLI/CLI.hpp>

#include <iostream>

#include "plugin/driver/application.h"
#include "plugin/driver/example_deck.h"
#include "plugin/driver/program.h"
#include "plugin/driver/reference.h"
#include "plugin/driver/versions.h"
#include "plugin/operators/comparators.h"

namespace
{
using namespace strut;
using namespace strut::plugin;

struct Arguments
{
  std::string deck;
  std::string new_deck;
  std::string reference;
  bool validate = false;
  bool resume   = false;
};

int run(const Arguments &arguments)
{
  if (!arguments.new_deck.empty())
    {
      write_example_deck(arguments.new_deck);
      return 0;
    }
  if (!arguments.reference.empty())
    {
      write_reference(arguments.reference);
      return 0;
    }
  Application application(arguments.deck, MPI_COMM_WORLD);
  if (!arguments.validate)
    return application.run(arguments.resume);
  application.validate();
  return 0;
}
} // namespace

int main(int argc, char **argv)
{
  wait_politely(argv);

  Arguments arguments;
  CLI::App parser(
    "Topology optimization of elastic structures from a parameter file, on the GPU or "
    "the CPU.\n\nIn parallel: mpirun -n N strut deck.prm\n");
  parser.add_option("deck", arguments.deck, "Parameter file (deal.II's .prm format)");
  parser.add_flag("--validate",
                  arguments.validate,
                  "Build mesh and regions, print boundary ids, supports, loads and memory; solve "
                  "nothing");
  parser.add_flag("--resume",
                  arguments.resume,
                  "Go on from the checkpoint in the output directory");
  parser
    .add_option("--write-deck", arguments.new_deck, "Write a commented deck to this file, and stop")
    ->type_name("FILE");
  parser
    .add_option("--write-reference",
                arguments.reference,
                "Write what every entry of a deck means to this Markdown file, and stop")
    ->type_name("FILE");
  parser.set_version_flag("--version", [] { return strut_version() + ", " + library_versions(); });
  parser.footer(
    "To stop a run under mpirun after its iteration: kill -USR1 <pid of mpirun>; mpirun\'s own Ctrl-C\n"
    "kills the ranks within a second.\n\nExit codes: 0 done, 1 error, 130 stopped by a signal (results and checkpoint were "
    "written).\nA first deck: strut --write-deck my.prm");

  // MPI first: under mpirun every rank parses, rank 0 speaks. One thread for deal.II; the backends
  // bring their own.
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  dealii::deal_II_exceptions::suppress_stacktrace_in_exceptions();
  const int code = parse_command_line(parser, argc, argv);
  if (code >= 0)
    return code;
  if (arguments.deck.empty() && arguments.new_deck.empty() && arguments.reference.empty())
    {
      if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
        std::cout << parser.help();
      return 1;
    }
  register_comparators();
  return guard("strut", arguments.deck, [&]() { return run(arguments); });
}
