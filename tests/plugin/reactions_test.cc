// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Forces of supports, planes of symmetry, couplings and springs on the body.
#include "plugin/deck/run/reactions.h"
#include "tests/plugin/problem_fixture.h"
#include "tests/plugin/text_checks.h"

namespace strut
{
namespace
{
using Vector = std::array<double, 3>;

class ReactionsProblem : public ProblemTest
{
protected:
  RunSummary::Reactions reactions(const std::string &deck)
  {
    const Problem &problem = setup(deck);
    SolidState state(problem, 1e-13);
    state.solver->solve(0);
    const auto result = reactions_of(Communicator(MPI_COMM_WORLD), problem, *state.solver, 0);
    EXPECT_TRUE(result);
    EXPECT_LT(result->imbalance, 1e-9);
    return *result;
  }

  static void expect_near(const Vector &found, const Vector &expected, const double tolerance)
  {
    for (std::size_t d = 0; d < 3; ++d)
      EXPECT_NEAR(found[d], expected[d], tolerance) << "component " << d;
  }

  static std::string remote(const std::string &region,
                            const std::string &force,
                            const std::string &moment,
                            const std::string &point)
  {
    return section("Loads / tip",
                   region + "\nset Type = remote force\nset Value = " + force + "\n" +
                     section("Remote force", "set Moment = " + moment + "\nset Point = " + point));
  }

  const std::string left  = "set Expression = x < xmin + tol",
                    right = "set Expression = x > xmax - tol";
  const std::string wall  = section("Supports / wall", left);
};

// The wall carries force and moment of the load, for elements of every type.
TEST_F(ReactionsProblem, OneSupportCarriesAll)
{
  for (const std::string type : {"hex8", "hex20", "hex27", "tet4", "tet10"})
    {
      SCOPED_TRACE(type);
      const auto found = reactions(section("Mesh", "set Element type = " + type) + beam + wall +
                                   remote(right, "1, -2, 3", "4, 5, -6", "7, 1, 2"));
      ASSERT_EQ(found.all.size(), 1U);
      const RunSummary::Reaction &of_wall = found.all[0];
      EXPECT_EQ(of_wall.name, "support 'wall'");
      expect_near(of_wall.force, {{-1., 2., -3.}}, 1e-8);
      expect_near(of_wall.point, {{0., 1.5, 1.}}, type.substr(0, 3) == "hex" ? 1e-12 : 0.5);
      // moments about the point: M + (x - p) x F of the load, with the other sign
      const Vector arm = {{7. - of_wall.point[0], 1. - of_wall.point[1], 2. - of_wall.point[2]}};
      expect_near(of_wall.moment,
                  {{-(4. + arm[1] * 3. + arm[2] * 2.),
                    -(5. + arm[2] * 1. - arm[0] * 3.),
                    -(-6. - arm[0] * 2. - arm[1] * 1.)}},
                  1e-7);
    }
}

// A beam on two lines: the lever.
TEST_F(ReactionsProblem, SupportsShareByTheLever)
{
  const auto found = reactions(
    box_deck(4, 2, 2) +
    section("Supports / first",
            "set Expression = x < xmin + tol && z < zmin + tol\nset Components = x, y, z") +
    section("Supports / second",
            "set Expression = x > xmax - tol && z < zmin + tol\nset Components = z") +
    remote("set Boundary ids = 5", "0, 0, -8", "0, 0, 0", "1, 1, 2"));
  ASSERT_EQ(found.all.size(), 2U);
  expect_near(found.all[0].force, {{0., 0., 6.}}, 1e-8);
  expect_near(found.all[1].force, {{0., 0., 2.}}, 1e-8);
}

// Forces that act on held nodes are carried there, and loads that follow the design count.
TEST_F(ReactionsProblem, WeightAndForcesOnTheSupportCount)
{
  const auto found =
    reactions(beam + wall + load("set Expression = everywhere", "self weight", "0, 0, -0.5") +
              section("Loads / other", left + "\nset Type = total force\nset Value = 3, 0, 0"));
  ASSERT_EQ(found.all.size(), 1U);
  expect_near(found.all[0].force, {{-3., 0., 0.5 * 4. * 3. * 2.}}, 1e-8);
}

// A plane of symmetry carries what the image pulls at, and springs what they are pressed by.
TEST_F(ReactionsProblem, PlanesAndSpringsAreHolders)
{
  const auto found =
    reactions(section("Material", "set Young's modulus = 50\nset Poisson's ratio = 0") +
              box_deck(4, 2, 2) + section("Symmetry", "set Planes = x = xmin, y = ymin, z = zmin") +
              section("Springs / ground", right + "\nset Stiffness = 30, 0, 0") +
              section("Loads / pull", right + "\nset Type = total force\nset Value = 8, 0, 0"));
  ASSERT_EQ(found.all.size(), 4U);
  EXPECT_EQ(found.all[0].name, "symmetry plane x = xmin");
  EXPECT_EQ(found.all[3].name, "springs");
  const double of_plane = found.all[0].force[0], of_springs = found.all[3].force[0];
  EXPECT_NEAR(of_plane + of_springs, -8., 1e-8);
  EXPECT_NEAR(found.all[1].force[1], 0., 1e-8);
  // E A / L = 50 beside 30, but for the springs' equal parts, which are no uniform pressure
  EXPECT_NEAR(of_springs, -8. * 30. / (50. + 30.), 0.1);
}

TEST_F(ReactionsProblem, AHingeCarriesNoMomentAboutItsAxis)
{
  if (Communicator(MPI_COMM_WORLD).size() > 1)
    GTEST_SKIP() << "couplings need one rank";
  const std::string hinge =
    section("Couplings / pin",
            left + "\nset Motions = x, y, z, about x, about z\nset Point = 0, 1.5, 1");
  const auto found =
    reactions(beam + hinge + section("Supports / end", right + "\nset Components = z") +
              remote(right, "1, 2, 0", "0, 0, 0", "5, 1.5, 1"));
  ASSERT_EQ(found.all.size(), 2U);
  const RunSummary::Reaction &end = found.all[0], &pin = found.all[1];
  EXPECT_EQ(pin.name, "coupling 'pin'");
  for (std::size_t d = 0; d < 3; ++d)
    EXPECT_NEAR(pin.force[d] + end.force[d] + (d == 0 ? 1. : d == 1 ? 2. : 0.), 0., 1e-7);
  expect_near(pin.point, {{0., 1.5, 1.}}, 1e-12);
  EXPECT_NEAR(pin.moment[1], 0., 1e-7);
  EXPECT_NEAR(pin.moment[2] + end.moment[2] + 5. * 2. + end.point[0] * end.force[1] -
                (end.point[1] - 1.5) * end.force[0],
              0.,
              1e-7);
}

TEST_F(ReactionsProblem, AreWrittenInLines)
{
  const auto found =
    reactions(beam + wall + load("set Boundary ids = 1", "total force", "0, 0, -2"));
  const std::string text = describe(found, ", load case 'down'");
  EXPECT_CONTAINS(
    text,
    "Force of support 'wall' on the body: (0, 0, 2), moment (0, -8, 0) about (0, 1.5, 1), load case 'down'");
  EXPECT_CONTAINS(text, "in balance within");
}
} // namespace
} // namespace strut
