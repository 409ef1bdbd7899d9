// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <functional>
#include <string>

#include "plugin/deck/parameters/deck_remedies.h"

namespace strut::plugin
{
struct DeckChoice;

/// The common frame of the programs around their work: run `begin`, which parses the command line, and
/// `work` with MPI and deal.II set up. One thread for deal.II; the backends bring their own.
///
/// A process that somebody starts by hand begins without MPI, whose start takes longer than to print a help.
/// Under mpirun and its like all ranks begin with MPI, so that one of them speaks.
///
/// @param begin  returns -1 to go on, else the exit code
int run_program(int argc,
                char **argv,
                const std::function<int()> &begin,
                const std::function<int()> &work);

/// Run `work` and turn an exception of it into one message and the exit code 1. Collective.
///
/// @param program  its name, for the message
/// @param deck  contains the entries of EntryErrors
/// @param remedies  the program's table
/// @param tell  is told the message, too, on rank 0
int guard(const std::string &program,
          const DeckChoice &deck,
          RemedyTable remedies,
          const std::function<int()> &work,
          const std::function<void(const std::string &)> &tell = {});

// The programs: their whole work. @return the exit code

/// `strut`: a design from a deck.
int strut_main(int argc, char **argv);
/// `strut-compare`: operators or solvers on the structure of a deck.
int compare_main(int argc, char **argv);
/// `strut-assemble`: times and memory of the generation of assembled matrices.
int assemble_main(int argc, char **argv);
/// `strut-export`: a design as a part, in files for printing and for other programs.
int export_main(int argc, char **argv);
/// `strut-compare-runs`: two runs side by side, by their folders.
int compare_runs_main(int argc, char **argv);
} // namespace strut::plugin
