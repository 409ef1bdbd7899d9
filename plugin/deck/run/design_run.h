// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/run/run_output.h"
#include "plugin/deck/run/run_parts.h"

namespace strut
{
/// The run of `strut deck.prm`: sets up the structure, optimizes, and writes results.
/// @return exit code of the program: 0, 3 if the design does not meet the requirements, 130 if the
///   user stopped it
int run_deck(RunContext &run, Resume wanted);

/// Builds mesh and regions, prints their tables and the memory estimates, and writes files that
/// show them.
/// @param as_json  the facts as JSON on standard output, and the log on standard error
/// @param solid  solve the solid body and compare its values with the limits; otherwise nothing is
///   solved
void validate_deck(RunContext &run, bool as_json, bool solid);
} // namespace strut
