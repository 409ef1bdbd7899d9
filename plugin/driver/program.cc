// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/driver/program.h"

#include <deal.II/base/exceptions.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_acceptor.h>

#include <strut/base/exceptions.h>

#include <mpi.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

#include "plugin/application/attempt.h"
#include "plugin/driver/options.h"
#include "plugin/parameters/deck.h"
#include "plugin/parameters/spelling.h"

namespace strut::plugin
{
namespace
{
/// Print a message once. If every rank comes here (bad decks are bad everywhere), rank 0 speaks and
/// all end in order; if this rank is alone, it speaks and ends the others.
int fail(const std::string &program, const std::string &message)
{
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool all = all_arrive(MPI_COMM_WORLD);
  if (rank == 0 || !all)
    std::cerr << '\n' << program << ": error: " << shortened(message) << std::endl;
  if (!all)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return 1;
}
} // namespace

// GNU's OpenMP lets threads spin at barriers, for minutes if need be. On a machine with other work
// that made solves ten times slower. The library reads its variables before main(), hence the fresh
// start.
void wait_politely(char **argv)
{
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr)
    return;
  setenv("GOMP_SPINCOUNT", "1000000", 1);
  execv("/proc/self/exe", argv); // if it fails, go on as we are
}

int with_mpi(int &argc, char **&argv, const std::function<int()> &work)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  dealii::deal_II_exceptions::suppress_stacktrace_in_exceptions();
  return work();
}

int guard(const std::string &program, const DeckChoice &deck, const std::function<int()> &work)
{
  try
    {
      return work();
    }
  catch (const EntryError &error)
    {
      return fail(
        program,
        Deck::read(deck.file, deck.settings).explain(error, &dealii::ParameterAcceptor::prm));
    }
  catch (const Error &error)
    {
      return fail(program, error.what());
    }
  catch (const dealii::ExceptionBase &error)
    {
      std::ostringstream text;
      error.print_info(text);
      return fail(program,
                  "deal.II reports a problem that strut did not foresee (" +
                    std::string(error.get_exc_name()) + "):\n" + text.str() +
                    "Please report it with the deck.");
    }
  catch (const std::bad_alloc &)
    {
      return fail(program, "The host is out of memory. Use a coarser mesh, or more machines.");
    }
  catch (const std::exception &error)
    {
      return fail(program,
                  std::string("A problem that strut did not foresee: ") + error.what() +
                    "\nPlease report it with the deck.");
    }
}
} // namespace strut::plugin
