// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>

#include <string>
#include <vector>

namespace strut::plugin
{
/// The sentence of a front end for a remedy; and the entry of the deck that the error is about, if it
/// is about one: then the message begins with its file, line and value.
struct WordedRemedy
{
  std::string sentence;
  std::vector<std::string> path{}; ///< enclosing subsections, outermost first
  std::string entry{};             ///< empty if the subsection as a whole is meant

  bool has_place() const
  {
    return !path.empty();
  }
};

/// The table of a front end.
using RemedyTable = WordedRemedy (*)(Remedy);

/// The table of decks.
WordedRemedy deck_remedy(Remedy remedy);

/// The message of an exception; of an Error the reason and the sentence for decks.
std::string deck_message(const std::exception &exception);
} // namespace strut::plugin
