// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/base/text.h"

#include <strut/base/exceptions.h>

#include <string>
#include <vector>

namespace strut
{
// The lists from which a deck chooses by name: strategies, preconditioners, filters, objectives,
// design methods, loads. Each is a std::vector of entries with a member `name`.

/// Returns the names of the entries as "a, b, c".
template <typename Entry>
std::string names_in(const std::vector<Entry> &list)
{
  std::string names;
  for (const Entry &entry : list)
    add_to_list(names, entry.name);
  return names;
}

/// The entry with this name. Throws Error with the list of names if there is none.
///
/// @param kind  "objective", as in "There is no objective 'a'."
template <typename Entry>
const Entry &
find_named(const std::vector<Entry> &list, const std::string &name, const std::string &kind)
{
  for (const Entry &entry : list)
    if (entry.name == name)
      return entry;
  throw Error("There is no " + kind + " '" + name + "'. Available: " + names_in(list) + ".");
}

/// Appends an entry. Throws Error if its name is taken.
///
/// @param kind  "an objective", as in "There is an objective 'a' already."
template <typename Entry>
void add_named(std::vector<Entry> &list, const Entry &entry, const std::string &kind)
{
  for (const Entry &other : list)
    if (other.name == entry.name)
      throw Error("There is " + kind + " '" + entry.name + "' already. Taken: " + names_in(list) +
                  ".");
  list.push_back(entry);
}
} // namespace strut
