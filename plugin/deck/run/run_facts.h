// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/run/run_plan.h"

namespace strut::plugin
{
/// What is known of a run before it computes anything.
struct RunFacts
{
  /// Collective. @param notes  of the log so far
  RunFacts(const DeckParameters &parameters,
           const RunPlan &plan,
           StateSettings settings,
           std::vector<std::string> notes,
           unsigned int n_ranks,
           std::vector<std::string> pictures);

  std::string deck;
  const MeshSummary &mesh;
  const std::vector<Problem::MaterialShare> &materials;
  std::string strategy, precision, preconditioner;
  std::vector<MemoryEstimate> memory;
  DiskEstimate disk;
  TimeEstimate time;
  std::vector<std::string> notes;
  unsigned int n_ranks;
  std::vector<std::string> pictures;                   ///< files to look at
  std::vector<RunSummary::SolidValue> solid_body = {}; ///< if it was solved
};

/// The estimates in lines for the log.
std::string describe_estimates(const RunFacts &facts);

/// For programs: doc/running.md has the fields.
std::string to_json(const RunFacts &facts);

/// The same for a deck that is refused.
std::string refused_as_json(const std::string &deck, const std::string &error);
} // namespace strut::plugin
