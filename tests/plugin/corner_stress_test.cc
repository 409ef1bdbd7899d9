// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The largest stress of a load case at corners of elements, which include the bending that centres
// miss.
#include "tests/plugin/problem_fixture.h"

#include "source/solvers/state/von_mises.h"
#include "tests/fixtures/box_mesh.h"

using namespace strut;

namespace
{
/// Displacements of the nodes of a box. @param u_at  displacement as a function of the place
template <typename Function>
std::vector<double> displacements(const test::BoxMesh &box, const Function &u_at)
{
  std::vector<double> u;
  for (std::size_t n = 0; n < box.mesh.n_nodes; ++n)
    {
      std::array<double, 3> x{};
      for (std::size_t d = 0; d < 3; ++d)
        x[d] = box.mesh.coordinates[d * box.mesh.n_nodes + n];
      for (const double component : u_at(x))
        u.push_back(component);
    }
  return u;
}

const std::vector<Material> kinds_of_elements = {{3., 0.3, Formulation::full_integration},
                                                 {3., 0.3, Formulation::incompatible_modes},
                                                 {3., 0.3, Formulation::mean_dilatation}};

/// A cantilever 20 x 4 x 1 with the force 1 at its tip. The stress at the wall is 30, and 29.6 at
/// the middle of the elements there.
std::string thin_plate(const unsigned int n_layers, const std::string &element)
{
  return section("Mesh / Box",
                 "set Size = 20, 4, 1\nset Elements = 40, 4, " + std::to_string(n_layers)) +
         section("Material",
                 "set Young's modulus = 1000\nset Poisson's ratio = 0\nset Element = " + element) +
         wall + load("set Boundary ids = 1", "total force", "0, 0, -1");
}
} // namespace

// A constant stress is the same at the centre and at all corners, in elements of any shape.
TEST(CornerStress, IsThatOfTheCentreWhereItIsConstant)
{
  const test::BoxMesh box = test::make_box(test::BoxOptions::wild({{3, 2, 2}}, 4));
  const auto u            = displacements(box, [](const auto &x) {
    return std::array<double, 3>{
      {0.3 * x[0] - 0.2 * x[1] + x[2], 0.5 * x[1] + 0.1 * x[0], x[0] - 0.7 * x[2]}};
  });
  for (const Material &material : kinds_of_elements)
    for (std::size_t e = 0; e < box.mesh.n_elements; ++e)
      {
        const double at_centre = von_mises_stress(box.mesh, material, 0.5, u, e);
        EXPECT_GT(at_centre, 0.1);
        EXPECT_NEAR(largest_corner_stress(box.mesh, material, 0.5, u, e),
                    at_centre,
                    1e-12 * at_centre);
      }
}

// A plate of one layer in pure bending, whose thickness varies around its boundary. The stress is E
// z at the surface, and zero at the centre.
TEST(CornerStress, OfIncompatibleModesIsExactInBending)
{
  test::BoxOptions options = test::BoxOptions::regular({{3, 2, 1}});
  options.size             = {{4., 2., 0.5}};
  const test::BoxMesh box  = test::make_box(options);
  const Material &material = kinds_of_elements[1];
  const double nu          = material.poisson_ratio;
  const auto u             = displacements(box, [nu](const auto &place) {
    const double x = place[0], y = place[1], z = place[2] - 0.25;
    return std::array<double, 3>{{x * z, -nu * y * z, -0.5 * (x * x + nu * (z * z - y * y))}};
  });
  for (std::size_t e = 0; e < box.mesh.n_elements; ++e)
    {
      EXPECT_NEAR(largest_corner_stress(box.mesh, material, 1., u, e), 3. * 0.25, 1e-12);
      EXPECT_NEAR(von_mises_stress(box.mesh, material, 1., u, e), 0., 1e-12);
    }
}

TEST_F(ProblemTest, TheLargestStressHasTheBendingOfAPlateOfOneLayer)
{
  for (const unsigned int n_layers : {1u, 2u})
    {
      Problem &problem = setup(thin_plate(n_layers, "incompatible modes"));
      SolidState state(problem, 1e-10);
      state.solver->solve(0);
      const std::vector<double> solid(problem.mesh().n_elements, 1.);
      const LargestValues largest = largest_values(Communicator(MPI_COMM_WORLD),
                                                   problem.mesh(),
                                                   {problem.material(), problem.solids()},
                                                   solid,
                                                   state.solver->displacement(0),
                                                   1);
      EXPECT_NEAR(largest.corner_stress, 29.8, 0.3) << n_layers;
      EXPECT_NEAR(largest.stress, n_layers == 1 ? 0.43 : 14.8, 0.1) << n_layers;
    }
}

TEST_F(ProblemTest, WallsWithFewerThanFourLayersAreNotedForStresses)
{
  const auto note_of = [&](const unsigned int n_layers, const std::string &more = "") {
    return setup(thin_plate(n_layers, "incompatible modes") + more).note_on_layers();
  };
  EXPECT_CONTAINS(note_of(1), "has 1 layer of elements, whose centres have none");
  EXPECT_CONTAINS(note_of(2), "has 2 layers of elements, whose centres have half");
  EXPECT_CONTAINS(note_of(3), "has 3 layers of elements, whose centres have two thirds");
  EXPECT_EQ(note_of(4), "");
  // the other half of the wall is behind the plane; a slice is not a wall
  EXPECT_CONTAINS(note_of(1, section("Symmetry", "set Planes = z = zmin")), "has 2 layers");
  EXPECT_EQ(note_of(2, section("Symmetry", "set Planes = z = zmin")), "");
  EXPECT_EQ(note_of(1, section("Symmetry", "set Planes = z = zmin, z = zmax")), "");
  // four after two refinements
  EXPECT_CONTAINS(note_of(1, section("Mesh", "set Additional refinements = 1")), "has 2 layers");
  EXPECT_EQ(note_of(1, section("Mesh", "set Additional refinements = 2")), "");
}
