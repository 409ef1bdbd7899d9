// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/solvers/state/state_solver.h>

#include <optional>
#include <string>

#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/problem/problem.h"

namespace strut
{
/// Sums up the forces of supports, planes of symmetry, couplings and springs on the body, for the
/// current displacement of a load case. Empty if the solver does not know them. Collective.
std::optional<RunSummary::Reactions> reactions_of(const Communicator &communicator,
                                                  const Problem &problem,
                                                  StateSolver &state,
                                                  std::size_t l);

/// Returns a line for each reaction, and one on the balance. What is below a millionth of the
/// largest is written as 0.
/// @param of_case  the end of each line
std::string describe(const RunSummary::Reactions &reactions, const std::string &of_case);
} // namespace strut
