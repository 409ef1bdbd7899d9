// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include <functional>

#include "plugin/deck/page/report_page.h"
#include "plugin/deck/run/run_parts.h"

namespace strut::plugin
{
/// report.html of a run, written again while it goes on.
///
/// A page is due after the first iteration, and then every ten seconds. It shows the part of an earlier one as long as
/// making another would take more than a fiftieth of the time since the start, all pages together. The last page has the
/// part of the last design in any case, but for large meshes: of these it has one if the run exports one.
class RunPage
{
public:
  /// Finds the supports and loads. Collective.
  RunPage(RunContext &run, const Optimizer &optimizer);

  /// Whether to write one after this iteration. The same on all ranks. Collective.
  bool is_due() const;

  /// Take the last design that was analysed as the part; before the first one the domain. None of large meshes, to save the
  /// time. Collective.
  /// @param measure  gets the surface before it is thinned out, on rank 0
  void take_part(const std::function<void(const TriangleMesh &)> &measure = {});
  /// Take a part of the last design that was made for its own sake. On rank 0.
  void take_part(const TriangleMesh &part);
  /// The page draws none. @param why  a sentence without its end
  void take_no_part(const std::string &why);
  /// The same where there is time for it, and not after the first iteration, whose design is uniform. Collective.
  void take_part_while_running();

  /// On rank 0 alone, others do nothing. Throws Error.
  void write(RunSummary summary);

private:
  bool is_wanted() const
  {
    return run_.parameters.output.report;
  }

  RunContext &run_;
  const Optimizer &optimizer_;
  ReportPage page_;               ///< all but the summary
  std::size_t n_earlier_;         ///< iterations before this start
  bool is_first_          = true; ///< none was written after an iteration
  double due_at_          = 0.;   ///< seconds of the run, on rank 0
  double seconds_of_part_ = 0.;   ///< of the last take_part()
};
} // namespace strut::plugin
