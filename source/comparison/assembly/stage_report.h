// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/stopwatch.h"

#include <string>
#include <vector>

namespace strut
{
class Backend;
class Memory;

/// Time, bytes and memory of a stage of the matrix generation, for the tables of programs.
struct StageReport
{
  /// A part of the stage: one or a few kernels.
  struct Step
  {
    std::string name;
    double seconds; ///< time on the device between events, without host and allocations
    double bytes;   ///< compulsory traffic: input and output, each once
  };

  std::vector<Step> steps; ///< in the order of the work

  /// Compulsory traffic of the whole stage, without the data between steps.
  double bytes        = 0;
  double memory_bytes = 0; ///< peak memory of the stage beside its input

  /// Returns the sum over the steps.
  double seconds() const;
};

/// Runs one step; if there is a report, times the step and adds it.
template <typename Work>
void timed_step(
  Backend &backend, StageReport *report, const std::string &name, double bytes, const Work &work);

/// Checks the free memory before an allocation.
///
/// @param bytes  bytes to be allocated from `memory`
/// @param stage  name for the message, "stage 1 ..."
/// @throws OutOfMemory with the memory needed, the memory free, and a remedy
void require_memory(const Memory &memory, double bytes, const std::string &stage);
} // namespace strut

#include <strut/backend/backend.h>

namespace strut
{
template <typename Work>
void timed_step(Backend &backend,
                StageReport *report,
                const std::string &name,
                const double bytes,
                const Work &work)
{
  if (report == nullptr)
    {
      work();
      return;
    }
  const auto stopwatch = backend.make_stopwatch();
  stopwatch->start();
  work();
  report->steps.push_back({name, stopwatch->stop(), bytes});
}
} // namespace strut
