// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/filter_radius.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <sstream>

namespace strut::plugin
{
namespace
{
constexpr double rounding = 1e-6;

/// "1 to 4", or one number if all are alike.
std::string edges(const MeshSummary &summary)
{
  std::ostringstream text;
  text << summary.shortest_edge;
  if (summary.longest_edge > (1. + rounding) * summary.shortest_edge)
    text << " to " << summary.longest_edge;
  return text.str();
}
} // namespace

void check_filter_radius(const double radius, const MeshSummary &summary)
{
  const auto &[lower, upper] = summary.box.get_boundary_points();
  const double diagonal      = lower.distance(upper);
  const double least         = 1e-6 * summary.shortest_edge;
  if (radius == 0. || (radius >= least && radius <= diagonal))
    return;
  std::ostringstream text;
  text
    << "A filter radius of " << radius << " does not fit the mesh, whose elements have edges of "
    << edges(summary) << " and whose box has a diagonal of " << diagonal << ".\n"
    << (radius > diagonal
          ? "Beyond the diagonal every element is averaged with all others. It is in length units "
            "of the mesh: two or three edges, say."
          : "Radii below a millionth of an edge are lost to rounding. For no filter 'set Filter "
            "radius = 0'.");
  throw EntryError({"Optimization"}, "Filter radius", text.str());
}

std::string describe_filter_radius(const double radius, const MeshSummary &summary)
{
  const double shortest_side =
    std::min({summary.box.side_length(0), summary.box.side_length(1), summary.box.side_length(2)});

  std::ostringstream text;
  text << "  filter radius: " << radius << "; the elements have edges of " << edges(summary)
       << "; h = " << summary.smallest_cell << " is the cube root of the smallest volume\n";
  if (radius < (1. - rounding) * summary.shortest_edge)
    text << "  NOTE: the radius is below the shortest edge, so it filters nothing\n";
  else if (radius < (1. - rounding) * summary.longest_edge)
    text << "  NOTE: the radius is below the longest edge: along such edges it filters nothing\n";
  else if (radius > 0.5 * shortest_side)
    text << "  NOTE: the radius is more than half the shortest side of the mesh (" << shortest_side
         << "); designs will be blurred\n";
  return text.str();
}
} // namespace strut::plugin
