// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "plugin/deck/mesh/line_reader.h"

namespace strut
{
/// The lines and numbers of a legacy VTK file. A line announces how many numbers follow, on lines
/// of any length.
class VtkWords
{
public:
  /// @param text  must outlive this object
  explicit VtkWords(const std::string &text) : reader_(text), size_of_text_(text.size())
  {}

  /// Goes to the next line and drops the rest of this one. @return false at the end of the file
  bool next_line();

  /// Goes to the next line, and throws at the end of the file. @param item  expected there
  void require_line(const std::string &item);

  /// Makes next_line() return the same line again.
  void hold()
  {
    is_held_ = true;
  }

  std::string_view line() const
  {
    return reader_.line();
  }
  std::size_t line_number() const
  {
    return reader_.number();
  }
  std::size_t size() const
  {
    return reader_.words().size();
  }
  std::string_view operator[](const std::size_t i) const
  {
    return reader_.words()[i];
  }

  /// Whether word i of the line equals this word, which is in upper case.
  bool is(std::size_t i, const char *word) const;

  /// Throws unless the line has at least n words. @param form  expected form of the line
  void require_size(std::size_t n, const std::string &form) const;

  /// Word i of the line as a number of things that follow in the file.
  std::size_t count(std::size_t i, const std::string &item) const;

  /// Returns the next word of this line or a later one as a number. The line at which next_line()
  /// stopped does not count, unless it was held.
  /// @param item  the expected item, which the index completes: "the type of cell ", 5
  /// @param index  index of the item
  long integer(const char *item, std::size_t index);
  double number(const char *item, std::size_t index);

  /// The word that integer() or number() read last.
  std::string_view last() const
  {
    return reader_.words()[next_ - 1];
  }

  /// Throws unless all of the line was read. @param item  that the line announced
  void require_end(const std::string &item) const;

  /// Skips n times m numbers. Throws if there are fewer or more.
  void pass_over(std::size_t n, std::size_t m);

  /// Skips n lines, including blank ones.
  void pass_over_lines(std::size_t n);

  /// Skips a METADATA block, which a blank line ends. Names of components may be blank, too.
  void pass_over_metadata(std::size_t n_components);

  [[noreturn]] void fail(const std::string &text) const
  {
    reader_.fail(text);
  }

private:
  std::string_view next_word(const char *item, std::size_t index);

  LineReader reader_;
  std::size_t size_of_text_;
  std::size_t next_ = 0; ///< index of the next word to read
  bool is_held_     = false;
};
} // namespace strut
