// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "plugin/deck/mesh/line_reader.h"

namespace strut::plugin
{
/// A legacy VTK file as its format has it: lines that begin something, then so many numbers that it
/// announces, on lines of any length.
class VtkWords
{
public:
  /// @param text  must outlive this
  explicit VtkWords(const std::string &text) : reader_(text), size_of_text_(text.size())
  {}

  /// Go to the next line, whatever is left of this one. @return false at the end of the file
  bool next_line();

  /// Likewise, but a file that ends is wrong. @param item  that was to come
  void require_line(const std::string &item);

  /// Have next_line() give the same line again.
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

  /// Whether word i of the line is this one, which is in upper case.
  bool is(std::size_t i, const char *word) const;

  /// The line must have so many words, at least. @param form  it must have
  void require_size(std::size_t n, const std::string &form) const;

  /// Word i of the line as a number of things that follow in the file.
  std::size_t count(std::size_t i, const std::string &item) const;

  /// The next word, as a number, of this line or a later one. The line at which next_line() stopped is none of
  /// them, but if it was held.
  /// @param item  it is, with its index: "the type of cell ", 5
  long integer(const char *item, std::size_t index);
  double number(const char *item, std::size_t index);

  /// The one that integer() or number() read last.
  std::string_view last() const
  {
    return reader_.words()[next_ - 1];
  }

  /// All of the line must be read. @param item  was announced
  void require_end(const std::string &item) const;

  /// Pass over n times m numbers, which must be there, and no more.
  void pass_over(std::size_t n, std::size_t m);

  /// Pass over lines, blank ones, too.
  void pass_over_lines(std::size_t n);

  /// Pass over a METADATA block, which a blank line ends; names of components may be blank, too.
  void pass_over_metadata(std::size_t n_components);

  [[noreturn]] void fail(const std::string &text) const
  {
    reader_.fail(text);
  }

private:
  std::string_view next_word(const char *item, std::size_t index);

  LineReader reader_;
  std::size_t size_of_text_;
  std::size_t next_ = 0; ///< of the words, to be read
  bool is_held_     = false;
};
} // namespace strut::plugin
