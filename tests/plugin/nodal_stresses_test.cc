// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Averages of the stress at nodes: bending, interfaces, safety factors and named points, on any
// number of ranks.
#include "tests/plugin/problem_fixture.h"

#include "plugin/deck/run/nodal_stresses.h"

namespace strut
{
namespace
{
class NodalStressProblem : public ProblemTest
{
protected:
  /// Solves the solid body, and measures it.
  /// @param counts  whether an element at a place counts
  static NodalStresses measure(
    const Problem &problem,
    const std::map<std::string, dealii::Point<3>> &points = {},
    const std::function<bool(double x)> &counts           = [](double) { return true; })
  {
    const Communicator communicator(MPI_COMM_WORLD);
    const ElementMesh &mesh = problem.mesh();
    SolidState state(problem, 1e-12);
    state.solver->solve(0);
    const std::vector<double> u = state.solver->displacement(0);
    std::vector<double> stiffness;
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      stiffness.push_back(counts(mesh.centre(e)[0]) ? 1. : 0.);
    return measure_nodal_stresses(communicator,
                                  problem,
                                  {mesh,
                                   {problem.material(), problem.solids()},
                                   stiffness,
                                   u,
                                   problem.load_cases().at(0).expansion},
                                  find_points(communicator, mesh, points),
                                  true,
                                  2);
  }

  static void expect_place(const RunSummary::ValueAt &value, const std::array<double, 3> &place)
  {
    for (std::size_t d = 0; d < 3; ++d)
      EXPECT_NEAR(value.place[d], place[d], 1e-12) << "component " << d;
  }

  /// A plane that holds the displacement along its normal.
  static std::string held(const std::string &axis, const std::string &side = "min")
  {
    return section("Supports / " + axis + side,
                   "set Expression = abs(" + axis + " - " + axis + side + ") < tol\n" +
                     "set Components = " + axis);
  }

