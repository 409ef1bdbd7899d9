// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "plugin/deck/output/run_summary.h"

namespace strut
{
/// Reports the progress of a run to a program that drives it. Rank 0 writes a line of JSON for each
/// event, and flushes it. doc/running.md describes the fields.
class ProgressLines
{
public:
  /// @param out  null: nothing is written
  explicit ProgressLines(std::ostream *out) : out_(out)
  {}

  struct Beginning
  {
    std::string deck, folder, objective;
    std::size_t n_elements             = 0;
    unsigned int n_earlier             = 0; ///< number of iterations before this start
    unsigned int max_iterations        = 0;
    std::vector<HistoryColumn> columns = {}; ///< columns of the values of records
  };
  void begin(const Beginning &beginning);

  void design(const IterationRecord &record);

  /// @param pictures  files that show the place of a fault
  /// @param error  message of a failed run
  void end(RunStatus status,
           int exit_code,
           const std::vector<std::string> &pictures,
           const std::string &error = std::string());

private:
  void write(const std::string &line);

  std::ostream *out_;
  std::vector<HistoryColumn> columns_;
};
} // namespace strut
