// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/text.h"

#include <iomanip>
#include <sstream>

namespace strut
{
void add_to_list(std::string &list, const std::string &word)
{
  list += (list.empty() ? "" : ", ") + word;
}

std::string join(const std::vector<std::string> &words, const std::string &separator)
{
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : separator) + words[i];
  return text;
}

std::string format_bytes(const double bytes)
{
  std::ostringstream text;
  text << std::fixed << std::setprecision(1);
  if (bytes >= 1e9)
    text << bytes / 1e9 << " GB";
  else
    text << bytes / 1e6 << " MB";
  return text.str();
}
} // namespace strut
