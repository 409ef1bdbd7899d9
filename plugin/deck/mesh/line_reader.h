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

namespace strut
{
/// An error in a mesh file; the text names the line.
class MeshFileError : public std::runtime_error
{
public:
  explicit MeshFileError(const std::string &text,
                         std::shared_ptr<const FaultyElements> the_place = nullptr)
    : std::runtime_error(text), place(std::move(the_place))
  {}

  std::shared_ptr<const FaultyElements> place; ///< place of the fault; null: none that can be drawn
};

/// Reads a text line by line. Blank lines, comments and white space around a line are skipped.
class LineReader
{
public:
  /// @param text  must outlive the reader
  /// @param comment  prefix of comment lines; empty: there are none
  explicit LineReader(const std::string &text, const std::string_view comment = {})
    : text_(text), comment_(comment)
  {}

  /// Goes to the next line. @return false at the end of the text
  bool next();

  /// Goes to the next line, and throws at the end of the text. @param item  expected there: "the
  /// nodes"
  void require_next(const std::string &item);

  std::string_view line() const
  {
    return line_;
  }
  /// Words of the line, separated by white space.
  const std::vector<std::string_view> &words() const;

  /// Number of the line, from 1.
  std::size_t number() const
  {
    return number_;
  }

  /// Throws MeshFileError with "line 12: text".
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
  mutable std::vector<std::string_view> words_; ///< split on first use
  mutable bool has_words_ = false;
};

/// A piece of the file in quotation marks for a message; a long one is cut off.
std::string quote(std::string_view text);

std::string_view trim_view(std::string_view text);
std::string upper_case(std::string_view text);

/// Splits a line into words, separated by white space.
void split_words(std::string_view line, std::vector<std::string_view> &words);

/// Splits a line into fields, separated by commas, without white space around them. A comma at the
/// end adds none.
void split_fields(std::string_view line, std::vector<std::string_view> &fields);

/// Whether the text is a whole number, which is then stored in `value`.
bool parse_integer(std::string_view text, long &value);

/// Whether the text is a finite number, which is then stored in `value`. Fortran's exponent D is
/// accepted.
bool parse_number(std::string_view text, double &value);

/// Returns the number in a word. @param item  meaning of the number: "the tag of a node"
/// @throws MeshFileError
long integer_of(const LineReader &reader, std::string_view word, const std::string &item);
double number_of(const LineReader &reader, std::string_view word, const std::string &item);
} // namespace strut
