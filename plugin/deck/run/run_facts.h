// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/run/run_estimates.h"

namespace strut
{
/// Facts about a run that are known before it computes anything.
struct RunFacts
{
  /// Collects the facts. Collective. @param notes  notes in the log so far
  RunFacts(const RunPlan &plan, std::vector<std::string> notes, std::vector<std::string> pictures);

  std::string deck;
  const MeshSummary &mesh;
  const std::vector<Problem::MaterialShare> &materials;
  std::string strategy, precision, preconditioner;
  std::vector<MemoryEstimate> memory;
  DiskEstimate disk;
  TimeEstimate time;
  std::vector<std::string> notes;
  unsigned int n_ranks;
  std::vector<std::string> pictures; ///< files to look at
  /// Values of the solid body, if it was solved.
  std::vector<RunSummary::SolidValue> solid_body = {};
};

/// The estimates as lines for the log.
std::string describe_estimates(const RunFacts &facts);

/// The facts as JSON, for programs; doc/running.md describes the fields.
std::string to_json(const RunFacts &facts);

/// JSON for a deck that is refused.
std::string refused_as_json(const std::string &deck, const std::string &error);
} // namespace strut
