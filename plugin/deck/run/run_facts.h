// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/run/run_plan.h"

namespace strut
{
/// Memory that a run needs with a backend.
struct MemoryEstimate
{
  std::string backend;
  bool is_device = false;
  /// Bytes of the fullest rank; none if the backend has no such operator.
  std::optional<double> bytes;
  MemoryPlan parts;       ///< maximum of each part over the ranks
  double n_elements = 0.; ///< maximum over the ranks
  double host_bytes = 0.; ///< host memory in addition to a device
};

struct DiskEstimate
{
  std::size_t n_results = 0, n_checkpoints = 0; ///< two checkpoints are kept
  double result_bytes = 0., checkpoint_bytes = 0.;
};

/// Seconds of all solves with few and with many PCG iterations, extrapolated from a measurement on
/// a cube.
struct TimeEstimate
{
  std::string obstacle; ///< why there is no estimate
  unsigned int n_solves = 0;
  double few_iterations = 0., many_iterations = 0.;
  double least = 0., most = 0.;
  std::size_t n_timed = 0; ///< number of elements of the cube
};

// Functions for the needs of a planned run. All are collective.

/// Estimates the memory of the run on each backend of this build.
std::vector<MemoryEstimate> estimate_memory(const RunPlan &plan);
DiskEstimate estimate_disk(const RunPlan &plan);
TimeEstimate estimate_time(const RunPlan &plan);

/// Facts about a run that are known before it computes anything.
struct RunFacts
{
  /// Collects the facts. Collective. @param notes  notes in the log so far
  RunFacts(const RunPlan &plan, std::vector<std::string> notes, std::vector<std::string> pictures);

  const RunPlan &plan;
  std::vector<MemoryEstimate> memory;
  DiskEstimate disk;
  TimeEstimate time;
  std::vector<std::string> notes;
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
