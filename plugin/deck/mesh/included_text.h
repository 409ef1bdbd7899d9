// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace strut
{
/// The text of an Abaqus file with the files that it includes, each where it is named. Lines have
/// numbers through all of them.
class IncludedText
{
public:
  /// Includes the files of *INCLUDE, and of *NODE and the like with INPUT. Their names are relative
  /// to the folder of the file that names them.
  /// @param with_steps  whether files are included behind the first *STEP, too
  /// @throws MeshFileError, with file and line, for a file that cannot be read or includes itself
  IncludedText(std::string text, const std::string &path, bool with_steps = false);

  const std::string &text() const
  {
    return text_;
  }

  /// Returns "line 12", or in an included file "line 3 of "nodes.inp"".
  std::string place(std::size_t line) const;

  /// Names the files of the lines in a message about the text.
  std::string explain(const std::string &message) const;

private:
  struct Piece
  {
    std::size_t first;       ///< line in the text, from 1
    std::size_t first_there; ///< line of its own file, from 1
    std::string file;        ///< empty: the file that includes the others
  };

  void add(const std::string &text, const std::string &file, std::vector<std::string> &open);

  std::string text_;
  const bool with_steps_;
  bool is_over_        = false; ///< No more files are included.
  std::size_t n_lines_ = 0;
  std::vector<Piece> pieces_;
};
} // namespace strut
