// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/parameters/deck.h"
#include "plugin/deck/parameters/declared_parameters.h"

#include <string>
#include <vector>

namespace strut
{
/// Returns "file:line", or the option of the command line.
std::string place_of(const Deck::Entry &entry);

/// Returns "A / B / name", without the last part if the name is empty.
std::string full_name(const std::vector<std::string> &path, const std::string &name);

/// Indents each line of a text by two blanks.
std::string indented(const std::string &text);

/// The message for an entry that its (declared) subsection does not have.
std::string unknown_entry(const DeclaredSection &declared, const Deck::Entry &entry);

/// The message for a subsection that its (declared) parent does not have.
std::string unknown_subsection(const DeclaredSection &declared, const Deck::Entry &subsection);

/// The message for a value that does not match the pattern of its entry.
std::string wrong_value(const DeclaredEntry &declared, const Deck::Entry &entry);
} // namespace strut
