// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/included_text.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <string_view>
#include <utility>

#include "plugin/base/named_file.h"
#include "plugin/deck/mesh/line_reader.h"

namespace strut
{
namespace
{
/// Keywords whose data may be in another file.
constexpr const char *keywords[] = {
  "INCLUDE", "NODE", "ELEMENT", "AMPLITUDE", "INITIAL CONDITIONS", "TEMPERATURE"};

/// Returns the keyword of a line, in upper case; empty if it has none.
std::string keyword_of(const std::string_view line)
{
  if (line.size() < 2 || line[0] != '*' || line[1] == '*')
    return "";
  return upper_case(trim_view(line.substr(1, line.find(',') - 1)));
}

/// Returns the name of the file that a line includes; empty if it includes none. INPUT of other
/// keywords may be results.
std::string included_by(const std::string_view line)
{
  const std::string keyword = keyword_of(line);
  const auto is_keyword     = [&](const char *const name) { return keyword == name; };
  if (std::none_of(std::begin(keywords), std::end(keywords), is_keyword))
    return "";
  std::vector<std::string_view> fields;
  split_fields(line, fields);
  for (const std::string_view field : fields)
    if (const std::size_t equal = field.find('=');
        equal != std::string_view::npos && upper_case(trim_view(field.substr(0, equal))) == "INPUT")
      {
        std::string_view name = trim_view(field.substr(equal + 1));
        if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
          name = name.substr(1, name.size() - 2);
        return std::string(name);
      }
  return "";
}
} // namespace

IncludedText::IncludedText(std::string text, const std::string &path, const bool with_steps)
  : with_steps_(with_steps)
{
  bool includes = false;
  for (std::size_t at = 0; at < text.size() && !includes;)
    {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      includes = !included_by(trim_view(std::string_view(text).substr(at, end - at))).empty();
      at       = end + 1;
    }
  if (!includes)
    {
      text_ = std::move(text);
      return;
    }
  std::vector<std::string> open = {path};
  add(text, "", open);
}

void IncludedText::add(const std::string &text,
                       const std::string &file,
                       std::vector<std::string> &open)
{
  std::size_t here       = 0;
  const std::string path = open.back();
  pieces_.push_back({n_lines_ + 1, 1, file});
  for (std::size_t at = 0; at < text.size();)
    {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line(trim_view(std::string_view(text).substr(at, end - at)));
      ++here;
      is_over_               = is_over_ || (!with_steps_ && keyword_of(line) == "STEP");
      const std::string name = is_over_ ? "" : included_by(line);
      if (name.empty() || keyword_of(line) != "INCLUDE")
        {
          text_.append(text, at, end - at).push_back('\n');
          ++n_lines_;
        }
      at = end + 1;
      if (name.empty())
        continue;
      const auto fail = [&](const std::string &reason) {
        throw MeshFileError("line " + std::to_string(here) +
                            (file.empty() ? "" : " of \"" + file + "\"") + ": " + reason);
      };
      const std::string there =
        (std::filesystem::path(folder_of(path)) / name).lexically_normal().string();
      if (std::find(open.begin(), open.end(), there) != open.end())
        fail("\"" + name + "\" includes itself");
      std::string contents;
      try
        {
          contents = file_contents(there);
        }
      catch (const Error &error)
        {
          fail("the included file: " + error.reason);
        }
      open.push_back(there);
      add(contents, there, open);
      open.pop_back();
      pieces_.push_back({n_lines_ + 1, here + 1, file});
    }
}

std::string IncludedText::place(const std::size_t line) const
{
  const auto after =
    std::upper_bound(pieces_.begin(), pieces_.end(), line, [](std::size_t a, const Piece &b) {
      return a < b.first;
    });
  if (after == pieces_.begin())
    return "line " + std::to_string(line);
  const Piece &piece = *(after - 1);
  return "line " + std::to_string(piece.first_there + line - piece.first) +
         (piece.file.empty() ? "" : " of \"" + piece.file + "\"");
}

std::string IncludedText::explain(const std::string &message) const
{
  if (pieces_.empty())
    return message;
  static const std::regex two("\\blines (\\d+) and (\\d+)"), one("\\bline (\\d+)");
  const std::string single = std::regex_replace(message, two, "line $1 and line $2");
  std::string result;
  auto last = single.begin();
  for (std::sregex_iterator match(single.begin(), single.end(), one), end; match != end; ++match)
    {
      result.append(last, (*match)[0].first);
      result += place(std::stoul((*match)[1]));
      last = (*match)[0].second;
    }
  return result.append(last, single.end());
}
} // namespace strut
