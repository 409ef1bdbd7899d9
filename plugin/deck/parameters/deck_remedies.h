// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>

#include <string>
#include <vector>

namespace strut
{
/// A remedy in the words of a front end. If the error is about an entry of the deck, it names the
/// entry. The message then begins with the entry's file, line and value.
struct WordedRemedy
{
  std::string sentence;
  std::vector<std::string> path{}; ///< enclosing subsections, outermost first
  std::string entry{};             ///< empty if the whole subsection is meant

  bool has_place() const
  {
    return !path.empty();
  }
};

/// The words of a front end for all remedies.
using RemedyTable = WordedRemedy (*)(Remedy);

/// The words of decks for a remedy.
WordedRemedy deck_remedy(Remedy remedy);

/// The message of an exception. For an Error, it is the reason and the sentence for decks.
std::string deck_message(const std::exception &exception);
} // namespace strut
