// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Loads of the type 'thermal expansion'.
#include "source/solvers/state/von_mises.h"
#include "tests/plugin/problem_fixture.h"
#include "tests/plugin/text_checks.h"

namespace strut
{
namespace
{
class ThermalExpansionProblem : public ProblemTest
{
protected:
  static std::string expansion(const std::string &entries,
                               const std::string &region = "set Expression = everywhere",
                               const std::string &name   = "heat")
  {
    return section("Loads / " + name,
                   region + "\nset Type = thermal expansion\n" +
                     section("Thermal expansion", entries));
  }

  /// A plane that holds the displacement along its normal, without an image.
  static std::string held(const std::string &axis, const std::string &side = "min")
  {
    return section("Supports / " + axis + side,
                   "set Expression = abs(" + axis + " - " + axis + side + ") < tol\n" +
                     "set Components = " + axis);
  }

  struct Solution
  {
    std::vector<double> u;
    double stress; ///< the largest von Mises stress at centres of elements
  };
  static Solution solution_of(const Problem &problem)
  {
    SolidState state(problem, 1e-13);
    state.solver->solve(0);
    Solution solution{state.solver->displacement(0), 0.};
    solution.stress = largest_values(Communicator(MPI_COMM_WORLD),
                                     problem.mesh(),
                                     {problem.material(), problem.solids()},
                                     std::vector<double>(problem.mesh().n_elements, 1.),
                                     solution.u,
                                     1)
                        .corner_stress;
    return solution;
  }

