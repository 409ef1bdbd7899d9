// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/design_method.h"

#include <vector>

namespace strut
{
/// Whether a history alternates between two designs: the last four changes of the objective have
/// changing signs, none is below 0.3 of another, and all exceed a thousandth of the objective.
bool ends_in_two_cycle(const std::vector<IterationRecord> &history);

/// Number of times that an update has halved its moves against two-cycles. A halving is due once
/// three changes alternate as above, and again if four designs later they still do. There are at
/// most twelve. The number follows from the history alone, so a restart continues it.
///
/// @param and_small  whether moves are also halved where eight changes alternate that exceed a
///   hundred-thousandth of the objective alone. Densities may then alternate by all that they may
///   move, and hardly change the objective. This ends after six halvings.
unsigned int halvings_against_two_cycles(const std::vector<IterationRecord> &history,
                                         bool and_small = false);
} // namespace strut
