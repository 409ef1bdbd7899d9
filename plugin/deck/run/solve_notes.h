// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/deck/run/run_parts.h"

namespace strut
{
/// NOTEs on the solves of a run: warnings of solver and method each time, slow solves and lost
/// solves once.
class SolveNotes
{
public:
  SolveNotes(const RunContext &run, const Optimizer &optimizer) : run_(run), optimizer_(optimizer)
  {}

  /// Returns notes on the iteration of this record, which is the last one, and takes its warnings.
  std::string after(const IterationRecord &record);

private:
  const RunContext &run_;
  const Optimizer &optimizer_;
  bool told_of_slow_solves_ = false, told_of_lost_displacements_ = false;
};

/// Returns the NOTE on a design whose solves take many iterations with multigrid. It names settings
/// that often help and that the deck does not have. Empty for few iterations, another
/// preconditioner, a GPU, or a deck that has all settings.
/// @param iterations  number of iterations per load case
/// @param can_have_pieces  whether there can be rigid pieces
std::string describe_slow_solves(unsigned int iterations,
                                 const std::string &preconditioner,
                                 const ParameterValues &values,
                                 bool can_have_pieces,
                                 bool on_host);
} // namespace strut
