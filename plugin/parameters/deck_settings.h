// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/parameters/deck.h"

#include <vector>

namespace strut::plugin
{
/// The entries that "Section / Entry = value" of the command line mean, in their order. The first '='
/// ends the name; its parts are divided by " / ", or by '/' if there is no " / " in it.
///
/// Throws Error for a text without '=' or without a name, for a value that a deck could not hold, and
/// for an entry that is set twice.
std::vector<Deck::Entry> parse_settings(const std::vector<Deck::Setting> &settings);
} // namespace strut::plugin
