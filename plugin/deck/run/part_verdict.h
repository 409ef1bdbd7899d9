// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/deck/run/run_parts.h"
#include "source/optimization/design_pieces.h"

namespace strut
{
/// Runs that a limit of iterations ended with fewer designs are only beginnings: their faults are
/// notes.
constexpr unsigned int few_designs = 10;

/// A judgement whether the last design is a part.
struct PartVerdict
{
  std::vector<DesignPiece> pieces;
  std::string fault;     ///< why it is not a part; empty: it is one
  std::string note;      ///< a fault after so few designs that later ones may mend it
  bool is_empty = false; ///< whether the fault is that the design is empty
};

/// Judges the design that was analysed last. Collective.
PartVerdict judge_part(const RunContext &run, const Optimizer &optimizer);
} // namespace strut
