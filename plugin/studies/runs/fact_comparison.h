// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/studies/runs/run_folder.h"

namespace strut
{
/// One fact, as two runs have it.
struct ComparedFact
{
  std::string name, a, b;
  /// Empty if equal; "26 %" for numbers, "*" for texts.
  std::string difference;
};

/// Compares the summaries of two runs: deck, machine, sizes, results, times.
std::vector<ComparedFact> compare_facts(const RunFolder &a, const RunFolder &b);

/// Compares the decks, and returns the entries with different values; 0.3 and 0.30 are equal. It
/// ignores the folder of the results, and defaults in sections that only one deck has.
std::vector<ComparedFact> compare_decks(const RunFolder &a, const RunFolder &b);

/// Text such as "26.1 %", or "3e-09" for small differences.
std::string difference_text(double relative);

/// Number with six digits.
std::string number_text(double number);
} // namespace strut
