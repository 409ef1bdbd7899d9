// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/parameters/deck.h"

namespace strut
{
/// Name of the entry at the top of a deck.
constexpr const char *shared_libraries_entry = "Additional shared libraries";

/// Loads the shared libraries that a deck names, in their order, and lets them register their parts
/// (see strut/runtime_plugin.h). This comes before other parameters are declared, because
/// their patterns list the registered names. Names are relative to the folder of the deck. A
/// library is loaded once, for the life of the program.
/// @throws EntryError for a file that is missing, is no plugin of strut, was built for another
///   strut, lacks a symbol, or whose function throws
void load_shared_libraries(const Deck &deck);
} // namespace strut
