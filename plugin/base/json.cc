// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/json.h"

#include <cmath>
#include <cstdio>

namespace strut::plugin
{
namespace
{
/// Length of the UTF-8 sequence that begins here (Unicode, table 3-7); 0 if there is none.
std::size_t length_of_character(const std::string &text, const std::size_t begin)
{
  const auto byte = [&](const std::size_t i) -> unsigned int {
    return begin + i < text.size() ? static_cast<unsigned char>(text[begin + i]) : 0;
  };
  const unsigned int first = byte(0), second = byte(1);
  if (first < 0x80)
    return 1;
  const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  for (std::size_t i = 1; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xBF)
      return 0;
  const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                     (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return wrong ? 0 : length;
}
} // namespace

Json::Json() : text_("{"), open_("}")
{}

Json &Json::open(const std::string &name)
{
  return begin(name, '{');
}

Json &Json::open_list(const std::string &name)
{
  return begin(name, '[');
}

Json &Json::begin(const std::string &name, const char bracket)
{
  add(name, std::string(1, bracket));
  open_ += bracket == '{' ? '}' : ']';
  first_ = true;
  return *this;
}

Json &Json::close()
{
  const char bracket = open_.back();
  open_.pop_back();
  if (!first_)
    text_ += '\n' + std::string(2 * open_.size(), ' ');
  text_ += bracket;
  first_ = false;
  return *this;
}

Json &Json::add(const std::string &name, const std::string &value)
{
  text_ += (first_ ? "\n" : ",\n") + std::string(2 * open_.size(), ' ');
  if (open_.back() == '}')
    text_ += quoted(name) + ": ";
  text_ += value;
  first_ = false;
  return *this;
}

Json &Json::value(const std::string &name, const std::string &text)
{
  return add(name, quoted(text));
}

Json &Json::value(const std::string &name, const char *const text)
{
  return add(name, quoted(text));
}

Json &Json::null(const std::string &name)
{
  return add(name, "null");
}

Json &Json::element(const std::string &text)
{
  return add({}, quoted(text));
}

std::string Json::text() const
{
  Json whole = *this;
  whole.close();
  return whole.text_ + '\n';
}

std::string Json::quoted(const std::string &text)
{
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size();)
    {
      const std::size_t length = length_of_character(text, i);
      const char c             = text[i];
      if (length == 0)
        result += "\xEF\xBF\xBD";
      else if (c == '"' || c == '\\')
        result += {'\\', c};
      else if (c == '\n')
        result += "\\n";
      else if (static_cast<unsigned char>(c) < 0x20)
        {
          char escaped[8];
          std::snprintf(escaped, sizeof(escaped), "\\u%04x", static_cast<unsigned int>(c));
          result += escaped;
        }
      else
        result += text.substr(i, length);
      i += length == 0 ? 1 : length;
    }
  return result + '"';
}

std::string Json::number_text(const double number)
{
  if (!std::isfinite(number))
    return "null";
  char text[40];
  std::snprintf(text, sizeof(text), "%.17g", number);
  return text;
}
} // namespace strut::plugin
