// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/run/run_parts.h"

namespace strut
{
/// Compares the derivatives of the objective and constraints of a deck with differences
/// (check_gradient()). They are evaluated on its mesh with its loads, for random densities. The log
/// gets a table. Collective; throws SolverFailure, and Error if a derivative is wrong by more than
/// 1e-5.
void check_gradients(RunContext &run);
} // namespace strut
