// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// A subsection of a deck to be written.
struct DraftSection
{
  std::string name;
  std::vector<std::pair<std::string, std::string>> entries = {};
  std::vector<DraftSection> sections                       = {};

  /// Returns the subsection with this name, which is added if there is none.
  DraftSection &operator[](const std::string &wanted)
  {
    for (DraftSection &section : sections)
      if (section.name == wanted)
        return section;
    return sections.emplace_back(DraftSection{wanted});
  }

  /// Adds a subsection. If the name is taken, it gets a number.
  DraftSection &add(const std::string &wanted)
  {
    std::string free_name = wanted;
    const auto is_taken   = [&] {
      for (const DraftSection &section : sections)
        if (section.name == free_name)
          return true;
      return false;
    };
    for (unsigned int i = 2; is_taken(); ++i)
      free_name = wanted + " " + std::to_string(i);
    return sections.emplace_back(DraftSection{free_name});
  }

  void set(const std::string &entry, const std::string &value)
  {
    entries.emplace_back(entry, value);
  }
};

/// A deck made of a model, and what became of the keywords of the model.
struct DeckDraft
{
  struct Remark
  {
    std::size_t line; ///< a line of the model; 0: none
    std::string text;
  };

  DraftSection deck;
  std::string new_sets;       ///< keywords of sets that the model has no names for; may be empty
  std::vector<Remark> taken;  ///< The keyword of each part of the deck.
  std::vector<Remark> left;   ///< keywords that the deck does without
  std::vector<Remark> missed; ///< supports, loads, and parts of the body that the deck lacks
};
} // namespace strut
