// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/vtk_words.h"

#include <cctype>

namespace strut
{
namespace
{
/// Whether a word may be one of the numbers that are skipped. Results of computations may be nan.
bool may_be_a_number(const std::string_view word)
{
  if (std::isalpha(static_cast<unsigned char>(word.front())) == 0)
    return true;
  const std::string begin = upper_case(word.substr(0, 3));
  return begin == "NAN" || begin == "INF";
}
} // namespace

bool VtkWords::next_line()
{
  if (!is_held_)
    {
      const bool found = reader_.next();
      next_            = reader_.words().size();
      return found;
    }
  is_held_ = false;
  return true;
}

void VtkWords::require_line(const std::string &item)
{
  if (!next_line())
    fail("the file ends before " + item + "; it is cut off");
}

bool VtkWords::is(const std::size_t i, const char *const word) const
{
  return i < reader_.words().size() && upper_case(reader_.words()[i]) == word;
}

void VtkWords::require_size(const std::size_t n, const std::string &form) const
{
  if (reader_.words().size() < n)
    fail(quote(line()) + " where a line of the form \"" + form + "\" was to be");
}

std::size_t VtkWords::count(const std::size_t i, const std::string &item) const
{
  const long n = integer_of(reader_, reader_.words()[i], item);
  if (n < 0 || static_cast<std::size_t>(n) > size_of_text_)
    fail(item + " is " + std::to_string(n) +
         (n < 0
            ? "; it is negative"
            : ", more than a file of this size can have: it is cut off, or the number is wrong"));
  return static_cast<std::size_t>(n);
}

std::string_view VtkWords::next_word(const char *const item, const std::size_t index)
{
  if (next_ == reader_.words().size())
    {
      // Fails at the end of the file.
      if (!next_line())
        require_line(item + std::to_string(index));
      next_ = 0;
    }
  return reader_.words()[next_++];
}

// The text of a message is made only if it is needed: files have millions of numbers.
long VtkWords::integer(const char *const item, const std::size_t index)
{
  const std::string_view word = next_word(item, index);
  long value                  = 0;
  return parse_integer(word, value) ? value
                                    : integer_of(reader_, word, item + std::to_string(index));
}

double VtkWords::number(const char *const item, const std::size_t index)
{
  const std::string_view word = next_word(item, index);
  double value                = 0.;
  return parse_number(word, value) ? value : number_of(reader_, word, item + std::to_string(index));
}

void VtkWords::require_end(const std::string &item) const
{
  if (next_ < reader_.words().size())
    fail(quote(reader_.words()[next_]) + " after the last of " + item +
         ": there are more than announced");
}

void VtkWords::pass_over(const std::size_t n, const std::size_t m)
{
  for (std::size_t i = 0; i < n * m; ++i)
    if (const std::string_view word = next_word("number ", i + 1); !may_be_a_number(word))
      fail(quote(word) + " where number " + std::to_string(i + 1) + " of " + std::to_string(n * m) +
           " was to be: there are fewer than announced");
  require_end(std::to_string(n * m) + " numbers");
}

void VtkWords::pass_over_lines(const std::size_t n)
{
  const std::size_t end = line_number() + n;
  while (next_line())
    if (line_number() > end)
      return hold();
}

void VtkWords::pass_over_metadata(const std::size_t n_components)
{
  std::size_t last = line_number();
  while (next_line())
    {
      if (line_number() > last + 1)
        return hold();
      last = line_number();
      if (is(0, "COMPONENT_NAMES"))
        {
          pass_over_lines(n_components);
          last += n_components;
        }
    }
}
} // namespace strut
