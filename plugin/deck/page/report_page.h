// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/picture/part_marks.h"
#include "source/surface/triangle_mesh.h"

namespace strut::plugin
{
/// report.html: a run and its design for people, one page without a network.
struct ReportPage
{
  /// Of a constraint.
  struct Limit
  {
    std::string name; ///< of the constraint: columns of the history begin with it
    std::string text; ///< "tip: displacement <= 0.5"
    double value = 0.;
  };

  std::string name; ///< of the deck, without folder and extension
  std::string deck; ///< its text
  RunSummary summary;
  std::vector<Limit> limits;
  bool limits_volume = true; ///< by the volume fraction of the summary
  PartMarks marks;
  TriangleMesh part;               ///< empty: there is none to draw
  std::string without_part;        ///< why not, if not for lack of material
  unsigned int part_iteration = 0; ///< whose design the part is; 0: the part is the domain
};

/// Most bytes of a page: less where a deck, a history or a part is larger than a page needs.
constexpr std::size_t most_page_bytes = 8'000'000;

/// Most triangles of a part that is drawn: vertices then have numbers of 16 bits.
constexpr std::size_t most_part_triangles = 100'000;

/// The page: HTML 5, UTF-8. What comes from the user is in JSON alone, in which no tag can begin, and in the title, escaped.
std::string to_html(const ReportPage &page);

/// RFC 4648, with padding.
std::string base64(const std::string &bytes);
} // namespace strut::plugin
