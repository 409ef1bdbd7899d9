// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/deck/run/run_parts.h"
#include "source/optimization/design_pieces.h"

namespace strut::plugin
{
/// Whether the last design is a part.
struct PartVerdict
{
  std::vector<DesignPiece> pieces;
  std::string fault;     ///< why it is none; empty: it is one
  std::string note;      ///< the same after few designs, which may become one
  bool is_empty = false; ///< that is the fault
};

/// Judges the design that was analysed last. Collective.
PartVerdict judge_part(const RunContext &run, const Optimizer &optimizer);
} // namespace strut::plugin
