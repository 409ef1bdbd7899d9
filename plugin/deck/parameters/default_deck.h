// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/dealii_classes.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace strut::plugin
{
/// Write a deck with everything that is declared: current values, and above each entry as comments
/// its documentation, what is allowed, and the default where the value is another one. Deck::read
/// and Deck::apply accept it and give the same values.
void write_default_deck(const dealii::ParameterHandler &parameters, std::ostream &out);

/// All entries as ("A/B/name", current value) in the order in which they are declared, the entries
/// of a subsection before the subsections in it.
std::vector<std::pair<std::string, std::string>>
all_entries(const dealii::ParameterHandler &parameters);
} // namespace strut::plugin
