// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Supports along normals of faces and about axes.
#include "tests/plugin/problem_fixture.h"
#include "tests/plugin/text_checks.h"

#include <cmath>
#include <sstream>

namespace strut
{
namespace
{
using Vector = std::array<double, 3>;

class ObliqueSupports : public ProblemTest
{
protected:
  void SetUp() override
  {
    ProblemTest::SetUp();
    write("tilted.msh", tilted_box());
  }

  static std::string
  support(const std::string &name, const std::string &region, const std::string &entries)
  {
    return section("Supports / " + name, region + "\nset Components = " + entries);
  }

  /// Turns a vector about z, then about x.
  static Vector turned(const Vector &x)
  {
    const double a = 0.6, b = 1.1;
    const Vector y{
      {std::cos(a) * x[0] - std::sin(a) * x[1], std::sin(a) * x[0] + std::cos(a) * x[1], x[2]}};
    return {
      {y[0], std::cos(b) * y[1] - std::sin(b) * y[2], std::sin(b) * y[1] + std::cos(b) * y[2]}};
  }

  static std::string text_of(const Vector &x, const std::string &separator)
  {
    std::ostringstream text;
    text.precision(17);
    text << x[0] << separator << x[1] << separator << x[2];
    return text.str();
  }

  /// The box of box_deck(2, 1, 1), turned, in format 2.2 of Gmsh. Its faces have deal.II's numbers.
  static std::string tilted_box()
  {
    const auto node = [](const int i, const int j, const int k) { return 1 + i + 3 * j + 6 * k; };
    std::ostringstream text, faces;
    text << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n12\n";
    for (int n = 0; n < 12; ++n)
      text << n + 1 << ' '
           << text_of(turned({{double(n % 3), double(n / 3 % 2), double(n / 6)}}), " ") << '\n';
    int n_elements     = 0;
    const auto element = [&](const int type, const int id, const std::vector<int> &nodes) {
      faces << ++n_elements << ' ' << type << " 2 " << id << ' ' << id;
      for (const int one : nodes)
        faces << ' ' << one;
      faces << '\n';
    };
    for (int end = 0; end < 2; ++end)
      element(3,
              end,
              {node(2 * end, 0, 0), node(2 * end, 1, 0), node(2 * end, 1, 1), node(2 * end, 0, 1)});
    for (int i = 0; i < 2; ++i)
      for (int side = 0; side < 2; ++side)
        {
          element(3,
                  2 + side,
                  {node(i, side, 0), node(i + 1, side, 0), node(i + 1, side, 1), node(i, side, 1)});
          element(3,
                  4 + side,
                  {node(i, 0, side), node(i + 1, 0, side), node(i + 1, 1, side), node(i, 1, side)});
        }
    for (int i = 0; i < 2; ++i)
      element(5,
              9,
              {node(i, 0, 0),
               node(i + 1, 0, 0),
               node(i + 1, 1, 0),
               node(i, 1, 0),
               node(i, 0, 1),
               node(i + 1, 0, 1),
               node(i + 1, 1, 1),
               node(i, 1, 1)});
    text << "$EndNodes\n$Elements\n" << n_elements << '\n' << faces.str() << "$EndElements\n";
    return text.str();
  }

  static std::string id(const int face)
  {
    return "set Boundary ids = " + std::to_string(face);
  }

  /// The box, upright or tilted, refined, with a force on its right end.
  static std::string body(const bool tilted)
  {
    const Vector force{{1., -2., 3.}};
    return (tilted ? section("Mesh", "set Type = file") +
                       section("Mesh / File", "set File name = tilted.msh\nset Refinements = 2")
                   : section("Mesh / Box", "set Size = 2, 1, 1\nset Elements = 8, 4, 4")) +
           section("Material", "set Young's modulus = 10\nset Poisson's ratio = 0.3") +
           section("Loads / pull",
                   id(1) + "\nset Type = total force\nset Value = " +
                     text_of(tilted ? turned(force) : force, ", "));
  }

