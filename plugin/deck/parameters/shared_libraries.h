// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/parameters/deck.h"

namespace strut::plugin
{
/// Name of the entry at the top of a deck.
constexpr const char *shared_libraries_entry = "Additional shared libraries";

/// Load the shared libraries that a deck names, in their order, and let them register what they bring
/// along (see strut/plugin/runtime_plugin.h): before other parameters are declared, whose patterns list
/// the registered names. Names are relative to the folder of the deck. A library is loaded once, for the
/// life of the program.
/// @throws EntryError for a file that is missing, that is no plugin of strut, that was built for another
/// strut, that lacks a symbol, or whose function throws
void load_shared_libraries(const Deck &deck);
} // namespace strut::plugin
