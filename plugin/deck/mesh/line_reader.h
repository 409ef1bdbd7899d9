// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/base/faulty_elements.h"

namespace strut::plugin
{
/// An error in a mesh file, with its line.
class MeshFileError : public std::runtime_error
{
public:
  explicit MeshFileError(const std::string &text,
                         std::shared_ptr<const FaultyElements> the_place = nullptr)
    : std::runtime_error(text), place(std::move(the_place))
  {}

  std::shared_ptr<const FaultyElements> place; ///< null: it has none that could be drawn
};

/// A text line by line. Blank lines and comments are passed over, white space around a line does not count.
class LineReader
{
public:
  /// @param text  must outlive the reader @param comment  the beginning of a line of comment; empty: there is none
  explicit LineReader(const std::string &text, const std::string_view comment = {})
    : text_(text), comment_(comment)
  {}

  /// Go to the next line. @return false at the end of the text
  bool next();

  /// Likewise, but a text that ends is wrong. @param item  that was to come: "the nodes"
  void require_next(const std::string &item);

  std::string_view line() const
  {
    return line_;
  }
  /// Its words, between white space.
  const std::vector<std::string_view> &words() const;

  /// Its number, from 1.
  std::size_t number() const
  {
    return number_;
  }

  /// Throw "line 12: text".
  [[noreturn]] void fail(const std::string &text) const
  {
    fail_at(number_, text);
  }
  [[noreturn]] static void fail_at(std::size_t line, const std::string &text);

private:
  const std::string &text_;
  const std::string_view comment_;
  std::size_t position_ = 0;
  std::size_t number_   = 0;
  std::string_view line_;
  mutable std::vector<std::string_view> words_; ///< once somebody asks
  mutable bool has_words_ = false;
};

/// A piece of the file in quotation marks for a message: its beginning, if it is long.
std::string quote(std::string_view text);

std::string_view trim_view(std::string_view text);
std::string upper_case(std::string_view text);

/// The words of a line, between white space.
void split_words(std::string_view line, std::vector<std::string_view> &words);

/// The fields of a line, between commas, without white space around them. A comma at the end adds none.
void split_fields(std::string_view line, std::vector<std::string_view> &fields);

/// Whether the text is a whole number; `value` is it then.
bool parse_integer(std::string_view text, long &value);

/// Whether the text is a finite number (Fortran's exponent D is one); `value` is it then.
bool parse_number(std::string_view text, double &value);

/// The number that a word is. @param item  it means: "the tag of a node"
/// @throws MeshFileError
long integer_of(const LineReader &reader, std::string_view word, const std::string &item);
double number_of(const LineReader &reader, std::string_view word, const std::string &item);
} // namespace strut::plugin
