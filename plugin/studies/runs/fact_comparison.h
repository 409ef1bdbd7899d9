// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/studies/runs/run_folder.h"

namespace strut::plugin
{
/// A fact of two runs.
struct ComparedFact
{
  std::string name, a, b;
  std::string difference; ///< empty: none; "26 %" of numbers, "*" of texts, which differ
};

/// What the summaries of two runs say: deck, machine, sizes, results, times.
std::vector<ComparedFact> compare_facts(const RunFolder &a, const RunFolder &b);

/// The entries of the decks whose values differ: 0.3 and 0.30 do not. Without the folder of the results, and
/// without defaults of sections that one deck alone has.
std::vector<ComparedFact> compare_decks(const RunFolder &a, const RunFolder &b);

/// "26.1 %", or "3e-09" of small ones.
std::string difference_text(double relative);

/// Six digits.
std::string number_text(double number);
} // namespace strut::plugin
