// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/base/faulty_elements.h"
#include "source/base/parallel_loop.h"

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

std::string_view trim_view(std::string_view text);

/// The values of consecutive lines.
template <typename Value>
struct LinesAhead
{
  std::size_t first = 0;     ///< number of the first line, from 1
  std::size_t n     = 0;     ///< number of lines
  std::size_t end   = 0;     ///< end of the last line in the text
  bool are_all      = true;  ///< whether parsing was not stopped by a line
  std::vector<Value> values; ///< values of all lines, the same number for each
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

  /// Goes to the last of the following lines that all have the same form. All threads parse them.
  /// The more such lines there were before, the more are parsed at a time. If the next line has
  /// another form, the reader stays where it is.
  /// @param most  the most lines
  /// @param parse  parse(line, values) appends the values of a line, or returns false if it has
  ///   another form, as a blank line has
  template <typename Value, typename Parse>
  std::vector<LinesAhead<Value>> read_ahead(std::size_t most, const Parse &parse);

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
  static constexpr std::size_t least_ahead = 1 << 12, most_ahead = 1 << 24;

  const std::string &text_;
  const std::string_view comment_;
  std::size_t position_ = 0;
  std::size_t number_   = 0;
  std::size_t ahead_    = least_ahead; ///< bytes that read_ahead() parses
  std::string_view line_;
  mutable std::vector<std::string_view> words_; ///< split on first use
  mutable bool has_words_ = false;
};

template <typename Value, typename Parse>
std::vector<LinesAhead<Value>> LineReader::read_ahead(const std::size_t most, const Parse &parse)
{
  constexpr std::size_t block_size = 1 << 16;
  const std::size_t begin          = position_,
                    n              = std::min(ahead_, text_.size() - std::min(begin, text_.size()));
  std::vector<LinesAhead<Value>> blocks((n + block_size - 1) / block_size);
  // A block has the lines that begin in it.
  cpu::parallel_blocks(
    cpu::default_n_threads(), n, block_size, [&](const std::size_t first, const std::size_t last) {
      LinesAhead<Value> &block = blocks[first / block_size];
      std::size_t at           = begin + first;
      if (first > 0)
        at = std::min(text_.find('\n', at - 1), text_.size()) + 1;
      while (at < begin + last)
        {
          const std::size_t end      = std::min(text_.find('\n', at), text_.size());
          const std::size_t n_values = block.values.size();
          if (!parse(trim_view(std::string_view(text_).substr(at, end - at)), block.values))
            {
              block.values.resize(n_values);
              block.are_all = false;
              return;
            }
          ++block.n;
          block.end = at = end + 1;
        }
    });
  std::size_t n_lines = 0, n_blocks = 0;
  bool are_all = true;
  for (; are_all && n_blocks < blocks.size(); ++n_blocks)
    {
      LinesAhead<Value> &block = blocks[n_blocks];
      are_all                  = block.are_all;
      if (block.n > most - n_lines) // the section has more lines than it announces
        {
          are_all = false;
          block.values.resize(block.values.size() / block.n * (most - n_lines));
          block.n   = most - n_lines;
          block.end = position_;
          for (std::size_t line = 0; line < block.n; ++line)
            block.end = text_.find('\n', block.end) + 1;
        }
      block.first = number_ + 1;
      number_ += block.n;
      n_lines += block.n;
      position_ = block.n > 0 ? block.end : position_;
    }
  blocks.resize(n_blocks);
  ahead_     = are_all ? std::min(2 * ahead_, most_ahead) : least_ahead;
  has_words_ = has_words_ && n_lines == 0;
  return blocks;
}

/// A piece of the file in quotation marks for a message; a long one is cut off.
std::string quote(std::string_view text);

std::string upper_case(std::string_view text);

/// Splits a line into words, separated by white space.
void split_words(std::string_view line, std::vector<std::string_view> &words);

/// Removes the first word of a line with the white space before it, and returns the word.
std::string_view take_word(std::string_view &line);

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
