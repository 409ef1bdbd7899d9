// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Regions of decks that move as rigid bodies: the subsection `Couplings`.
#include "tests/plugin/problem_fixture.h"
#include "tests/plugin/text_checks.h"

namespace strut
{
namespace
{
class CouplingProblem : public ProblemTest
{
protected:
  void SetUp() override
  {
    ProblemTest::SetUp();
    if (Communicator(MPI_COMM_WORLD).size() > 1)
      {
        EXPECT_CONTAINS(complaint(bar() + wall + coupling("plate", right)),
                        "Couplings work on one rank alone");
        GTEST_SKIP() << "couplings need one rank";
      }
  }

  static std::string coupling(const std::string &name,
                              const std::string &region,
                              const std::string &motions = "",
                              const std::string &values  = "",
                              const std::string &point   = "")
  {
    return section("Couplings / " + name,
                   region + (motions.empty() ? "" : "\nset Motions = " + motions) +
                     (values.empty() ? "" : "\nset Values = " + values) +
                     (point.empty() ? "" : "\nset Point = " + point));
  }

  static std::string remote(const std::string &name,
                            const std::string &region,
                            const std::string &force,
                            const std::string &moment = "0, 0, 0",
                            const std::string &point  = "")
  {
    return section("Loads / " + name,
                   region + "\nset Type = remote force\nset Value = " + force + "\n" +
                     section("Remote force",
                             "set Moment = " + moment +
                               (point.empty() ? "" : "\nset Point = " + point)));
  }

  /// A bar along x with Poisson's ratio 0, whose quadratic elements bend by the closed form: its
  /// sections stay plane.
  static std::string bar(const std::string &type = "hex20")
  {
    return section("Mesh", "set Element type = " + type) +
           section("Mesh / Box", "set Size = 6, 1, 2\nset Elements = 3, 2, 2") +
           section("Material", "set Young's modulus = 50\nset Poisson's ratio = 0");
  }
  static constexpr double E = 50., I = 8. / 12.,
                          length = 6.; ///< The second moment of area is about y.