  static constexpr const char *types[] = {"hex8", "hex20", "hex27", "tet4", "tet10"};
};

// A gradient of the temperature bends a bar whose ends are held along it. Nothing stretches, so the
// stress is -E alpha T, linear across the bar.
TEST_F(NodalStressProblem, IsThatOfBendingAtTheSurface)
{
  for (const std::string type : {"hex20", "hex27", "tet10"})
    {
      SCOPED_TRACE(type);
      const Problem &problem = setup(
        section("Mesh", "set Element type = " + type) +
        section("Mesh / Box", "set Size = 6, 1, 1\nset Elements = 6, 2, 2") +
        section("Material",
                "set Young's modulus = 100\nset Poisson's ratio = 0\nset Strength = 9") +
        held("x") + held("x", "max") +
        section("Supports / corner",
                "set Expression = x < tol && y < tol && z < tol\nset Components = y, z") +
        section("Supports / other corner",
                "set Expression = x < tol && y > ymax - tol && z < tol\nset Components = z") +
        section("Loads / heat",
                "set Expression = everywhere\nset Type = thermal expansion\n" +
                  section("Thermal expansion",
                          "set Coefficient = 0.01\nset Temperature difference = 6 * (2 * z - 1)")));
      const NodalStresses found =
        measure(problem, {{"top", {3.1, 0.4, 1.}}, {"middle", {2., 0.5, 0.5}}});
      EXPECT_NEAR(found.largest.von_mises->value, 6., 1e-9);
      EXPECT_NEAR(found.largest.largest_principal->value, 6., 1e-9);
      EXPECT_NEAR(found.largest.largest_principal->place[2], 0., 1e-12);
      EXPECT_NEAR(found.largest.least_principal->value, -6., 1e-9);
      EXPECT_NEAR(found.largest.least_principal->place[2], 1., 1e-12);
      EXPECT_NEAR(found.largest.safety_factor->value, 1.5, 1e-9);
      ASSERT_EQ(found.points.size(), 2u);
      EXPECT_EQ(found.points[1].name, "top");
      EXPECT_NEAR((*found.points[1].stress)[0], -6., 1e-8);
      for (std::size_t k = 0; k < 6; ++k)
        EXPECT_NEAR((*found.points[0].stress)[k], 0., 1e-8);
      const ElementMesh &mesh = problem.mesh();
      for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
        EXPECT_NEAR(found.field[6 * node],
                    6. - 12. * mesh.coordinates[2 * mesh.n_nodes + node],
                    1e-5);
    }
}

// A cantilever 10 x 1 x 1 under a force at its end, away from both ends: M y / I to 1 %.
TEST_F(NodalStressProblem, OfACantileverIsThatOfItsMoment)
{
  const Problem &problem =
    setup(section("Mesh", "set Element type = hex20") +
          section("Mesh / Box", "set Size = 10, 1, 1\nset Elements = 10, 2, 2") +
          section("Material", "set Young's modulus = 1000\nset Poisson's ratio = 0.3") + wall +
          load("set Boundary ids = 1", "total force", "0, 0, -1"));
  const NodalStresses found = measure(problem, {{"top", {5., 0.5, 1.}}, {"tip", {10., 0.5, 0.5}}});
  ASSERT_EQ(found.points.size(), 2u);
  EXPECT_NEAR((*found.points[1].stress)[0], 5. * 0.5 * 12., 0.01 * 30.);
  // F l^3 / (3 E I) and the deflection by shear, F l 6/5 / (G A).
  EXPECT_NEAR(found.points[0].displacement[2], -4. - 12. * 2.6 / 1000., 0.02 * 4.);
}

// Two materials side by side are stretched alike. The stress jumps, and each has its own at the
// interface.
TEST_F(NodalStressProblem, IsNotAveragedAcrossInterfaces)
{
  for (const std::string type : types)
    {
      SCOPED_TRACE(type);
      const Problem &problem = setup(
        section("Mesh", "set Element type = " + type) + box_deck(4, 2, 2) +
        section("Material",
                "set Young's modulus = 50\nset Poisson's ratio = 0\nset Strength = 20") +
        section("Materials / stiff",
                "set Expression = z > 1\nset Young's modulus = 200\nset Strength = 60") +
        held("x") + held("y") + held("z") +
        section("Supports / end",
                "set Expression = x > xmax - tol\nset Components = x\nset Displacement = 0.4"));
      const NodalStresses found =
        measure(problem, {{"soft", {2.2, 1.1, 0.99}}, {"stiff", {2.2, 1.1, 1.01}}});
      EXPECT_NEAR(found.largest.von_mises->value, 20., 1e-9);
      EXPECT_NEAR(found.largest.least_principal->value, 0., 1e-9);
      EXPECT_NEAR(found.largest.safety_factor->value, 60. / 20., 1e-9);
      EXPECT_NEAR((*found.points[0].stress)[0], 5., 1e-9);
      EXPECT_NEAR((*found.points[1].stress)[0], 20., 1e-9);
      EXPECT_NEAR(found.points[0].displacement[0], 0.22, 1e-10);
      const ElementMesh &mesh = problem.mesh();
      for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
        EXPECT_NEAR(found.field[6 * node],
                    mesh.coordinates[2 * mesh.n_nodes + node] > 0.99 ? 20. : 5.,
                    1e-5);
    }
}

// Elements that do not count, as those of void, leave the averages as they are.
TEST_F(NodalStressProblem, LeavesOutElementsThatDoNotCount)
{
  const Problem &problem = setup(
    box_deck(4, 2, 2) + section("Material", "set Young's modulus = 50\nset Poisson's ratio = 0") +
    held("x") + held("y") + held("z") +
    section("Supports / end",
            "set Expression = x > xmax - tol\nset Components = x\nset Displacement = 0.4"));
  const NodalStresses found = measure(problem,
                                      {{"solid", {1., 1., 1.}}, {"void", {3., 1., 1.5}}},
                                      [](const double x) { return x < 2.; });
  EXPECT_NEAR(found.largest.von_mises->value, 5., 1e-9);
  EXPECT_FALSE(found.largest.safety_factor);
  EXPECT_TRUE(found.points[0].stress);
  EXPECT_FALSE(found.points[1].stress);
  EXPECT_NEAR(found.points[1].displacement[0], 0.3, 1e-10);
  const ElementMesh &mesh = problem.mesh();
  for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
    EXPECT_NEAR(found.field[6 * node], mesh.coordinates[node] < 2.01 ? 5. : 0., 1e-5);
  // Nothing counts.
  EXPECT_FALSE(measure(problem, {}, [](double) { return false; }).largest.von_mises);
}

// One rank made these numbers, and tests on several ranks compare with them.
TEST_F(NodalStressProblem, HasTheSameFieldOnAnyNumberOfRanks)
{
  const Problem &problem =
    setup(section("Mesh", "set Element type = tet10") + box_deck(4, 3, 2) +
          section("Material", "set Young's modulus = 10\nset Poisson's ratio = 0.3") + wall +
          load("set Boundary ids = 1", "total force", "0, 0, -1"));
  const NodalStresses found = measure(problem);
  double sum                = 0.;
  for (std::size_t i = 0; i < found.field.size(); ++i)
    sum += (1. + double(i % 6)) * found.field[i] * found.field[i];
  sum = Communicator(MPI_COMM_WORLD).sum(sum);
  EXPECT_NEAR(found.largest.von_mises->value, 1.67274409, 1e-8);
  EXPECT_NEAR(sum, 349.8866, 1e-3); // of numbers in single precision
}

TEST_F(NodalStressProblem, RefusesPointsOutsideOfTheMesh)
{
  const Problem &problem = setup(beam);
  const Communicator communicator(MPI_COMM_WORLD);
  EXPECT_CONTAINS(
    message_of<EntryError>([&] {
      find_points(communicator, problem.mesh(), {{"far", {4.2, 1., 2.}}});
    }),
    "The point 'far' at (4.2, 1, 2) is outside of the mesh. The nearest node is at (4, 1, 2).");
  // Decks round: a thousandth of an element is allowed.
  EXPECT_EQ(find_points(communicator, problem.mesh(), {{"end", {4.0009, 1., 2.}}}).size(), 1u);
}
} // namespace
} // namespace strut
