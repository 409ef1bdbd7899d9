// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut::plugin
{
/// A file that a deck names, or why there is none.
struct NamedFile
{
  std::string path;
  std::string obstacle; ///< empty, or the end of a message, which names the places that were tried

  /// Look up a relative name from the working directory, then from the folder of the deck.
  /// @param kind  "mesh file"
  static NamedFile
  find(const std::string &name, const std::string &deck_folder, const std::string &kind);
};

/// The folder of a file, empty for the working directory.
std::string folder_of(const std::string &file_name);
} // namespace strut::plugin
