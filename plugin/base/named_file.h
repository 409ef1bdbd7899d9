// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// A file that a deck names, or the reason why it was not found.
struct NamedFile
{
  std::string path;
  /// Empty, or the end of a message that lists the places that were tried.
  std::string obstacle;

  /// Searches a relative name from the working directory, then from the folder of the deck.
  /// @param kind  kind of the file for messages, such as "mesh file"
  static NamedFile
  find(const std::string &name, const std::string &deck_folder, const std::string &kind);
};

/// Folder of a file, empty for the working directory.
std::string folder_of(const std::string &file_name);

/// Message if a path is a broken symbolic link, such as "a symbolic link to 'b.prm', which does not
/// exist"; empty otherwise.
std::string broken_link(const std::string &path);

/// Returns all bytes of a file. Throws Error with the path and the system's reason if it cannot be
/// read.
std::string file_contents(const std::string &file_name);
} // namespace strut
