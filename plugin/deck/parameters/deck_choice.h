// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/deck/parameters/deck.h"

namespace strut
{
/// The deck, and the settings of the command line.
struct DeckChoice
{
  std::string file;
  std::vector<Deck::Setting> settings;
};

/// The options that set entries of the deck, quoted for a shell, each preceded by a blank: " --set
/// 'A / B = c'".
std::string as_command_line(const std::vector<Deck::Setting> &settings);
} // namespace strut
