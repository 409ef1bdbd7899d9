// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// Writes a deck with everything that is declared. Comments above each entry show its
/// documentation, the allowed values, and the default if the current value differs. Deck::read and
/// Deck::apply accept it and give the same values.
/// @param examples  subsections whose own subsections are written as comments
void write_default_deck(const dealii::ParameterHandler &parameters,
                        std::ostream &out,
                        const std::vector<std::string> &examples = {});

/// All entries as ("A/B/name", current value) in the order of declaration. The entries of a
/// subsection precede its subsections.
std::vector<std::pair<std::string, std::string>>
all_entries(const dealii::ParameterHandler &parameters);
} // namespace strut
