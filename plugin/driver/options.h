// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/comparison/options.h"
#include "plugin/parameters/deck.h"

namespace strut::plugin
{
/// What the programs take on their command lines. Each parser returns -1 to go on, else the exit code;
/// rank 0 speaks, if MPI runs.

/// Which deck, and what the command line sets in it.
struct DeckChoice
{
  std::string file;
  std::vector<Deck::Setting> settings;
};

struct StrutOptions
{
  DeckChoice deck;
  std::string new_deck;
  std::string reference;
  bool validate = false;
  std::string resume; ///< empty, true or auto
  bool quiet = false;
};

struct AssembleOptions
{
  DeckChoice deck;
  std::string output;
  std::string lock_file;
};

int parse_strut(int argc, char **argv, StrutOptions &options);
int parse_compare(int argc, char **argv, DeckChoice &deck, ComparisonOptions &options);
int parse_assemble(int argc, char **argv, AssembleOptions &options);

/// The options that set entries of the deck, as a shell takes them: " --set 'A / B = c'"; each with a
/// blank before it.
std::string as_command_line(const std::vector<Deck::Setting> &settings);
} // namespace strut::plugin
