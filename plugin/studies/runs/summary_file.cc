// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/runs/summary_file.h"

#include <strut/base/exceptions.h>

#define BOOST_BIND_GLOBAL_PLACEHOLDERS // without this, boost prints a message in every build
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace strut
{
namespace
{
using Values = std::vector<std::pair<std::string, std::string>>;

/// Turns objects and lists into paths. A null counts as missing; boost reads it as this word, which
/// no text of a summary equals.
void collect_values(const boost::property_tree::ptree &tree,
                    const std::string &path,
                    Values &values)
{
  for (const auto &[name, child] : tree)
    {
      const std::string inner = path.empty() ? name : path + '/' + name;
      if (!child.empty())
        collect_values(child, inner, values);
      else if (child.data() != "null" && !(child.data().empty() && !name.empty()))
        values.emplace_back(inner, child.data());
    }
}
} // namespace

SummaryFile SummaryFile::read(const std::string &file_name)
{
  std::ifstream file(file_name);
  if (!file)
    throw Error("The file " + file_name + " cannot be opened: " + std::strerror(errno) + ".");
  boost::property_tree::ptree tree;
  const std::string remedy = "\nRun the deck again, or take the file from a copy.";
  try
    {
      boost::property_tree::read_json(file, tree);
    }
  catch (const boost::property_tree::json_parser_error &error)
    {
      throw Error("The file " + file_name + " is damaged: line " + std::to_string(error.line()) +
                  " is no JSON (" + error.message() + ")." + remedy);
    }
  SummaryFile result;
  collect_values(tree, "", result.values_);
  if (!result.text("status") || !result.text("deck/file"))
    throw Error("The file " + file_name + " is not the summary of a run: it has no '" +
                (result.text("status") ? "deck/file" : "status") + "'." + remedy);
  return result;
}

std::optional<std::string> SummaryFile::text(const std::string &path) const
{
  for (const auto &[place, value] : values_)
    if (place == path)
      return value;
  return {};
}

std::optional<double> SummaryFile::number(const std::string &path) const
{
  const std::optional<std::string> found = text(path);
  if (!found)
    return {};
  char *end          = nullptr;
  const double value = std::strtod(found->c_str(), &end);
  if (found->empty() || *end != '\0')
    return {};
  return value;
}

Values SummaryFile::values_in(const std::string &path) const
{
  Values found;
  const std::string begin = path + '/';
  for (const auto &[place, value] : values_)
    if (place.compare(0, begin.size(), begin) == 0)
      if (const std::string name = place.substr(begin.size());
          !name.empty() && name.find('/') == std::string::npos)
        found.emplace_back(name, value);
  return found;
}

std::vector<std::string> SummaryFile::list(const std::string &path) const
{
  std::vector<std::string> found;
  for (const auto &[place, value] : values_)
    if (place == path + '/')
      found.push_back(value);
  return found;
}
} // namespace strut
