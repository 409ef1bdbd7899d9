// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The program `strut`: topology optimization from a parameter file.

#include <deal.II/base/exceptions.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/multithread_info.h>

#include <strut/base/exceptions.h>

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>

#include "plugin/driver/application.h"
#include "plugin/driver/example_deck.h"
#include "plugin/driver/versions.h"

namespace
{
using namespace strut;
using namespace strut::plugin;

struct Arguments
{
  std::string deck;
  std::string new_deck;
  bool validate = false;
  bool resume   = false;
};

/// Print a message once. If every rank comes here (bad decks are bad everywhere), rank 0 speaks and
/// all end in order; if this rank is alone, it speaks and ends the others.
int fail(const std::string &message)
{
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int all = 1;
  if (size > 1)
    {
      MPI_Request request;
      MPI_Ibarrier(MPI_COMM_WORLD, &request);
      all = 0;
      for (int i = 0; i < 100 && all == 0; ++i)
        {
          MPI_Test(&request, &all, MPI_STATUS_IGNORE);
          std::this_thread::sleep_for(std::chrono::milliseconds(all ? 0 : 20));
        }
    }
  if (rank == 0 || !all)
    std::cerr << "\nstrut: error: " << message << std::endl;
  if (!all)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return 1;
}

int run(const Arguments &arguments)
{
  std::unique_ptr<Application> application;
  try
    {
      if (!arguments.new_deck.empty())
        {
          write_example_deck(arguments.new_deck);
          return 0;
        }
      application = std::make_unique<Application>(arguments.deck, MPI_COMM_WORLD);
      if (arguments.validate)
        {
          application->validate();
          return 0;
        }
      return application->run(arguments.resume);
    }
  catch (const EntryError &error)
    {
      return fail(application != nullptr
                    ? application->explain(error)
                    : Deck::read(arguments.deck).explain(error, &dealii::ParameterAcceptor::prm));
    }
  catch (const Error &error)
    {
      return fail(error.what());
    }
  catch (const dealii::ExceptionBase &error)
    {
      std::ostringstream text;
      error.print_info(text);
      return fail("deal.II reports a problem that strut did not foresee (" +
                  std::string(error.get_exc_name()) + "):\n" + text.str() +
                  "Please report it with the deck.");
    }
  catch (const std::bad_alloc &)
    {
      return fail("The host is out of memory. Use a coarser mesh, or more machines.");
    }
  catch (const std::exception &error)
    {
      return fail(std::string("A problem that strut did not foresee: ") + error.what() +
                  "\nPlease report it with the deck.");
    }
}

/// Threads of GNU's OpenMP spin at barriers, for minutes if need be. On a machine with other work
/// that made solves ten times slower, so let them sleep after a millisecond or so, unless the user says
/// otherwise. The library reads this before main(), hence the fresh start.
void wait_politely(char **argv)
{
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr)
    return;
  setenv("GOMP_SPINCOUNT", "1000000", 1);
  execv("/proc/self/exe", argv); // if it fails, go on as we are
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
  parser.set_version_flag("--version", [] { return strut_version() + ", " + library_versions(); });
  parser.footer(
    "To stop a run under mpirun after its iteration: kill -USR1 <pid of mpirun>; mpirun\'s own Ctrl-C\n"
    "kills the ranks within a second.\n\nExit codes: 0 done, 1 error, 130 stopped by a signal (results and checkpoint were "
    "written).\nA first deck: strut --write-deck my.prm");

  // MPI first: under mpirun every rank parses, rank 0 speaks. One thread for deal.II; the backends
  // bring their own.
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  dealii::deal_II_exceptions::suppress_stacktrace_in_exceptions();
  const bool speaks = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
  try
    {
      parser.parse(argc, argv);
    }
  catch (const CLI::ParseError &error)
    {
      std::ostringstream silence;
      const int code = speaks ? parser.exit(error) : parser.exit(error, silence, silence);
      return code == 0 ? 0 : 1;
    }
  if (arguments.deck.empty() && arguments.new_deck.empty())
    {
      if (speaks)
        std::cout << parser.help();
      return 1;
    }
  return run(arguments);
}