  /// Iterations of conjugate gradients with multigrid.
  static unsigned int iterations(const Problem &problem)
  {
    TimingTable timing;
    const auto backend = make_cpu_backend(1);
    StateSettings settings;
    settings.control.tolerance   = 1e-8;
    settings.preconditioner.name = "multigrid";
    const auto solver =
      make_state_solver({*backend, Communicator(MPI_COMM_WORLD), timing},
                        {problem.mesh(), problem.material(), problem.hierarchy(), problem.solids()},
                        problem.load_cases(),
                        settings);
    solver->set_stiffness(
      Array<double>(backend->memory(), std::vector<double>(problem.mesh().n_elements, 1.)));
    return solver->solve(0).iterations;
  }
};

// A body that is turned with its supports and loads deforms as before.
TEST_F(ObliqueSupports, ATiltedBodyDeformsAsTheUprightOne)
{
  const std::string rollers = support("left", id(0), "x") + support("front", id(2), "y") +
                              support("bottom", id(4), "z"),
                    slides = support("left", id(0), "normal") + support("front", id(2), "normal") +
                             support("bottom", id(4), "normal"),
                    moved = "\nset Displacement = ";
  EXPECT_NEAR(compliance(setup(body(true) + slides)) / compliance(setup(body(false) + rollers)),
              1.,
              1e-9);
  const auto pushed = [&](const bool tilted) {
    return compliance(
      setup(body(tilted) +
            support("left", id(0), (tilted ? "normal" : "x") + moved + (tilted ? "0.3" : "-0.3")) +
            support("front", id(2), tilted ? "normal" : "y") +
            support("bottom", id(4), tilted ? "normal" : "z")));
  };
  EXPECT_NEAR(pushed(true) / pushed(false), 1., 1e-9);
}

// The coarser levels slide, too.
TEST_F(ObliqueSupports, IterationsAreThoseOfTheUprightBody)
{
  if (Communicator(MPI_COMM_WORLD).size() > 1)
    GTEST_SKIP() << "on several ranks the coarser levels do not know oblique supports";
  const unsigned int upright = iterations(setup(body(false) + support("left", id(0), "x") +
                                                  support("front", id(2), "y") +
                                                  support("bottom", id(4), "z"),
                                                true)),
                     tilted  = iterations(setup(body(true) + support("left", id(0), "normal") +
                                                 support("front", id(2), "normal") +
                                                 support("bottom", id(4), "normal"),
                                               true));
  EXPECT_LE(tilted, upright + 1);
}

// A support that names several faces has the normals of each, and faces along the coordinates
// leave no equations.
TEST_F(ObliqueSupports, NormalsAreThoseOfEachFace)
{
  const std::string corner = "set Boundary ids = 0, 2, 4";
  for (const std::string type : {"of the source", "hex20", "hex27", "tet4", "tet10"})
    {
      SCOPED_TRACE(type);
      const std::string mesh = section("Mesh", "set Element type = " + type) + body(false);
      const double expected =
        compliance(setup(mesh + support("left", id(0), "x") + support("front", id(2), "y") +
                         support("bottom", id(4), "z")));
      const Problem &problem = setup(mesh + support("corner", corner, "normal"));
      EXPECT_TRUE(problem.mesh().dependent.empty());
      EXPECT_NEAR(compliance(problem) / expected, 1., 1e-9);
    }
}

// The outside of a tube that is widened within does not turn, by symmetry.
TEST_F(ObliqueSupports, ATubeSlidesInItsBore)
{
  for (const std::string type : {"of the source", "hex20", "hex27"})
    {
      SCOPED_TRACE(type);
      const std::string tube =
        section("Mesh", "set Element type = " + type) + tube_deck(2, 12, 2) +
        section("Loads / pressure",
                "set Boundary ids = 0\nset Type = pressure\nset Value = 1, 0, 0") +
        support("end", "set Boundary ids = 2", "z") +
        support("turn", "set Boundary ids = 2\nset Expression = x > xmax - tol", "y");
      const auto with = [&](const std::string &entries) {
        return compliance(setup(tube + support("outside", "set Boundary ids = 1", entries)));
      };
      const double held = with("x, y");
      EXPECT_NEAR(with("normal") / held, 1., 1e-9);
      EXPECT_NEAR(with("radial\nset Axis = 0, 0, 2") / held, 1., 1e-9);
      // Turned as a whole it keeps its shape.
      EXPECT_NEAR(with("radial, tangential\nset Displacement = 0, 0\nset Axis = 0, 0, 1") / held,
                  1.,
                  1e-9);
    }
}

TEST_F(ObliqueSupports, RefusesWhatHasNoDirection)
{
  const auto refused = [&](const std::string &entries, const std::string &region) {
    return complaint(body(true) + support("s", region, entries));
  };
  EXPECT_CONTAINS(refused("radial", id(0)), "need the direction of an axis");
  EXPECT_CONTAINS(refused("x\nset Axis = 1, 0, 0", id(0)), "have no axis");
  EXPECT_CONTAINS(refused("axial\nset Axis = 1, 0, 0\nset Point = 1", id(0)),
                  "1 numbers are no point");
  EXPECT_CONTAINS(refused("normal", "set Expression = everywhere"), "has no normal");
  EXPECT_CONTAINS(complaint(tube_deck(2, 12, 2) + section("Loads / pull", id(3)) +
                            support("s", id(2), "radial\nset Axis = 0, 0, 1\nset Point = 1, 0, 0")),
                  "is on the axis");
  EXPECT_CONTAINS(complaint(body(true) + support("a", id(0), "normal\nset Displacement = 0.1") +
                            support("b", id(0), "normal\nset Displacement = 0.2")),
                  "contradict each other");
}
} // namespace
} // namespace strut
