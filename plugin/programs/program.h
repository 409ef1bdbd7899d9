// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <functional>
#include <string>

#include "plugin/deck/parameters/deck_remedies.h"

namespace strut
{
struct DeckChoice;

/// The common frame of the programs: runs `begin`, which parses the command line, and then `work`
/// with MPI and deal.II set up. deal.II gets one thread; the backends have their own.
///
/// A process that is started by hand runs `begin` without MPI, whose start takes longer than
/// printing the help. Under mpirun and other launchers all ranks begin with MPI, so that only one
/// prints.
///
/// @param begin  returns -1 to continue, else the exit code
int run_program(int argc,
                char **argv,
                const std::function<int()> &begin,
                const std::function<int()> &work);

/// Runs `work`, and turns an exception into one message and the exit code 1. Collective.
///
/// @param program  name of the program, for the message
/// @param deck  deck that contains the entries of EntryErrors
/// @param remedies  the program's table of remedies
/// @param tell  also receives the message, on rank 0
int guard(const std::string &program,
          const DeckChoice &deck,
          RemedyTable remedies,
          const std::function<int()> &work,
          const std::function<void(const std::string &)> &tell = {});

// Entry points of the programs, which do all their work. @return the exit code

/// Program `strut`: makes a design from a deck.
int strut_main(int argc, char **argv);
/// Program `strut-compare`: compares operators or solvers on the structure of a deck.
int compare_main(int argc, char **argv);
/// Program `strut-assemble`: measures times and memory for the generation of assembled matrices.
int assemble_main(int argc, char **argv);
/// Program `strut-export`: writes a design as a part, in files for printing and for other programs.
int export_main(int argc, char **argv);
/// Program `strut-compare-runs`: compares two runs by their folders.
int compare_runs_main(int argc, char **argv);
} // namespace strut
