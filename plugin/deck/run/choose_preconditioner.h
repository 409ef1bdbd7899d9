// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/solvers/krylov/preconditioner.h>

namespace strut::plugin
{
/// The same as strut::choose_preconditioner(), in the words of decks: its text says also why it is no better
/// one. Collective.
/// @param wanted  as in the deck
/// @throws EntryError if there can be no such preconditioner, or none in mixed precision
PreconditionerChoice choose_for_deck(const std::string &wanted,
                                     Precision precision,
                                     const Communicator &communicator,
                                     const Structure &structure);
} // namespace strut::plugin
