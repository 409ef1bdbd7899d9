// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/solvers/krylov/preconditioner.h>

namespace strut
{
/// Calls strut::choose_preconditioner() and phrases its text for decks. The text also says why a
/// better preconditioner was not chosen. Collective.
/// @param wanted  name in the deck
/// @throws EntryError if there can be no such preconditioner, or none in mixed precision
PreconditionerChoice choose_for_deck(const std::string &wanted,
                                     Precision precision,
                                     const Communicator &communicator,
                                     const Structure &structure);
} // namespace strut
