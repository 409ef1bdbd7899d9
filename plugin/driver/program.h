// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <functional>
#include <string>

namespace CLI
{
class App;
}

namespace strut::plugin
{
/// What the programs have in common around their work. Call first in main(): threads that wait at
/// barriers sleep after a millisecond instead of spinning for minutes, unless the user says otherwise.
void wait_politely(char **argv);

/// Parse the command line; rank 0 speaks.
/// @return -1 to go on, else the exit code
int parse_command_line(CLI::App &parser, int argc, char **argv);

/// Run `work` and turn what it throws into one message and the exit code 1. Collective.
///
/// @param program  its name, for the message
/// @param deck_file  where the entries of EntryErrors stand
int guard(const std::string &program,
          const std::string &deck_file,
          const std::function<int()> &work);
} // namespace strut::plugin
