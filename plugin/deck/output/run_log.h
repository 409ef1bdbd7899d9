// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <iosfwd>
#include <mutex>
#include <string>
#include <vector>

namespace strut
{
/// The messages of a run on rank 0. Notes are lines that begin with "NOTE:" or "WARNING:", with the
/// following lines that are indented deeper. A quiet log prints only notes. All notes are kept for
/// summary.json.
class RunLog
{
public:
  /// @param speaks  whether this rank prints
  RunLog(std::ostream &screen, bool speaks, bool quiet);

  /// Prints one or more whole lines. Several threads may call it.
  void say(const std::string &text);

  /// Prints lines that a quiet log prints, too.
  void say_always(const std::string &text);

  /// Inserts notes of an earlier start of the run before those of this one, each once.
  void put_before(std::vector<std::string> earlier);

  /// The notes, each on one line, without "NOTE: " and indentation. Warnings keep their "WARNING:
  /// ".
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
} // namespace strut
