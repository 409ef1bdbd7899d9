// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Materials by region: the ratios of the elements, their table, and refusals; on any number of
// ranks.
#include "source/solvers/state/von_mises.h"
#include "tests/plugin/problem_fixture.h"

using namespace strut;

namespace
{
/// 4 x 3 x 2 unit cubes, held at x = 0 only against motion along x, and pulled by a total of 6 at x
/// = 4.
const std::string pulled = beam +
                           section("Material", "set Young's modulus = 2\nset Poisson's ratio = 0") +
                           wall + load("set Boundary ids = 1", "traction", "1, 0, 0");

std::string insert(const std::string &entries)
{
  return section("Materials / insert", entries);
}
} // namespace

// The stress is 1 in both, so the compliance is A sum L_i / E_i.
TEST_F(ProblemTest, MaterialsOfABarInTension)
{
  const Problem &problem =
    setup(pulled + insert("set Expression = x > 3\nset Young's modulus = 10\nset Mass ratio = 3"));
  const ElementMesh &mesh = problem.mesh();
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      EXPECT_EQ(problem.solids().numbers.at(0).at(e), mesh.centre(e)[0] > 3. ? 5. : 1.);
      EXPECT_EQ(problem.solids().mass_of(e), mesh.centre(e)[0] > 3. ? 3. : 1.);
    }
  EXPECT_NEAR(compliance(problem), 6. * (3. / 2. + 1. / 10.), 1e-9);
  const std::string log = problem.describe();
  EXPECT_CONTAINS(
    log,
    "  materials:\n"
    "    Young's modulus  Poisson's ratio    mass ratio      elements        volume  name\n"
    "                  2                0             1            18            18  (all others)\n"
    "                 10                0             3             6             6  insert\n");
  EXPECT_CONTAINS(log, "material 'insert' on 6 elements (where x > 3)\n    25 % of the volume");
}

// With lateral motion held everywhere, a bar has M = E (1 - nu) / ((1 + nu) (1 - 2 nu)) in place of
// E: 12 with E = 10 and nu = 0.25. A material without a ratio has that of `Material`.
TEST_F(ProblemTest, MaterialsWithPoissonRatios)
{
  const std::string held =
    pulled + section("Supports / sides", "set Expression = everywhere\nset Components = y, z");
  const Problem &problem = setup(
    held + insert("set Expression = x > 3\nset Young's modulus = 10\nset Poisson's ratio = 0.25") +
    section("Materials / other", "set Expression = x < 1\nset Young's modulus = 4"));
  const ElementMesh &mesh = problem.mesh();
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    EXPECT_EQ(problem.solids().numbers.at(1).at(e), mesh.centre(e)[0] > 3. ? 0.25 : 0.);
  EXPECT_NEAR(compliance(problem), 6. * (1. / 4. + 2. / 2. + 1. / 12.), 1e-9);
  std::vector<double> sheared(mesh.n_dofs(), 0.); // u_y = x, and sqrt(3) mu is von Mises' stress
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    sheared[3 * node + 1] = mesh.coordinates[node];
  for (std::size_t e = 0; e < mesh.n_elements; ++e) // mu is 1; 4; 2 in the others
    EXPECT_NEAR(von_mises_stress(mesh, {problem.material(), problem.solids()}, 0.5, sheared, e) /
                  std::sqrt(3.),
                mesh.centre(e)[0] > 3.   ? 2.
                : mesh.centre(e)[0] < 1. ? 1.
                                         : 0.5,
                1e-14);
  EXPECT_EQ(setup(held + insert("set Expression = x > 3\nset Poisson's ratio = 0")).solids().law,
            Law::factor);
  EXPECT_CONTAINS(
    setup(pulled + insert("set Expression = x > 3\nset Poisson's ratio = 0.495")).describe(),
    "NOTE: Poisson's ratio is near 0.5");
}

