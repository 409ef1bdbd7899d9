// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/deck/page/report_page.h"
#include "plugin/deck/run/run_parts.h"

namespace strut::plugin
{
/// report.html of a run, written again while it goes on.
///
/// A page is due after the first iteration; after that when ten seconds have passed, and so much more that pages take a
/// fiftieth of the run at most. Large meshes get their part in the last page alone.
class RunPage
{
public:
  /// Finds the supports and loads. Collective.
  RunPage(RunContext &run, const Optimizer &optimizer);

  /// Whether to write one after this iteration. The same on all ranks. Collective.
  bool is_due() const;

  /// Take the last design that was analysed as the part; before the first one the domain. Collective.
  void take_part();
  /// The same, where it is not the last page: not for large meshes, nor for the first design, which is uniform.
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
  ReportPage page_;       ///< all but the summary
  std::size_t n_earlier_; ///< iterations before this start
  bool is_first_ = true;  ///< none was written after an iteration
  double due_at_ = 0.;    ///< seconds of the run, on rank 0
  double begun_  = -1.;   ///< when the work on the next page began
};
} // namespace strut::plugin
