// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Smallest and largest members and gaps of designs with known widths, on any number of ranks.
#include "plugin/deck/output/measured_lengths.h"

#include <deal.II/base/mpi.h>

#include "distributed_problem.h"

namespace strut
{
namespace
{
/// A box of 24 x 14 x 6 elements of size h.
DistributedProblem plates_box(const double h)
{
  return DistributedProblem(MPI_COMM_WORLD, 0, box({24, 14, 6}, {24 * h, 14 * h, 6 * h}));
}

/// The lengths on the root; empty elsewhere.
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
          EXPECT_NEAR(member.largest->diameter, std::max(n, 3) * h, 0.01 * h);
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

// A plate on the boundary of the mesh may continue behind a plane of symmetry, and does not end at
// designed void. So it is no smallest member, and as a largest one it counts with its mirror image.
TEST(OutputMeasuredLengths, EndAtTheLevelAlone)
{
  const auto problem = plates_box(1.);
  const MeasuredLengths lengths =
    lengths_of(problem, [](double, const double y, double) { return y < 2. ? 1. : 1e-3; });
  EXPECT_FALSE(lengths.member);
  EXPECT_FALSE(lengths.gap);
  EXPECT_EQ(lengths.largest.has_value(), is_root());
  if (is_root())
    {
      EXPECT_NEAR(lengths.largest->diameter, 4., 0.01);
    }
  const MeasuredLengths of_all = lengths_of(problem, [](double, double, double) { return 1.; });
  EXPECT_FALSE(of_all.largest);
  EXPECT_EQ(describe_lengths(of_all), "");
}

// Void elements end a member, and solid ones do not.
TEST(OutputMeasuredLengths, LargestMemberBesidePassiveElements)
{
  auto problem = plates_box(1.);
  for (const auto &[flag, expected] :
       {std::make_pair(DesignFlag::empty, 3.), std::make_pair(DesignFlag::solid, 5.)})
    {
      const DesignFlag beside = flag;
      const auto is_passive   = [](const double y) { return y > 5. && y < 7.; };
      // three elements of the design, two passive ones, void
      const auto field = problem.element_field([&](double, const double y, double) {
        return (y > 2. && y < 5.) || (is_passive(y) && beside == DesignFlag::solid) ? 1. : 1e-3;
      });
      ElementMesh mesh = problem.mesh;
      const auto ones  = problem.element_field(
        [&](double, const double y, double) { return is_passive(y) ? 1. : 0.; });
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        if (ones[e] > 0.)
          mesh.flags[e] = beside;
      const MeasuredLengths lengths = measure_lengths(problem.communicator, mesh, field, 2);
      if (is_root())
        {
          EXPECT_NEAR(lengths.largest->diameter, expected, 0.01);
        }
    }
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
      EXPECT_NEAR(lengths.largest->diameter, 2. * radius, 1.) << radius;
      EXPECT_FALSE(lengths.gap);
    }
}

// Rings on the unstructured mesh of a cylinder: a wall and a gap, to about an element.
TEST(OutputMeasuredLengths, OnAnUnstructuredMesh)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 3, [](auto &triangulation) {
    dealii::GridGenerator::cylinder(triangulation, 1., 0.5);
  });
  const double h                = 0.08; // approximately
  const MeasuredLengths lengths = lengths_of(problem, [](double, const double y, const double z) {
    const double r = std::hypot(y, z);
    return r < 0.3 || (r > 0.5 && r < 0.75) ? 1. : 1e-3;
  });
  if (!is_root())
    return;
  ASSERT_TRUE(lengths.member);
  EXPECT_NEAR(lengths.member->least, 0.25, h);
  EXPECT_NEAR(lengths.largest->diameter, 0.6, h); // the rod in the ring
  ASSERT_TRUE(lengths.gap);
  EXPECT_NEAR(lengths.gap->least, 0.2, h);
  EXPECT_NEAR(lengths.gap->one_percent, 0.2, h);
}
} // namespace
} // namespace strut