// Without the entry a solid has the stiffness of `Material`. One material for the whole mesh gives
// the same.
TEST_F(ProblemTest, MaterialsThatAreTheWholeMesh)
{
  const double expected = compliance(setup(pulled));
  EXPECT_NEAR(compliance(setup(pulled + insert("set Expression = everywhere"))),
              expected,
              1e-12 * expected);
  EXPECT_NEAR(compliance(
                setup(pulled + insert("set Expression = everywhere\nset Young's modulus = 8\n"
                                      "set Poisson's ratio = 0"))),
              expected / 4.,
              1e-12 * expected);
  EXPECT_TRUE(setup(pulled).solids().empty());
  EXPECT_LACKS(setup(pulled).describe(), "materials:");
}

// A weight is given for the solid of `Material`; a body force does not depend on the material.
TEST_F(ProblemTest, MaterialsHaveTheirWeight)
{
  const std::string heavy = insert("set Expression = x > 3\nset Mass ratio = 3");
  const Problem &weight =
    setup(beam + wall + load("set Expression = everywhere", "self weight", "0, 0, -2") + heavy);
  const ElementMesh &mesh   = weight.mesh();
  const LoadCase &load_case = weight.load_cases().at(0);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    EXPECT_EQ(load_case.weights[2 * mesh.n_elements + e], mesh.centre(e)[0] > 3. ? -6. : -2.);
  const std::string log = weight.describe();
  EXPECT_CONTAINS(log, "force in all (0, 0, -72) if all of it is solid"); // 2 (18 + 3 6)
  EXPECT_NEAR(total_force(setup(beam + wall +
                                load("set Expression = everywhere", "body force", "0, 0, -2") +
                                heavy))[2],
              -48.,
              1e-12);
}

TEST_F(ProblemTest, MaterialsThatAreRefused)
{
  for (const std::string element :
       {"Element = incompatible modes", "Volumetric integration = mean"})
    {
      const std::string text =
        complaint(pulled + section("Material", "set " + element) +
                  insert("set Expression = x > 3\nset Poisson's ratio = 0.2"));
      EXPECT_CONTAINS(text,
                      "Materials / insert / Poisson's ratio = 0.2\n  'Material' has '" + element +
                        "', whose elements have one Poisson's ratio, that of 'Material', 0.\n"
                        "  Leave that out of 'Material', or this entry here.");
    }
  EXPECT_CONTAINS(complaint(pulled + insert("set Expression = x > 3\nset Poisson's ratio = a")),
                  "'a' is no number.\n  Give one between -1 and 0.5, or leave this entry out");
  for (const char *ratio : {"-1", "0.5", "nan"})
    EXPECT_CONTAINS(complaint(pulled + insert("set Expression = x > 3\nset Poisson's ratio = " +
                                              std::string(ratio))),
                    "Poisson's ratio")
      << ratio;
  for (const char *modulus : {"-1", "1e-9", "1e9"})
    EXPECT_CONTAINS(complaint(pulled + insert("set Expression = x > 3\nset Young's modulus = " +
                                              std::string(modulus))),
                    "Young's modulus must be a positive number, and at most a million times as")
      << modulus;
  for (const char *ratio : {"-1", "0", "1e9"})
    EXPECT_CONTAINS(complaint(pulled + insert("set Expression = x > 3\nset Mass ratio = " +
                                              std::string(ratio))),
                    "It must be a number between 1e-6 and 1e6.")
      << ratio;
  const std::string overlap =
    complaint(pulled + insert("set Expression = x > 3") +
              section("Materials / pad", "set Expression = x > 2 && y < 1 && z < 1"));
  EXPECT_CONTAINS(overlap,
                  "Materials / pad\n  The region shares elements with the material 'insert': one "
                  "has its centre at (3.5 0.5 0.5).\n  Let the regions of materials not overlap.");
  const std::string nothing = complaint(pulled + insert("set Expression = x > 5"));
  EXPECT_CONTAINS(nothing, "Materials / insert / Expression = x > 5");
}
