// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/run_log.h"

#include <algorithm>
#include <ostream>
#include <sstream>
#include <utility>

namespace strut
{
RunLog::RunLog(std::ostream &screen, const bool speaks, const bool quiet)
  : screen_(screen), speaks_(speaks), quiet_(quiet)
{}

void RunLog::say(const std::string &text)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::string mark = "NOTE: ";
  std::string lines_of_notes;
  bool inside             = false;
  std::size_t indentation = 0;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    {
      const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
      const std::string words = line.substr(begin);
      if (words.rfind(mark, 0) == 0 || words.rfind("WARNING: ", 0) == 0)
        {
          inside      = true;
          indentation = begin;
          notes_.push_back(words.rfind(mark, 0) == 0 ? words.substr(mark.size()) : words);
        }
      else if (inside && !words.empty() && begin > indentation)
        notes_.back() += ' ' + words;
      else
        inside = false;
      if (inside)
        lines_of_notes += line + '\n';
    }
  if (speaks_)
    screen_ << (quiet_ ? lines_of_notes : text) << std::flush;
}

void RunLog::put_before(std::vector<std::string> earlier)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  for (std::string &note : notes_)
    if (std::find(earlier.begin(), earlier.end(), note) == earlier.end())
      earlier.push_back(std::move(note));
  notes_ = std::move(earlier);
}

void RunLog::say_always(const std::string &text)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  if (speaks_)
    screen_ << text << std::flush;
}
} // namespace strut
