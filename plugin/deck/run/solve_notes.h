// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/deck/run/run_parts.h"

namespace strut::plugin
{
/// NOTEs about the solves of a run: warnings of solver and method, and, once each, solves that are slow or lost.
class SolveNotes
{
public:
  SolveNotes(const RunContext &run, const Optimizer &optimizer) : run_(run), optimizer_(optimizer)
  {}

  /// Lines about the iteration of this record, the last one; takes its warnings.
  std::string after(const IterationRecord &record);

private:
  const RunContext &run_;
  const Optimizer &optimizer_;
  bool told_of_slow_solves_ = false, told_of_lost_displacements_ = false;
};

/// The NOTE about a design whose solves take many iterations with multigrid: names the settings that often help and that
/// the deck does not have. Empty for few iterations, for another preconditioner, or if the deck has them all.
/// @param iterations  per load case @param can_have_pieces  whether there can be rigid pieces
std::string describe_slow_solves(unsigned int iterations,
                                 const std::string &preconditioner,
                                 const ParameterValues &values,
                                 bool can_have_pieces);
} // namespace strut::plugin
