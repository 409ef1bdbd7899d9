// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <iosfwd>
#include <mutex>
#include <string>
#include <vector>

namespace strut::plugin
{
/// The messages of a run, on rank 0. Notes are lines that begin with "NOTE:" or "WARNING:", with those after
/// them that are indented deeper: a quiet log prints nothing else, and all are kept for summary.json.
class RunLog
{
public:
  /// @param speaks  whether this rank does
  RunLog(std::ostream &screen, bool speaks, bool quiet);

  /// One or more whole lines. From several threads.
  void say(const std::string &text);

  /// The same for a line that a quiet log prints, too.
  void say_in_any_case(const std::string &text);

  /// Notes of an earlier start of the run go before those of this one, each once.
  void put_before(std::vector<std::string> earlier);

  /// Each in one line, without "NOTE: " and indentation; warnings keep their "WARNING: ".
  const std::vector<std::string> &notes() const
  {
    return notes_;
  }

private:
  std::ostream &screen_;
  bool speaks_;
  bool quiet_;
  std::mutex mutex_;
  std::vector<std::string> notes_;
};
} // namespace strut::plugin
