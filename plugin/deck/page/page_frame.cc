// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/page/page_frame.h"

#include <algorithm>
#include <cstddef>

#include "plugin/base/json.h"

namespace strut
{
std::string html_escaped(const std::string &text)
{
  const std::string quoted = Json::quoted(text); // also replaces bytes that are not UTF-8
  std::string result;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i)
    switch (quoted[i])
      {
        case '\\':
          if (quoted[i + 1] == '"' || quoted[i + 1] == '\\')
            result += quoted[++i] == '"' ? "&quot;" : "\\";
          else // a control character
            {
              i += quoted[i + 1] == 'n' ? 1 : 5;
              result += ' ';
            }
          break;
        case '&':
          result += "&amp;";
          break;
        case '<':
          result += "&lt;";
          break;
        case '>':
          result += "&gt;";
          break;
        case '\'':
          result += "&#39;";
          break;
        default:
          result += quoted[i];
      }
  return result;
}

std::string between_tags(const std::string &json)
{
  std::string text;
  text.reserve(json.size());
  for (std::size_t begin = 0; begin < json.size();)
    {
      const std::size_t end = std::min(json.find('<', begin), json.size());
      text.append(json, begin, end - begin);
      if (end < json.size())
        text += "\\u003c";
      begin = end + 1;
    }
  return text;
}

std::string filled_page(const std::string_view frame,
                        const std::vector<std::pair<std::string_view, std::string>> &texts)
{
  std::string html;
  std::string_view rest = frame;
  for (const auto &[name, text] : texts)
    {
      const std::string mark     = "{{" + std::string(name) + "}}";
      const std::size_t position = rest.find(mark);
      html.append(rest.substr(0, position));
      html += text;
      rest.remove_prefix(position + mark.size());
    }
  return html.append(rest);
}
} // namespace strut
