// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/earlier_results.h"

#include <strut/base/exceptions.h>

#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <system_error>
#include <vector>

#include "plugin/base/atomic_file.h"
#include "plugin/base/named_file.h"

namespace strut
{
namespace fs = std::filesystem;

namespace
{
/// Returns whether a run of a deck may write a result with this file name. Names are
/// `<deck>-0012.vtu` and similar, with `.tmp` appended during writing. Others are `<deck>.pvd`,
/// `history.csv`, `timing.csv`, `summary.json`, `report.html`. Earlier versions also wrote
/// `<deck>-0012.pvtu` and `<deck>-0012.0003.vtu`.
bool is_result_of_run(const std::string &file_name, const std::string &deck)
{
  static const std::regex whole(
    "(history\\.csv|timing\\.csv|summary\\.json|report\\.html)(\\.tmp)?");
  static const std::regex ends(
    "(\\.pvd|-part\\.(3mf|stl|ply|obj)|-where\\.(html|vtu)|-[0-9]{4,}(\\.pvtu|\\.stl|(\\.[0-9]{4,})?\\.vtu))(\\.tmp(\\.[0-9]+)?)?");
  return std::regex_match(file_name, whole) ||
         (file_name.compare(0, deck.size(), deck) == 0 &&
          std::regex_match(file_name.substr(deck.size()), ends));
}
} // namespace

bool has_ended_well(const std::string &folder)
{
  std::string summary;
  try
    {
      summary = file_contents(folder + "/summary.json");
    }
  catch (const Error &) // there is none
    {
      return false;
    }
  const auto has = [&](const char *const text) { return summary.find(text) != std::string::npos; };
  return has("\"status\": ") && !has("\"status\": \"running\"") && !has("\"status\": \"failed\"");
}

std::string shortfall_of_last_run(const std::string &folder)
{
  boost::property_tree::ptree summary;
  try
    {
      std::istringstream text(file_contents(folder + "/summary.json"));
      boost::property_tree::read_json(text, summary);
    }
  catch (const std::exception &) // there is none, or it is cut short
    {
      return {};
    }
  const std::string text = summary.get<std::string>("shortfall", "null");
  return text == "null" ? "" : text;
}

std::vector<std::string> other_decks(const std::string &folder, const std::string &deck)
{
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".pvd" && entry->path().stem() != deck)
      names.push_back(entry->path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::size_t remove_results_of_earlier_run(const std::string &folder, const std::string &deck)
{
  std::vector<fs::path> results;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (is_result_of_run(entry->path().filename().string(), deck) &&
        entry->symlink_status().type() == fs::file_type::regular)
      results.push_back(entry->path());
  for (const fs::path &result : results)
    if (!fs::remove(result, error) && error)
      fail_to_write(result.string(), error.value());
  return results.size();
}
} // namespace strut
