// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include <functional>
#include <future>

#include "plugin/deck/page/report_page.h"
#include "plugin/deck/run/run_parts.h"

namespace strut
{
/// The file report.html of a run, updated while the run goes on.
///
/// A page is due after the first iteration, and then every ten seconds. It keeps an earlier part
/// while all parts together would take more than a fiftieth of the time since the start. The last
/// page has the part of the last design. For large meshes, it has one only if the run exports a
/// part.
class RunPage
{
public:
  /// Finds the supports and loads. Collective.
  RunPage(RunContext &run, const Optimizer &optimizer);

  /// Whether a page is due after this iteration; the same on all ranks. Collective.
  bool is_due() const;

  /// Takes the last analysed design as the part, or the domain before the first one. Large meshes
  /// get none, to save time. A thread goes on simplifying the part while the run continues.
  /// Collective.
  /// @param measure  gets the surface before it is simplified, on rank 0
  void take_part(const std::function<void(const TriangleMesh &)> &measure = {});
  /// Takes a part of the last design that was already made for export. On rank 0.
  void take_part(const TriangleMesh &part);
  /// Makes the page show no part. @param why  a sentence without its full stop
  void take_no_part(const std::string &why);
  /// Takes the part if there is time, and not after the first iteration, whose design is uniform.
  /// Collective.
  void take_part_while_running();

  /// Waits for the thread of take_part().
  void finish_part();

  /// Writes the page. Only rank 0 does something. Throws Error.
  void write(RunSummary summary);

private:
  bool is_wanted() const
  {
    return run_.parameters.output.report;
  }

  RunContext &run_;
  const Optimizer &optimizer_;
  ReportPage page_;               ///< everything except the summary
  std::size_t n_earlier_;         ///< number of iterations before this start
  bool is_first_          = true; ///< whether no page was written after an iteration
  double due_at_          = 0.;   ///< seconds of the run, on rank 0
  double seconds_of_part_ = 0.;   ///< duration of the last take_part()
  std::future<TriangleMesh> unfinished_part_;
};
} // namespace strut
