// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/run/run_output.h"

namespace strut::plugin
{
/// A run and its last design for people and programs: the end of the log, and summary.json.
class RunReport
{
public:
  /// Before the first iteration of this start.
  RunReport(RunContext &run, const Optimizer &optimizer, const RunOutput &output);

  /// summary.json, on rank 0. Collective if the run has ended well.
  void write_summary(RunStatus status, const std::string &error = std::string()) const;

  /// Examine the last design, say in the log how the run has ended, and write summary.json. Collective.
  /// @return the faults of the design
  DesignVerdict end(RunStatus status);

private:
  void print(RunStatus status, const DesignVerdict &verdict) const;
  /// Write the last design as a part. Collective. @return what there is to say
  std::string export_part();

  RunContext &run_;
  const Optimizer &optimizer_;
  const RunOutput &output_;
  unsigned int first_iteration_;   ///< of this start
  std::optional<double> greyness_; ///< of the last design, if the method makes grey elements
  std::optional<std::vector<DesignPiece>> pieces_; ///< of the last design, once the run has ended
  std::optional<RunSummary::PartFacts> part_;
};
} // namespace strut::plugin
