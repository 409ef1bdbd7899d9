// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// Lines of a deck, as in `section("Loads / tip", "set Boundary ids = 1")`.
inline std::string section(const std::string &path, const std::string &entries)
{
  std::string before, after, rest = path;
  while (!rest.empty())
    {
      const std::size_t slash = rest.find(" / ");
      before += "subsection " + rest.substr(0, slash) + "\n";
      after += "end\n";
      rest = slash == std::string::npos ? "" : rest.substr(slash + 3);
    }
  return before + entries + "\n" + after;
}

/// A mesh of a file. @param entries  further entries of the subsection File
inline std::string file_deck(const std::string &name, const std::string &entries = "")
{
  return section("Mesh", "set Type = file") +
         section("Mesh / File", "set File name = " + name + "\n" + entries);
}
} // namespace strut
