// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Smallest members and gaps of designs whose widths are known, on any number of ranks.
#include "plugin/deck/output/measured_lengths.h"

#include <deal.II/base/mpi.h>

#include <cmath>

#include "distributed_problem.h"

namespace strut::plugin
{
namespace
{
/// 24 x 14 x 6 elements of size h.
DistributedProblem plates_box(const double h)
{
  return DistributedProblem(MPI_COMM_WORLD, 0, [h](auto &triangulation) {
    dealii::GridGenerator::subdivided_hyper_rectangle(triangulation,
                                                      {24, 14, 6},
                                                      dealii::Point<3>(),
                                                      dealii::Point<3>(24 * h, 14 * h, 6 * h));
  });
}

/// On the root, nothing elsewhere.
template <typename Density>
MeasuredLengths lengths_of(const MeshOnRanks &problem, const Density &density)
{
  return measure_lengths(problem.communicator, problem.mesh, problem.element_field(density), 2);
}

bool is_root()
{
  return rank_in(MPI_COMM_WORLD) == 0;
}

TEST(OutputMeasuredLengths, OfPlatesAndGapsAreExact)
{
  for (const double h : {1., 0.25})
    {
      const auto problem = plates_box(h);
      for (int n = 1; n <= 4; ++n)
        {
          SCOPED_TRACE(::testing::Message() << n << " elements of " << h);
          const double low = 2 * h, high = (2 + n) * h; // the other plate has 3 elements
          const MeasuredLengths member = lengths_of(problem, [&](double, const double y, double) {
            return (y > low && y < high) || (y > 9 * h && y < 12 * h) ? 1. : 1e-3;
          });
          const MeasuredLengths gap    = lengths_of(problem, [&](double, const double y, double) {
            return y > low && y < high ? 1e-3 : 1.;
          });
          EXPECT_EQ(member.member.has_value(), is_root());
          if (!is_root())
            continue;
          // cuts are 1e-3 of an edge from nodes at least
          EXPECT_NEAR(member.member->least, std::min(n, 3) * h, 0.01 * h);
          if (n > 1) // the surface for gaps has no member of one element
            {
              ASSERT_TRUE(member.gap);
              EXPECT_NEAR(member.gap->least, (7 - n) * h, 0.01 * h);
            }
          ASSERT_TRUE(gap.gap);
          EXPECT_NEAR(gap.gap->least, n * h, 0.01 * h);
        }
    }
}

// A plate on the boundary of the mesh may go on behind a plane of symmetry, and ends at nothing that was designed.
TEST(OutputMeasuredLengths, EndAtTheLevelAlone)
{
  const auto problem = plates_box(1.);
  const MeasuredLengths lengths =
    lengths_of(problem, [](double, const double y, double) { return y < 2. ? 1. : 1e-3; });
  EXPECT_FALSE(lengths.member);
  EXPECT_FALSE(lengths.gap);
  EXPECT_EQ(describe_lengths(lengths), "");
}

TEST(OutputMeasuredLengths, OfARoundBarIsItsDiameter)
{
  const auto problem = plates_box(1.);
  const auto bar     = [](const double radius) {
    return [radius](double, const double y, const double z) {
      return std::hypot(y - 7., z - 3.) < radius ? 1. : 1e-3;
    };
  };
  for (const double radius : {1.6, 2.3})
    {
      const MeasuredLengths lengths = lengths_of(problem, bar(radius));
      if (!is_root())
        continue;
      ASSERT_TRUE(lengths.member);
      EXPECT_NEAR(lengths.member->least, 2. * radius, 1.) << radius;
      EXPECT_FALSE(lengths.gap);
    }
}

// Rings on the unstructured mesh of a cylinder: a wall and a gap, to about an element.
TEST(OutputMeasuredLengths, OnAnUnstructuredMesh)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 3, [](auto &triangulation) {
    dealii::GridGenerator::cylinder(triangulation, 1., 0.5);
  });
  const double h                = 0.08; // or so
  const MeasuredLengths lengths = lengths_of(problem, [](double, const double y, const double z) {
    const double r = std::hypot(y, z);
    return r < 0.3 || (r > 0.5 && r < 0.75) ? 1. : 1e-3;
  });
  if (!is_root())
    return;
  ASSERT_TRUE(lengths.member);
  EXPECT_NEAR(lengths.member->least, 0.25, h);
  ASSERT_TRUE(lengths.gap);
  EXPECT_NEAR(lengths.gap->least, 0.2, h);
  EXPECT_NEAR(lengths.gap->one_percent, 0.2, h);
}
} // namespace
} // namespace strut::plugin
