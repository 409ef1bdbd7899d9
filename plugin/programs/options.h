// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/deck/parameters/deck_choice.h"
#include "plugin/deck/part/part_export.h"
#include "plugin/studies/comparison/comparison_options.h"

namespace strut::plugin
{
/// The options of the programs' command lines. Each parser returns -1 to go on, else the exit code;
/// rank 0 speaks, if MPI runs.

struct StrutOptions
{
  DeckChoice deck;
  std::string new_deck;
  std::string reference;
  bool validate = false;
  bool json     = false; ///< what it finds, for programs
  bool solid    = false; ///< solve the solid body, too
  std::string resume;    ///< empty, true or auto
  bool quiet = false;
  std::string analysed;          ///< a result, to analyse in place of optimizing
  bool checks_gradients = false; ///< in place of optimizing
  std::string progress;          ///< empty or json
};

struct AssembleOptions
{
  DeckChoice deck;
  std::string output;
  std::string lock_file;
  bool solve = false;
};

struct ExportOptions
{
  std::string result;               ///< a .vtu file
  std::vector<std::string> outputs; ///< files; the ending is the format
  PartRequest part;
};

struct CompareRunsOptions
{
  std::string a, b;   ///< folders
  std::string output; ///< a .vtu file; empty: none
  std::string page;   ///< an .html file; empty: none
  std::optional<double> tolerance;
};

int parse_strut(int argc, char **argv, StrutOptions &options);
int parse_compare(int argc, char **argv, DeckChoice &deck, ComparisonOptions &options);
int parse_assemble(int argc, char **argv, AssembleOptions &options);
int parse_export(int argc, char **argv, ExportOptions &options);
int parse_compare_runs(int argc, char **argv, CompareRunsOptions &options);
} // namespace strut::plugin
