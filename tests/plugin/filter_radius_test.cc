// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The filter radii that fit a mesh, and the log's notes on the others.
#include "plugin/deck/run/run_remarks.h"

#include <strut/base/exceptions.h>

#include "tests/plugin/text_checks.h"

using namespace strut;

namespace
{
/// A mesh of elements of 4 x 1 x 1 in a box of 40 x 20 x 20.
MeshSummary long_elements()
{
  MeshSummary summary;
  summary.n_cells       = 4000;
  summary.smallest_cell = 1.5874;
  summary.shortest_edge = 1.;
  summary.longest_edge  = 4.;
  summary.box = dealii::BoundingBox<3>({dealii::Point<3>(0, 0, 0), dealii::Point<3>(40, 20, 20)});
  return summary;
}
} // namespace

TEST(FilterRadius, NotesGoByTheEdgesOfTheElements)
{
  const MeshSummary summary = long_elements();
  const auto note           = [&](const double radius) {
    const std::string text  = describe_filter_radius(radius, summary);
    const std::size_t begin = text.find("NOTE: ");
    return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_EQ(note(0.9), "NOTE: the radius is below the shortest edge, so it filters nothing");
  // 1.5 is below the cube root of the volume, but reaches the neighbours along y and z
  EXPECT_EQ(note(1.5),
            "NOTE: the radius is below the longest edge: along such edges it filters nothing");
  EXPECT_EQ(note(4.), "");
  EXPECT_EQ(note(10.), "");
  EXPECT_EQ(
    note(10.1),
    "NOTE: the radius is more than half the shortest side of the mesh (20); designs will be "
    "blurred");
  EXPECT_CONTAINS(describe_filter_radius(4., summary),
                  "edges of 1 to 4; h = 1.5874 is the cube root");
}

TEST(FilterRadius, FitsTheMeshUpToItsDiagonal)
{
  const MeshSummary summary = long_elements();
  for (const double radius : {0., 1e-6, 1e-3, 1.5, 48.98})
    EXPECT_NO_THROW(check_filter_radius(radius, summary)) << radius;
  for (const double radius : {1e-300, 1e-150, 0.99e-6, 49., 1e200})
    EXPECT_THROW(check_filter_radius(radius, summary), EntryError) << radius;
}
