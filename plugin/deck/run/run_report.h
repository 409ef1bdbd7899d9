// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/run/part_verdict.h"
#include "plugin/deck/run/run_output.h"
#include "plugin/deck/run/run_page.h"
#include "plugin/deck/run/solid_body.h"

namespace strut
{
/// Reports a run and its last design to people and programs: the end of the log, summary.json and
/// report.html.
class RunReport
{
public:
  /// Begins before the first iteration of this start. Collective.
  /// @param solid_body  values of the solid body for each limit
  RunReport(RunContext &run,
            const Optimizer &optimizer,
            const RunOutput &output,
            std::vector<RunSummary::SolidValue> solid_body);

  /// Writes summary.json and report.html, on rank 0. Collective if the run has ended well.
  void write(RunStatus status, const std::string &error = std::string());

  /// Renews report.html if it is due. If it cannot be written, the run goes on and the log says so
  /// once. Collective.
  void after_iteration();

  /// Handles an iteration that failed on all ranks: report.html will show the last design.
  /// Collective.
  void renew_part_of_page();

  /// Sets the best design so far, which both files show from then on.
  void set_best(RunSummary::Best best)
  {
    summary_.best = std::move(best);
  }

  /// Finds the pieces of the last design, and whether it is a part, unless that is known.
  /// Collective.
  void look_for_part();
  /// Why the last design is not a part. Empty if it is one, or if look_for_part() was not called.
  std::string fault_of_part() const
  {
    return part_verdict_ ? part_verdict_->fault : "";
  }

  /// Makes the part of report.html, and measures its surface, unless the last design is exported as
  /// a part. end() does it otherwise. Collective.
  void make_part_of_page();

  /// Measures pieces, greyness and largest stresses of the last design for end(). Designs of an
  /// earlier start are not measured. Collective.
  void measure_design();

  /// Measures the surface of the last design, logs how the run has ended, and writes both files.
  /// Collective.
  /// @return the faults of the design
  DesignVerdict end(RunStatus status);

private:
  /// Describes an earlier design that meets volume and constraints and is clearly better than the
  /// last one. Empty if there is none.
  std::string describe_relapse() const;
  void print(RunStatus status, const DesignVerdict &verdict) const;
  /// Measures the surface on rank 0.
  /// @param is_closed  whether it is closed in the numbers of its files; computed if not given
  void measure_surface(const TriangleMesh &surface, std::optional<bool> is_closed = {});
  std::string describe_walls() const;
  /// Whether the last design becomes a part in files of its own.
  bool exports_part() const;
  /// Writes the last design as a part. Collective. @return lines for the log
  std::string export_part();
  /// Writes report.html on rank 0. The first failure is logged.
  void write_page();
  /// Sets what changes while the run goes on.
  void update_summary(RunStatus status, const std::string &error, double host_memory);
  bool has_new_design() const
  {
    return first_iteration_ <= optimizer_.method->history().size();
  }

  RunContext &run_;
  const Optimizer &optimizer_;
  const RunOutput &output_;
  unsigned int first_iteration_; ///< first iteration of this start
  RunSummary summary_;
  /// Verdict on the last design, once the run has ended; its pieces are in the summary.
  std::optional<PartVerdict> part_verdict_;
  std::string where_pieces_;     ///< a line for the log, if there are several pieces
  SolidElements solid_elements_; ///< limits of the last design as solid elements, if it was grey
  RunPage page_;
  bool has_part_of_page_    = false; ///< whether the page has the part of the last design
  bool page_failure_logged_ = false; ///< whether a failure was logged
};
} // namespace strut