  static constexpr const char *types[] = {"of the source", "hex20", "hex27", "tet4", "tet10"};
};

// A body that nothing hinders has the displacement alpha T x, and no stress. On a ring with curved
// elements, too.
TEST_F(ThermalExpansionProblem, IsFreeOfStressWhereNothingHinders)
{
  const std::string properties =
    section("Material", "set Young's modulus = 210\nset Poisson's ratio = 0.3");
  const std::string ring =
    tube_deck(2, 12, 2) + section("Symmetry", "set Planes = x = 0, y = 0, z = 0");
  for (const std::string &mesh : {ring, box_deck(4, 3, 2) + held("x") + held("y") + held("z")})
    for (const std::string type : types)
      {
        SCOPED_TRACE(type);
        if (mesh == ring && type[0] == 't')
          continue; // The source has no tetrahedra.
        const Problem &problem =
          setup(section("Mesh", "set Element type = " + type) + mesh + properties +
                expansion("set Coefficient = 1e-3\nset Temperature difference = 20"));
        const Solution found = solution_of(problem);
        const std::size_t n  = problem.mesh().n_nodes;
        for (std::size_t i = 0; i < found.u.size(); ++i)
          EXPECT_NEAR(found.u[i], 0.02 * problem.mesh().coordinates[i % 3 * n + i / 3], 1e-11);
        EXPECT_LE(found.stress, 1e-9);
      }
}

// A gradient of the temperature bends a free body without stress: u = alpha g (x z, y z, (z^2 - x^2
// - y^2) / 2), a field of quadratic elements.
TEST_F(ThermalExpansionProblem, BendsByAGradientOfTheTemperature)
{
  for (const std::string type : {"hex20", "hex27", "tet10"})
    {
      SCOPED_TRACE(type);
      const Problem &problem = setup(
        section("Mesh", "set Element type = " + type) + box_deck(4, 3, 2) + held("x") + held("y") +
        section("Supports / corner",
                "set Expression = x < tol && y < tol && z < tol\nset Components = z") +
        expansion("set Coefficient = 1e-3\nset Temperature difference = 10 * (z - zmin)"));
      const Solution found = solution_of(problem);
      const std::size_t n  = problem.mesh().n_nodes;
      for (std::size_t i = 0; i < n; ++i)
        {
          const auto &X  = problem.mesh().coordinates;
          const double x = X[i], y = X[n + i], z = X[2 * n + i];
          EXPECT_NEAR(found.u[3 * i], 0.01 * x * z, 1e-11);
          EXPECT_NEAR(found.u[3 * i + 1], 0.01 * y * z, 1e-11);
          EXPECT_NEAR(found.u[3 * i + 2], 0.005 * (z * z - x * x - y * y), 1e-11);
        }
      EXPECT_LE(found.stress, 1e-10);
    }
}

// A bar between two walls has the stress -E alpha T along it, and widens by (1 + nu) alpha T. Two
// materials in a row have one stress along it.
TEST_F(ThermalExpansionProblem, PressesABarBetweenWalls)
{
  const std::string bar =
    box_deck(4, 2, 2) + held("x") + held("x", "max") + held("y") + held("z") +
    section("Material", "set Young's modulus = 50\nset Poisson's ratio = 0.25");
  const std::string heat = "set Coefficient = 1e-3\nset Temperature difference = 8";
  const Problem &whole   = setup(bar + expansion(heat));
  const Solution found   = solution_of(whole);
  EXPECT_NEAR(found.stress, 50. * 0.008, 1e-10);
  for (std::size_t i = 0; i < whole.mesh().n_nodes; ++i)
    EXPECT_NEAR(found.u[3 * i + 1],
                1.25 * 0.008 * whole.mesh().coordinates[whole.mesh().n_nodes + i],
                1e-11);
  // With nu = 0, sides that are held, and two materials in a row: strains s / E + alpha T along the
  // bar have the mean zero, and s is one stress. Across it is -E alpha T.
  const Problem &two = setup(
    box_deck(4, 2, 2) + held("x") + held("x", "max") + held("y") + held("y", "max") + held("z") +
    held("z", "max") + section("Material", "set Young's modulus = 50\nset Poisson's ratio = 0") +
    section("Materials / stiff", "set Expression = x > 3\nset Young's modulus = 200") +
    expansion("set Coefficient = 1e-3\nset Temperature difference = 8", "set Expression = x < 3") +
    expansion("set Coefficient = 2e-3\nset Temperature difference = 8",
              "set Expression = x > 3",
              "other"));
  const double stress = (3. * 0.008 + 0.016) / (3. / 50. + 1. / 200.);
  const Solution both = solution_of(two);
  EXPECT_NEAR(both.stress, 200. * 0.016 - stress, 1e-10);
  double moved = 0.;
  for (std::size_t i = 0; i < two.mesh().n_nodes; ++i)
    if (two.mesh().coordinates[i] == 3.)
      moved = both.u[3 * i];
  EXPECT_NEAR(-Communicator(MPI_COMM_WORLD).max(-moved), 3. * (0.008 - stress / 50.), 1e-12);
}

// Poisson's ratios of their own: two halves side by side, each free to expand by the same strain.
TEST_F(ThermalExpansionProblem, TakesTheSolidsOfTheElements)
{
  const Problem &problem =
    setup(box_deck(4, 2, 2) + held("x") + held("y") + held("z") +
          section("Materials / other",
                  "set Expression = x > 2\nset Young's modulus = 7\nset Poisson's ratio = 0.1") +
          expansion("set Coefficient = 1e-3\nset Temperature difference = 20"));
  const Solution found = solution_of(problem);
  for (std::size_t i = 0; i < found.u.size(); ++i)
    EXPECT_NEAR(found.u[i],
                0.02 * problem.mesh().coordinates[i % 3 * problem.mesh().n_nodes + i / 3],
                1e-11);
  EXPECT_LE(found.stress, 1e-10);
}

TEST_F(ThermalExpansionProblem, HalfAModelHasTheForcesOfTheWhole)
{
  const std::string end = section("Supports / wall", "set Expression = x < xmin + tol");
  const auto heat       = [&](const std::string &temperature) {
    return expansion("set Coefficient = 1e-3\nset Temperature difference = " + temperature);
  };
  const double whole = compliance(setup(box_deck(4, 4, 2) + end + heat("x * (y - 2)^2")));
  const double half =
    compliance(setup(box_deck(4, 2, 2) + end + section("Symmetry", "set Planes = y = ymax") +
                     heat("x * (y - 2)^2")));
  EXPECT_NEAR(2. * half / whole, 1., 1e-9);
}

TEST_F(ThermalExpansionProblem, RefusesWhatItCannotTake)
{
  const auto refused     = [&](const std::string &rest) { return complaint(beam + wall + rest); };
  const std::string warm = "set Coefficient = 1e-3\nset Temperature difference = ";
  EXPECT_EQ(refused(expansion(warm + "20 + 5 * x - (z > 1 ? 3 : 4)")), "");
  EXPECT_CONTAINS(refused(expansion("set Coefficient = 1e-3")),
                  "No difference of temperature is given");
  EXPECT_CONTAINS(refused(expansion("set Temperature difference = 20")),
                  "No coefficient of expansion is given");
  EXPECT_CONTAINS(refused(expansion(warm + "0 * x")), "is zero everywhere");
  EXPECT_CONTAINS(refused(expansion(warm + "20,5")), "Numbers have a decimal point");
  const std::string unknown = refused(expansion(warm + "20 * r"));
  EXPECT_CONTAINS(unknown, "Loads / heat / Thermal expansion / Temperature difference");
  EXPECT_CONTAINS(unknown, "'r' is not known here");
  EXPECT_CONTAINS(refused(expansion(warm + "x > 3")), "A condition is used as a number");
  EXPECT_CONTAINS(refused(expansion(warm + "1 / (x - x)")), "no finite number");
  EXPECT_CONTAINS(refused(
                    expansion(warm + "20", "set Expression = everywhere\nset Value = 1, 0, 0")),
                  "has no value");
  EXPECT_CONTAINS(refused(section("Material", "set Element = incompatible modes") +
                          expansion(warm + "20")),
                  "is for elements with full integration");
  EXPECT_CONTAINS(refused(section("Materials / fibres",
                                  "set Expression = everywhere\nset Young's moduli = 3, 2, 1\n"
                                  "set Poisson's ratios = 0, 0, 0\nset Shear moduli = 1, 1, 1") +
                          expansion(warm + "20")),
                  "is that of isotropic solids");
}
} // namespace
} // namespace strut
