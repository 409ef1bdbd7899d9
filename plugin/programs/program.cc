// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/programs/program.h"

#include <deal.II/base/exceptions.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_acceptor.h>

#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>

#include <mpi.h>

#include <malloc.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "plugin/base/attempt.h"
#include "plugin/base/spelling.h"
#include "plugin/deck/parameters/deck.h"
#include "plugin/programs/options.h"

namespace strut
{
namespace
{
/// Prints a message once and returns the exit code. If every rank calls this (a bad deck is bad
/// everywhere), rank 0 prints and all end in order. If only this rank does, it prints and ends the
/// others.
int fail(const std::string &program,
         const std::string &message,
         const std::function<void(const std::string &)> &tell)
{
  int mpi_runs = 0;
  MPI_Initialized(&mpi_runs);
  const int rank = Communicator(MPI_COMM_WORLD).rank();
  const bool all = mpi_runs == 0 || all_arrive(MPI_COMM_WORLD);
  if (rank == 0 || !all)
    {
      std::cerr << '\n' << program << ": error: " << shortened(message) << std::endl;
      if (tell)
        tell(message);
    }
  if (!all)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return 1;
}

/// Message of an error, with the location of its entry in the deck.
std::string explained(const EntryError &error, const DeckChoice &deck)
{
  try
    {
      return Deck::read(deck.file, deck.settings).explain(error, &dealii::ParameterAcceptor::prm);
    }
  catch (const Error &) // the deck was removed or damaged since it was read
    {
      return deck.file + ": " + full_name(error.path, error.entry) + "\n  " + error.what();
    }
}

/// Whether mpirun, srun or a similar launcher has started this process. Launchers set variables
/// with the number of each process.
bool has_launcher()
{
  for (const char *const name : {"OMPI_COMM_WORLD_RANK",
                                 "PMIX_RANK",
                                 "PMI_RANK",
                                 "PMI_ID",
                                 "SLURM_PROCID",
                                 "PALS_RANKID",
                                 "FLUX_TASK_RANK"})
    if (std::getenv(name) != nullptr)
      return true;
  return false;
}

/// Sets environment variables that the libraries read when MPI starts, unless the user has set
/// them.
void set_defaults_of_libraries(const bool alone)
{
  // Without mpirun, Open MPI would start a daemon in case the process spawns others. That takes
  // seconds if the host's name cannot be resolved.
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  // All such processes of a user would share one folder in /tmp. The first to end removes it while
  // another begins. A single process needs none.
  if (alone)
    setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  // A single process needs no network, for which Open MPI searches for 0.2 s.
  if (alone)
    {
      setenv("OMPI_MCA_pml", "ob1", 0);
      setenv("OMPI_MCA_btl", "self", 0);
      // It places no ranks, so it need not know of devices, which hwloc searches for 0.1 s on a
      // machine with GPUs.
      setenv("HWLOC_COMPONENTS", "-linuxio,-pci,-gl,-opencl,-cuda,-nvml", 0);
    }
  // hwloc writes to stderr if it does not understand the machine, or if /sys is missing
  setenv("HWLOC_HIDE_ERRORS", "2", 0);
}

/// Makes glibc return large freed arrays to the system, which is its default. SuperLU_DIST, a part
/// of Trilinos, changes the default when it is loaded. A run would then keep all memory that it
/// ever used, a quarter more than it needs.
void return_freed_memory()
{
#ifdef __GLIBC__
  // in bytes; smaller arrays are allocated and freed too often
  constexpr int least_to_return = 32 << 20;
  mallopt(M_MMAP_MAX, 1 << 16);
  mallopt(M_MMAP_THRESHOLD, least_to_return);
  mallopt(M_TRIM_THRESHOLD, 2 * least_to_return);
#endif
}
} // namespace

int run_program(int argc,
                char **argv,
                const std::function<int()> &begin,
                const std::function<int()> &work)
{
  dealii::deal_II_exceptions::suppress_stacktrace_in_exceptions();
  return_freed_memory();
  const bool alone = !has_launcher();
  if (alone)
    if (const int code = begin(); code >= 0)
      return code;
  set_defaults_of_libraries(alone);
  // PETSc, which deal.II also starts, catches this signal, so nohup would have no effect.
  const auto on_hangup = std::signal(SIGHUP, SIG_IGN);
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  std::signal(SIGHUP, on_hangup);
  if (!alone)
    if (const int code = begin(); code >= 0)
      return code;
  return work();
}

int guard(const std::string &program,
          const DeckChoice &deck,
          const RemedyTable remedies,
          const std::function<int()> &work,
          const std::function<void(const std::string &)> &tell)
{
  const auto fail_with = [&](const std::string &message) { return fail(program, message, tell); };
  try
    {
      return work();
    }
  catch (const EntryError &error)
    {
      return fail_with(explained(error, deck));
    }
  catch (const Error &error)
    {
      const WordedRemedy remedy = remedies(error.remedy);
      if (remedy.has_place())
        return fail_with(
          explained({remedy.path, remedy.entry, error.reason + "\n" + remedy.sentence}, deck));
      return fail_with(joined(error.reason, remedy.sentence));
    }
  catch (const dealii::ExceptionBase &error)
    {
      std::ostringstream text;
      error.print_info(text);
      return fail_with("deal.II reports a problem that strut did not foresee (" +
                       std::string(error.get_exc_name()) + "):\n" + text.str() +
                       "Please report it with the deck.");
    }
  catch (const std::bad_alloc &)
    {
      return fail_with("The host is out of memory. Use a coarser mesh, or more machines.");
    }
  catch (const std::exception &error)
    {
      return fail_with(std::string("A problem that strut did not foresee: ") + error.what() +
                       "\nPlease report it with the deck.");
    }
}
} // namespace strut
