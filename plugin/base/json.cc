// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/json.h"

#include <boost/locale/utf.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace strut
{
Json::Json(const Layout layout) : layout_(layout), text_("{"), open_("}")
{}

std::string Json::separation() const
{
  return layout_ == Layout::one_line ? "" : '\n' + std::string(2 * open_.size(), ' ');
}

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
    text_ += separation();
  text_ += bracket;
  first_ = false;
  return *this;
}

Json &Json::add(const std::string &name, const std::string &value)
{
  text_ += (first_ ? "" : layout_ == Layout::one_line ? ", " : ",") + separation();
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

Json &Json::null(const std::string &name)
{
  return add(name, "null");
}

Json &Json::element(const std::string &text)
{
  return add({}, quoted(text));
}

Json &Json::element(const double number)
{
  return add({}, number_text(number));
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
  for (auto at = text.begin(); at != text.end();)
    {
      // most texts are of these alone, and some have a megabyte
      const auto plain = std::find_if_not(at, text.end(), [](const char c) {
        return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
      });
      result.append(at, plain);
      at = plain;
      if (at == text.end())
        break;
      const auto begin = at;
      const auto code  = boost::locale::utf::utf_traits<char>::decode(at, text.end());
      if (code == boost::locale::utf::illegal || code == boost::locale::utf::incomplete)
        {
          result += "\xEF\xBF\xBD";
          at = begin + 1;
        }
      else if (code == '"' || code == '\\')
        result += {'\\', *begin};
      else if (code == '\n')
        result += "\\n";
      else if (code < 0x20)
        {
          char escaped[8];
          std::snprintf(escaped, sizeof(escaped), "\\u%04x", static_cast<unsigned int>(code));
          result += escaped;
        }
      else
        result.append(begin, at);
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
} // namespace strut
