// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Loads of the type 'remote force': a force at a point, and a moment.
#include "tests/plugin/problem_fixture.h"
#include "tests/plugin/text_checks.h"

namespace strut
{
namespace
{
class RemoteForceProblem : public ProblemTest
{
protected:
  static std::string remote(const std::string &region,
                            const std::string &force,
                            const std::string &point,
                            const std::string &moment)
  {
    return section("Loads / tip",
                   region + "\nset Type = remote force\nset Value = " + force + "\n" +
                     section("Remote force",
                             (point.empty() ? "" : "set Point = " + point + "\n") +
                               (moment.empty() ? "" : "set Moment = " + moment)));
  }

  /// The moment of all forces about a point.
  static std::array<double, 3> moment_about(const Problem &problem,
                                            const std::array<double, 3> &point)
  {
    std::array<double, 3> sums[3], moment{}; // x f_c, for each component c
    const std::array<double, 3> force = total_force(problem);
    for (unsigned int c = 0; c < 3; ++c)
      {
        sums[c] = moment_of(problem, c);
        for (unsigned int d = 0; d < 3; ++d)
          sums[c][d] -= point[d] * force[c];
      }
    for (unsigned int d = 0; d < 3; ++d)
      moment[d] = sums[(d + 2) % 3][(d + 1) % 3] - sums[(d + 1) % 3][(d + 2) % 3];
    return moment;
  }
};

TEST_F(RemoteForceProblem, HasItsForceAndItsMoment)
{
  const std::string somewhere[] = {
    "set Boundary ids = 1",                                                  // faces
    "set Expression = x > 1 && x < 3 && y < ymin + tol",                     // others, of one side
    "set Expression = y < ymin + tol && (z < zmin + tol || x > xmax - tol)", // edges, of no face
    "set Expression = x + y + z > 1 && x + y + z < 3"};                      // nodes inside
  for (const std::string type : {"of the source", "hex20", "hex27", "tet4", "tet10"})
    for (const std::string &region : somewhere)
      {
        SCOPED_TRACE(type + ", " + region);
        const Problem &problem =
          setup(section("Mesh", "set Element type = " + type) + box_deck(4, 3, 2) +
                remote(region, "3, -2, 5", "7, 1, -3", "-4, 9, 2"));
        expect_force(total_force(problem), {{3., -2., 5.}});
        const std::array<double, 3> moment = moment_about(problem, {{7., 1., -3.}});
        EXPECT_NEAR(moment[0], -4., 1e-11);
        EXPECT_NEAR(moment[1], 9., 1e-11);
        EXPECT_NEAR(moment[2], 2., 1e-11);
      }
}

TEST_F(RemoteForceProblem, IsAUniformTractionAtTheCentroid)
{
  const std::string end = "set Boundary ids = 1";
  const auto forces     = [&](const std::string &load) {
    return setup(beam + load).load_cases().at(0).forces;
  };
  const NodalForces expected = forces(load(end, "total force", "1, 2, 3")),
                    found    = forces(remote(end, "1, 2, 3", "", "")),
                    at_point = forces(remote(end, "1, 2, 3", "4, 1.5, 1", ""));
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    {
      EXPECT_NEAR(found[i], expected[i], 1e-14);
      EXPECT_NEAR(at_point[i], expected[i], 1e-14);
    }
}

// A bar that a moment bends: curvature M / (E I), and with Poisson's ratio 0 no other strain. It is
// a field of hex27, and the linear traction its stress.
TEST_F(RemoteForceProblem, BendsABarByAClosedForm)
{
  const double length = 6., height = 2., width = 1., E = 50., moment = 3.;
  const double I = width * height * height * height / 12.;
  const Problem &problem =
    setup(section("Mesh", "set Element type = hex27") +
          section("Mesh / Box", "set Size = 6, 1, 2\nset Elements = 3, 1, 2") +
          section("Material", "set Young's modulus = 50\nset Poisson's ratio = 0") +
          section("Supports / wall", "set Expression = x < xmin + tol") +
          remote("set Boundary ids = 1", "0, 0, 0", "", "0, 3, 0"));
  EXPECT_NEAR(compliance(problem) / (moment * moment * length / (E * I)), 1., 1e-9);
}

TEST_F(RemoteForceProblem, HalfAModelHasTheForcesOfTheWhole)
{
  const std::string support = section("Supports / wall", "set Expression = x < xmin + tol");
  const std::string end     = "set Boundary ids = 1";
  // a lever, and a moment that turns about the normal of the plane
  const double whole = compliance(
    setup(box_deck(4, 4, 2) + support + remote(end, "2, 0, -6", "7, 2, 1.5", "0, 8, 0")));
  const double half =
    compliance(setup(box_deck(4, 2, 2) + support + section("Symmetry", "set Planes = y = ymax") +
                     remote(end, "1, 0, -3", "7, 2, 1.5", "0, 4, 0")));
  EXPECT_NEAR(2. * half / whole, 1., 1e-9);
  const double quarter = compliance(setup(box_deck(4, 2, 1) + support +
                                          section("Symmetry", "set Planes = y = ymax, z = zmax") +
                                          remote(end, "1, 0, 0", "", "")));
  const double pulled =
    compliance(setup(box_deck(4, 4, 2) + support + remote(end, "4, 0, 0", "", "")));
  EXPECT_NEAR(4. * quarter / pulled, 1., 1e-9);

  const auto refused = [&](const std::string &force, const std::string &moment) {
    return complaint(box_deck(4, 2, 2) + support + section("Symmetry", "set Planes = y = ymax") +
                     remote(end, force, "", moment));
  };
  EXPECT_CONTAINS(refused("0, 1, 0", ""), "The force along y of a region that meets the plane");
  EXPECT_CONTAINS(refused("0, 0, 0", "1, 0, 0"), "The moment about x of a region that meets");
}

// A point that is typed as the centroid of a line is beside it by rounding.
TEST_F(RemoteForceProblem, RoundingIsNoMoment)
{
  const std::string mesh =
    section("Mesh / Box", "set Size = 0.3, 0.3, 0.3\nset Elements = 3, 3, 3") + wall;
  const std::string line = "set Expression = abs(x - 0.1) < tol && z < zmin + tol";
  EXPECT_EQ(complaint(mesh + remote(line, "0, 0, 1", "0.1, 0.15, 0", "")), "");
  EXPECT_EQ(complaint(mesh + remote(line + " && abs(y - 0.1) < tol", "1, 2, 3", "0.1, 0.1, 0", "")),
            "");
}

TEST_F(RemoteForceProblem, RefusesWhatItCannotCarry)
{
  const std::string line = "set Expression = x > xmax - tol && z < zmin + tol";
  const std::string node = line + " && y < ymin + tol";
  const auto refused     = [&](const std::string &load) { return complaint(beam + wall + load); };
  EXPECT_EQ(refused(remote(line, "1, 0, 2", "4, 9, 0", "5, 0, 0")), "");
  EXPECT_CONTAINS(refused(remote(line, "0, 0, 0", "", "1, 2, 0")), "lie on one line");
  EXPECT_CONTAINS(refused(remote(line, "0, 0, 1", "5, 1.5, 0", "")),
                  "cannot carry the moment (0, -1, 0) about their centroid (4, 1.5, 0)");
  EXPECT_EQ(refused(remote(node, "0, 0, 1", "", "")), "");
  EXPECT_CONTAINS(refused(remote(node, "0, 0, 1", "5, 0, 0", "")), "lie in one place");
  EXPECT_CONTAINS(refused(remote(line, "0, 0, 0", "", "")), "The force and the moment are zero");
  const std::string text = refused(remote(line, "1, 0, 0", "1, 2", ""));
  EXPECT_CONTAINS(text, "Loads / tip / Remote force / Point");
  EXPECT_CONTAINS(text, "2 numbers are no vector");
  EXPECT_CONTAINS(refused(remote("set Expression = x > 100", "1, 0, 0", "", "")), "no node");
  EXPECT_CONTAINS(refused(load("set Boundary ids = 1",
                               "traction",
                               "1, 0, 0\n" + section("Remote force", "set Moment = 1, 0, 0"))),
                  "knows no such entry");
}
} // namespace
} // namespace strut
