// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/line_reader.h"

#include <boost/algorithm/string/case_conv.hpp>

#include <charconv>
#include <cmath>
#include <locale>

namespace strut
{
namespace
{
bool is_space(const char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}
} // namespace

std::string_view trim_view(std::string_view text)
{
  while (!text.empty() && is_space(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_space(text.back()))
    text.remove_suffix(1);
  return text;
}

std::string upper_case(const std::string_view text)
{
  return boost::algorithm::to_upper_copy(std::string(text), std::locale::classic());
}

bool LineReader::next()
{
  has_words_ = false;
  while (position_ < text_.size())
    {
      const std::size_t end = std::min(text_.find('\n', position_), text_.size());
      line_                 = trim_view(std::string_view(text_).substr(position_, end - position_));
      position_             = end + 1;
      ++number_;
      const bool is_comment = !comment_.empty() && line_.substr(0, comment_.size()) == comment_;
      if (!line_.empty() && !is_comment)
        return true;
    }
  line_ = {};
  return false;
}

void LineReader::require_next(const std::string &item)
{
  if (!next())
    fail("the file ends before " + item + "; it is cut off");
}

const std::vector<std::string_view> &LineReader::words() const
{
  if (!has_words_)
    split_words(line_, words_);
  has_words_ = true;
  return words_;
}

void LineReader::fail_at(const std::size_t line, const std::string &text)
{
  throw MeshFileError("line " + std::to_string(line) + ": " + text);
}

std::string quote(const std::string_view text)
{
  std::string result = "\"";
  for (const char c : text.substr(0, 40))
    result += static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126 ? '?' : c;
  return result + (text.size() > 40 ? "...\"" : "\"");
}

std::string_view take_word(std::string_view &line)
{
  std::size_t begin = 0;
  while (begin < line.size() && is_space(line[begin]))
    ++begin;
  std::size_t end = begin;
  while (end < line.size() && !is_space(line[end]))
    ++end;
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

void split_words(std::string_view line, std::vector<std::string_view> &words)
{
  words.clear();
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line))
    words.push_back(word);
}

void split_fields(const std::string_view line, std::vector<std::string_view> &fields)
{
  fields.clear();
  for (std::size_t i = 0; i <= line.size();)
    {
      const std::size_t end = std::min(line.find(',', i), line.size());
      fields.push_back(trim_view(line.substr(i, end - i)));
      i = end + 1;
    }
  if (!fields.empty() && fields.back().empty())
    fields.pop_back();
}

bool parse_integer(std::string_view text, long &value)
{
  if (text.size() > 1 && text.front() == '+')
    text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_number(std::string_view text, double &value)
{
  if (text.size() > 1 && text.front() == '+')
    text.remove_prefix(1);
  std::string fortran;
  if (const std::size_t d = text.find_first_of("dD"); d != std::string_view::npos)
    {
      fortran    = text;
      fortran[d] = 'e';
      text       = fortran;
    }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // A number too small for a double is zero.
  if (error == std::errc::result_out_of_range && text.find("-") != std::string_view::npos &&
      text.find_first_of("eE") != std::string_view::npos &&
      text.find('-', text.find_first_of("eE")) != std::string_view::npos)
    {
      value = 0.;
      return end == text.data() + text.size();
    }
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

long integer_of(const LineReader &reader, const std::string_view word, const std::string &item)
{
  long value = 0;
  if (!parse_integer(word, value))
    reader.fail(quote(word) + " is no whole number; " + item + " was to be here");
  return value;
}

double number_of(const LineReader &reader, const std::string_view word, const std::string &item)
{
  double value = 0.;
  if (!parse_number(word, value))
    reader.fail(quote(word) + " is no finite number; " + item + " was to be here");
  return value;
}
} // namespace strut
