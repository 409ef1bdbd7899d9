// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/xml_text.h"

#include <utility>

namespace strut
{
namespace
{
constexpr std::pair<char, const char *> entities[] = {{'&', "&amp;"},
                                                      {'<', "&lt;"},
                                                      {'>', "&gt;"},
                                                      {'"', "&quot;"}};
} // namespace

std::string xml_escaped(const std::string &text)
{
  std::string result;
  for (const char c : text)
    {
      const char *entity = nullptr;
      for (const auto &[character, name] : entities)
        entity = c == character ? name : entity;
      if (entity != nullptr)
        result += entity;
      else
        result += c;
    }
  return result;
}

std::string xml_unescaped(const std::string &text)
{
  std::string result;
  for (std::size_t place = 0; place < text.size();)
    {
      bool found = false;
      for (const auto &[character, name] : entities)
        if (const std::string entity = name;
            !found && text.compare(place, entity.size(), entity) == 0)
          {
            result += character;
            place += entity.size();
            found = true;
          }
      if (!found)
        result += text[place++];
    }
  return result;
}
} // namespace strut
