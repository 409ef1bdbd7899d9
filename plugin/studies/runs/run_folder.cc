// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/runs/run_folder.h"
#include "plugin/base/xml_text.h"
#include "source/base/text.h"

#include <strut/base/exceptions.h>

#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <tuple>

#include "plugin/base/named_file.h"
#include "plugin/base/spelling.h"
#include "plugin/deck/parameters/deck.h"

namespace strut
{
namespace
{
using Values = std::vector<std::pair<std::string, std::string>>;

const std::string run_again = "\nRun the deck again, or take the file from a copy.";

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
  try
    {
      boost::property_tree::read_json(file, tree);
    }
  catch (const boost::property_tree::json_parser_error &error)
    {
      throw Error("The file " + file_name + " is damaged: line " + std::to_string(error.line()) +
                  " is no JSON (" + error.message() + ")." + run_again);
    }
  SummaryFile result;
  collect_values(tree, "", result.values_);
  if (!result.text("status") || !result.text("deck/file"))
    throw Error("The file " + file_name + " is not the summary of a run: it has no '" +
                (result.text("status") ? "deck/file" : "status") + "'." + run_again);
  return result;
}

std::optional<std::string> SummaryFile::text(const std::string &path) const
{
  for (const auto &[place, value] : values_)
    if (place == path)
      return value;
  return {};
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

namespace
{
namespace fs = std::filesystem;

constexpr const char *summary_name = "summary.json";

/// Hint such as "There are: output/a, output/b.", in case the name of the folder is misspelt.
std::string runs_beside(const fs::path &folder)
{
  std::vector<std::string> found;
  std::error_code error;
  const fs::path parent = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
       entry.increment(error))
    if (std::error_code none; fs::exists(entry->path() / summary_name, none))
      found.push_back(folder.has_parent_path() ? entry->path().string()
                                               : entry->path().filename().string());
  if (found.empty())
    return "";
  std::sort(found.begin(), found.end());
  constexpr std::size_t most = 8;
  const bool all             = found.size() <= most;
  found.resize(std::min(found.size(), most));
  return " There are: " + join(found) + (all ? "." : " and others.");
}

void check_folder(const std::string &folder)
{
  const std::string remedy =
    "\nName the folder of the results of a run, output/<name of the deck>." + runs_beside(folder);
  std::error_code error;
  if (!fs::exists(folder, error))
    throw Error("There is no folder '" + folder + "'." + remedy);
  if (!fs::is_directory(folder, error))
    throw Error("'" + folder + "' is a file, not a folder." + remedy);
  if (!fs::exists(fs::path(folder) / summary_name, error))
    throw Error("The folder '" + folder + "' has no " + summary_name +
                ", so it is not the folder of a run." + remedy);
}

/// The entries of parameters.prm, in which strut has written the default above each entry with
/// another value.
std::vector<RunFolder::Entry> entries_of(const std::string &file_name)
{
  std::ifstream file(file_name);
  if (!file)
    throw Error("There is no file " + file_name + ", which names the entries of the deck." +
                run_again);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(trim(line));
  std::vector<RunFolder::Entry> entries;
  const Deck deck = Deck::read(file_name);
  for (const Deck::Entry &entry : deck.entries())
    {
      bool is_default = true;
      // the comments above it; no other file is included there
      for (std::size_t i = std::min<std::size_t>(entry.line, lines.size());
           i-- > 1 && lines[i - 1].compare(0, 1, "#") == 0;)
        is_default = is_default && lines[i - 1].find("Default:") == std::string::npos;
      entries.push_back({join(entry.path, " / ") + (entry.path.empty() ? "" : " / ") + entry.name,
                         entry.value,
                         is_default});
    }
  if (entries.empty())
    throw Error("The file " + file_name + " is damaged: it has no entry." + run_again);
  return entries;
}

/// The failure that the summary reports, else a remedy for a missing result.
std::string why_missing(const SummaryFile &summary)
{
  const std::optional<std::string> error = summary.text("error");
  return error ? "\nThe run failed: " + *error : run_again;
}

/// The last file of the series for ParaView, and its iteration.
std::pair<std::string, unsigned int> last_result(const std::string &folder,
                                                 const SummaryFile &summary)
{
  const std::string deck = *summary.text("deck/file");
  const fs::path series  = fs::path(folder) / (fs::path(deck).stem().string() + ".pvd");
  if (std::error_code error; !fs::exists(series, error))
    throw Error("The run '" + folder + "' has no result: there is no " + series.string() + '.' +
                why_missing(summary));
  const std::string contents = file_contents(series.string());
  const auto attribute       = [&](const std::string &name) {
    const std::string begin = name + "=\"";
    const std::size_t place = contents.rfind(begin);
    if (place == std::string::npos)
      throw Error("The file " + series.string() + " names no result." + why_missing(summary));
    const std::size_t first = place + begin.size();
    return xml_unescaped(contents.substr(first, contents.find('"', first) - first));
  };
  const std::string result = (fs::path(folder) / attribute("file")).string();
  if (std::error_code error; !fs::exists(result, error))
    throw Error("There is no file " + result + ", which " + series.string() +
                " names as the last design." + run_again);
  return {result,
          static_cast<unsigned int>(std::strtoul(attribute("timestep").c_str(), nullptr, 10))};
}
} // namespace

RunFolder RunFolder::read(const std::string &name)
{
  RunFolder run;
  run.folder = name;
  while (run.folder.size() > 1 && run.folder.back() == '/')
    run.folder.pop_back();
  check_folder(run.folder);
  const auto file = [&run](const std::string &file_name) { return run.folder + '/' + file_name; };
  run.summary     = SummaryFile::read(file(summary_name));
  if (*run.summary.text("status") == "running")
    throw Error("The run '" + run.folder +
                "' has not ended: its summary.json says 'running'. It goes on, or was killed.\n"
                "Wait until it ends. If it was killed, go on with it: strut --resume " +
                *run.summary.text("deck/file") + ", with its options.");
  if (std::error_code error; !fs::exists(file("history.csv"), error))
    throw Error("There is no file " + file("history.csv") + ", which has a row for each design." +
                why_missing(run.summary));
  run.history = HistoryFile::read(file("history.csv"));
  if (run.history.designs.empty())
    throw Error("The run '" + run.folder + "' has made no design: its history.csv has no row." +
                why_missing(run.summary));
  run.entries                             = entries_of(file("parameters.prm"));
  std::tie(run.result, run.result_design) = last_result(run.folder, run.summary);
  return run;
}
} // namespace strut