  const std::string left  = "set Expression = x < xmin + tol",
                    right = "set Expression = x > xmax - tol";
  /// The left end is held.
  const std::string wall = section("Supports / wall", left);
  /// A part of the right end.
  const std::string corner = "set Expression = x > xmax - tol && y < ymin + 0.6 && z < zmin + 1.1";
};

// The plate turns as a whole, wherever on it the forces act that make the moment.
TEST_F(CouplingProblem, ARigidPlateCarriesAMomentByAClosedForm)
{
  for (const std::string type : {"hex20", "hex27", "tet10"})
    {
      SCOPED_TRACE(type);
      const Problem &problem = setup(bar(type) + wall + coupling("plate", right) +
                                     remote("tip", corner, "0, 0, 0", "0, 3, 0"));
      EXPECT_NEAR(compliance(problem) / (9. * length / (E * I)), 1., 1e-9);
    }
}

// A force beside the bar bends and twists: the region takes its arm.
TEST_F(CouplingProblem, AForceOnARigidRegionActsAtItsPoint)
{
  const auto of =
    [&](const std::string &region, const std::string &force, const std::string &moment) {
      return compliance(setup(bar() + wall + coupling("plate", right) +
                              remote("tip", region, force, moment, "6, 0.5, 1")));
    };
  const double at_plate = of(right, "1, -2, 3", "2, 1, -4");
  EXPECT_NEAR(of(corner, "1, -2, 3", "2, 1, -4") / at_plate, 1., 1e-9);
}

// Held in all motions, a plate is a clamp.
TEST_F(CouplingProblem, ARegionWithoutMotionsIsHeld)
{
  const std::string load = remote("tip", right, "1, -2, 3");
  const double clamped   = compliance(setup(beam + wall + load));
  const Problem &problem =
    setup(beam + coupling("root", left, "x, y, z, about x, about y, about z") + load);
  EXPECT_TRUE(problem.mesh().dependent.empty());
  EXPECT_NEAR(compliance(problem) / clamped, 1., 1e-9);
}

// A bar on two hinges, bent by moments at its ends: both turn by M L / (2 E I).
TEST_F(CouplingProblem, AHingeLeavesARotation)
{
  const Problem &problem = setup(
    bar() + coupling("left", left, "x, y, z, about x, about z") + coupling("right", right, "z, y") +
    remote("first", left, "0, 0, 0", "0, -3, 0") + remote("second", right, "0, 0, 0", "0, 3, 0"));
  EXPECT_NEAR(compliance(problem) / (9. * length / (E * I)), 1., 1e-9);
}

// The right end is turned and free to move, so that no shear force bends the bar: its curvature is
// the angle by the length.
TEST_F(CouplingProblem, AMotionCanBePrescribed)
{
  const double angle     = 0.01;
  const Problem &problem = setup(bar() + wall + coupling("plate", right, "about y", "0.01"));
  problem.check_well_posed();
  SolidState state(problem, 1e-12);
  state.solver->solve(0);
  const auto &mesh            = problem.mesh();
  const std::vector<double> u = state.solver->displacement(0);
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    {
      const double x = mesh.coordinates[node], z = mesh.coordinates[2 * mesh.n_nodes + node];
      EXPECT_NEAR(u[3 * node], angle * x / length * (z - 1.), 1e-9);
      EXPECT_NEAR(u[3 * node + 2], -angle * x * x / (2. * length), 1e-9);
    }
}

// The bar and the springs of its plate carry the force together.
TEST_F(CouplingProblem, SpringsHoldARigidPlate)
{
  const double k         = 20.; // the bar has E A / L = 50 * 2 / 6
  const Problem &problem = setup(bar() + wall + coupling("plate", right) +
                                 section("Springs / ground", right + "\nset Stiffness = 20, 0, 0") +
                                 remote("tip", corner, "5, 0, 0", "0, 0, 0", "6, 0.5, 1"));
  EXPECT_NEAR(compliance(problem) / (25. / (k + E * 2. / length)), 1., 1e-9);
}

TEST_F(CouplingProblem, HalfAModelMovesAsTheWhole)
{
  const std::string end = right;
  const double whole    = compliance(setup(box_deck(4, 4, 2) + wall + coupling("plate", end) +
                                        remote("tip", end, "2, 0, -6", "0, 8, 0")));
  const double half     = compliance(
    setup(box_deck(4, 2, 2) + wall + section("Symmetry", "set Planes = y = ymax") +
          coupling("plate", end) + remote("tip", end, "1, 0, -3", "0, 4, 0", "4, 2, 1")));
  EXPECT_NEAR(2. * half / whole, 1., 1e-9);
}

TEST_F(CouplingProblem, RefusesWhatIsNoRigidRegion)
{
  const auto refused = [&](const std::string &more) { return complaint(beam + wall + more); };
  EXPECT_CONTAINS(refused(coupling("a", right) + coupling("b", "set Expression = x > 2.9")),
                  "is one of coupling 'a', too");
  EXPECT_CONTAINS(
    refused(coupling("a", "set Expression = x > xmax - tol && y > ymax - tol && z > zmax - tol")),
    "The region has one node");
  EXPECT_CONTAINS(refused(coupling("a", "set Expression = x > 9")), "holds no node of the mesh");
  EXPECT_CONTAINS(refused(coupling("a", right, "x, z", "1, 2, 3")), "3 values for 2 motions");
  EXPECT_CONTAINS(refused(coupling("a", right, "", "0.1")), "no motion has one");
  EXPECT_CONTAINS(refused(coupling("a", right, "x, x", "1, 2")), "is there twice");
  EXPECT_CONTAINS(
    refused(coupling("a", "set Expression = x > xmax - tol && z > zmax - tol", "about y", "0.1")),
    "on a line, and the motion about y");
  EXPECT_CONTAINS(refused(coupling("a", right, "x", "1", "0, 0")), "2 numbers are no point");
  EXPECT_CONTAINS(
    refused(coupling("a", "set Expression = x < 1.1", "x", "1")),
    "is that of no rigid motion which the motions of the coupling and the other supports leave");
  EXPECT_CONTAINS(refused(section("Symmetry", "set Planes = y = ymax") +
                          coupling("a", right, "y", "0.1")),
                  "is not symmetric to a plane of symmetry");
}
} // namespace
} // namespace strut
