// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

namespace strut
{
class Backend;
class Memory;

/// Time, bytes and memory of a stage of the matrix generation: for the tables of programs.
struct StageReport
{
  /// A part of the stage: a kernel or a few.
  struct Step
  {
    std::string name;
    double seconds; ///< on the device: between events, host and allocations left out
    double bytes;   ///< compulsory: input and output, each once
  };

  std::vector<Step> steps; ///< in the order of the work
  double bytes        = 0; ///< compulsory, of the stage as a whole: without the data between steps
  double memory_bytes = 0; ///< the most that the stage allocates beside its input

  /// Sum over the steps.
  double seconds() const;
};

/// Time one step and add it to the report; without a report, only do it.
template <typename Work>
void timed_step(
  Backend &backend, StageReport *report, const std::string &name, double bytes, const Work &work);

/// @param bytes  about to be taken from `memory` @param stage  for the message, "stage 1 ..."
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
