// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/page/part_marks.h"
#include "source/surface/triangle_mesh.h"

namespace strut
{
/// The contents of report.html: a run and its design for people, on one page that needs no network.
struct ReportPage
{
  /// The limit of a constraint.
  struct Limit
  {
    std::string name; ///< name of the constraint: columns of the history begin with it
    std::string text; ///< "tip: displacement <= 0.5"
    double value = 0.;
  };

  std::string name; ///< name of the deck without folder and extension
  std::string deck; ///< text of the deck
  RunSummary summary;
  std::vector<Limit> limits;
  bool limits_volume = true; ///< whether the volume fraction of the summary is a limit
  PartMarks marks;
  TriangleMesh part;        ///< empty: there is none to draw
  std::string without_part; ///< the reason, if it is not lack of material
  /// Iteration of the design shown as the part; 0: the part is the domain.
  unsigned int part_iteration = 0;
};

/// Makes the page in HTML 5, UTF-8. Texts of the user occur only in JSON, in which no tag can
/// begin, and escaped in the title.
std::string to_html(const ReportPage &page);
} // namespace strut
