// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>

#include <memory>
#include <string>
#include <vector>

#include "plugin/deck/parameters/deck.h"

namespace strut
{
/// Makes one object from its name for each subsection of `subsection` in the deck. They are
/// supports, loads and others with names of the user.
template <typename Named>
std::vector<std::unique_ptr<Named>> make_named(const Deck &deck, const std::string &subsection)
{
  std::vector<std::unique_ptr<Named>> result;
  for (const std::string &name : deck.subsections({subsection}))
    {
      // deal.II would take a slash in a name for another subsection.
      if (name.find('/') != std::string::npos)
        throw EntryError({subsection, name}, "", "A name must not contain '/'.");
      result.push_back(std::make_unique<Named>(name));
    }
  return result;
}
} // namespace strut
