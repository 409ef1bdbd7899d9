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

namespace strut::plugin
{
/// A run and its last design for people and programs: the end of the log, summary.json and report.html.
class RunReport
{
public:
  /// Before the first iteration of this start. Collective.
  RunReport(RunContext &run, const Optimizer &optimizer, const RunOutput &output);

  /// summary.json and report.html, on rank 0. Collective if the run has ended well.
  void write(RunStatus status, const std::string &error = std::string());

  /// Renew report.html if it is due. One that cannot be written ends no run: the log says so once. Collective.
  void after_iteration();

  /// An iteration has failed on all ranks: report.html will show the last design. Collective.
  void look_at_design();

  /// The best design so far, from now on in both files.
  void set_best(RunSummary::Best best)
  {
    best_ = std::move(best);
  }

  /// Find the pieces of the last design, and whether it is a part, unless that is known. Collective.
  void look_for_part();
  /// Why the last design is no part to be made; empty: it is one, or look_for_part() was not called.
  std::string fault_of_part() const
  {
    return part_verdict_ ? part_verdict_->fault : "";
  }

  /// Pieces, greyness, largest stresses of the last design, for end(). Of an earlier start's design there
  /// are none. Collective.
  void measure_design();

  /// Measure the surface of the last design, say in the log how the run has ended, and write both files. Collective.
  /// @return the faults of the design
  DesignVerdict end(RunStatus status);

  /// Sets the values of the solid body by limit, for summary.json.
  void set_solid_body(std::vector<RunSummary::SolidValue> values)
  {
    solid_body_ = std::move(values);
  }

private:
  /// That an earlier design, which meets volume and constraints, is better than the last one; empty: it is not by much.
  std::string describe_relapse() const;
  void print(RunStatus status, const DesignVerdict &verdict) const;
  /// On rank 0.
  /// @param is_closed  by the numbers of its files; if it is not known, it is found out
  void measure_surface(const TriangleMesh &surface, std::optional<bool> is_closed = {});
  std::string describe_walls() const;
  /// Write the last design as a part. Collective. @return what there is to say
  std::string export_part();
  /// On rank 0. A page that cannot be written is told once.
  void write_page(RunSummary of_run);
  RunSummary summary(RunStatus status, const std::string &error, double host_memory) const;
  bool has_new_design() const
  {
    return first_iteration_ <= optimizer_.method->history().size();
  }

  RunContext &run_;
  const Optimizer &optimizer_;
  const RunOutput &output_;
  unsigned int first_iteration_; ///< of this start
  std::optional<RunSummary::Best> best_;
  std::optional<double> greyness_; ///< of the last design, if the method makes grey elements
  std::optional<PartVerdict> part_verdict_; ///< on the last design, once the run has ended
  std::string where_pieces_;                ///< a line for the log, if there are several
  std::vector<LargestValues> largest_; ///< of the last design by load case, once the run has ended
  std::optional<MeasuredLengths> lengths_; ///< of the last design, if it has a length scale
  std::optional<RunSummary::SurfaceFacts> surface_;
  std::optional<RunSummary::PartFacts> part_;
  RunPage page_;
  bool told_of_page_ = false; ///< that cannot be written
  std::vector<RunSummary::SolidValue> solid_body_;
};
} // namespace strut::plugin
