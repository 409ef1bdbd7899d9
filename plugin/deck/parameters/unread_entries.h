// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plugin/deck/parameters/deck.h"
#include "plugin/deck/parameters/declared_parameters.h"

namespace strut
{
/// The choices that a run has made for the deck: "Solver / Preconditioner", with the value 'auto',
/// is "jacobi".
using ChoicesOfRun = std::map<std::string, std::string>;

/// A sentence for each subsection and entry that the deck sets and nothing reads, because of the
/// choice in another entry. In a deck with every entry, as --write-deck makes it, entries with
/// default values do not count.
/// @param declared  with the values of the deck
std::vector<std::string>
unread_entries(const Deck &deck, const DeclaredSection &declared, const ChoicesOfRun &choices = {});
} // namespace strut
