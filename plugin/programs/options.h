// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/deck/parameters/deck.h"
#include "plugin/deck/part/part_export.h"

namespace strut
{
struct ComparisonOptions;

/// Options on the programs' command lines. Each parser returns -1 to continue, else the exit code.
/// If MPI runs, only rank 0 prints.

struct StrutOptions
{
  DeckChoice deck;
  std::string new_deck;
  std::string model; ///< a model of Abaqus or CalculiX; the new deck is made of it
  std::string reference;
  bool validate = false;
  bool json     = false; ///< prints the findings as JSON, for programs
  bool solid    = false; ///< whether to solve the solid body, too
  std::string resume;    ///< empty, true or auto
  bool quiet = false;
  /// A result to analyse in place of optimizing.
  std::string analysed;
  /// Whether to check gradients in place of optimizing.
  bool checks_gradients = false;
  std::string progress; ///< empty or json
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
  std::vector<std::string> outputs; ///< files, with the format given by their ending
  PartRequest part;
};

struct CompareRunsOptions
{
  std::string a, b;   ///< folders
  std::string output; ///< a .vtu file; none if empty
  std::string page;   ///< an .html file; none if empty
  std::optional<double> tolerance;
};

int parse_strut(int argc, char **argv, StrutOptions &options);
int parse_compare(int argc, char **argv, DeckChoice &deck, ComparisonOptions &options);
int parse_assemble(int argc, char **argv, AssembleOptions &options);
int parse_export(int argc, char **argv, ExportOptions &options);
int parse_compare_runs(int argc, char **argv, CompareRunsOptions &options);
} // namespace strut
