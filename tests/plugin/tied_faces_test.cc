// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "tests/plugin/problem_fixture.h"
#include "tests/plugin/touching_blocks.h"

namespace strut
{
namespace
{
using test::Block;
using test::blocks_deck;
using test::tie;

using Matrix = std::array<std::array<double, 3>, 3>;

const std::string material =
  section("Material", "set Young's modulus = 1\nset Poisson's ratio = 0.3");

/// Two cubes with 2 x 2 and 3 x 3 faces where they touch.
const std::vector<Block> cubes = {{{{0, 0, 0}}, {{2, 2, 2}}, {{2, 2, 2}}},
                                  {{{2, 0, 0}}, {{2, 2, 2}}, {{2, 3, 3}}}};

std::string point(const std::string &name, const std::string &where, const std::string &components)
{
  return section("Supports / " + name,
                 "set Expression = " + where + "\nset Components = " + components);
}

/// Supports of three nodes that cause no stress.
const std::string three_nodes = point("a", "x < tol && y < tol && z < tol", "x, y, z") +
                                point("b", "x < tol && y > 2 - tol && z < tol", "x, z") +
                                point("c", "x < tol && y < tol && z > 2 - tol", "x");

/// The tractions that balance a constant stress on all six ends.
std::string tractions(const Matrix &stress)
{
  std::string text;
  for (unsigned int f = 0; f < 6; ++f)
    {
      std::ostringstream entries;
      entries << "set Boundary ids = " << f + 1 << "\nset Type = traction\nset Value = ";
      for (unsigned int d = 0; d < 3; ++d)
        entries << (d > 0 ? ", " : "") << (f % 2 == 0 ? -1. : 1.) * stress[d][f / 2];
      text += section("Loads / f" + std::to_string(f), entries.str());
    }
  return text;
}

class TiedFacesTest : public ProblemTest
{
protected:
  /// Expects that displacements are the matrix times the place.
  void expect_linear(const std::string &deck, const Matrix &gradient)
  {
    const Problem &problem = setup(deck);
    problem.check_well_posed();
    EXPECT_FALSE(problem.mesh().dependent.empty());
    SolidState state(problem, 1e-14);
    state.solver->solve(0);
    const std::vector<double> u = state.solver->displacement(0);
    const ElementMesh &mesh     = problem.mesh();
    double error                = 0.;
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      for (unsigned int c = 0; c < 3; ++c)
        {
          double exact = 0.;
          for (unsigned int d = 0; d < 3; ++d)
            exact += gradient[c][d] * mesh.coordinates[d * mesh.n_nodes + node];
          error = std::max(error, std::abs(u[3 * node + c] - exact));
        }
    EXPECT_LT(error, 1e-11) << "of displacements up to 10"; // 1e-12 of the largest
  }
};

/// All six constant stresses. Weights from the closest points of the other side would fail here.
TEST_F(TiedFacesTest, PassTheirPatchTest)
{
  const double nu = 0.3, shear = 2. * (1. + nu);
  for (unsigned int k = 0; k < 6; ++k)
    {
      Matrix stress{}, gradient{};
      if (k < 3)
        {
          stress[k][k] = 1.;
          for (unsigned int d = 0; d < 3; ++d)
            gradient[d][d] = d == k ? 1. : -nu;
        }
      else
        {
          const std::array<unsigned int, 2> moving = k == 3   ? std::array<unsigned int, 2>{{1, 0}}
                                                     : k == 4 ? std::array<unsigned int, 2>{{2, 0}}
                                                              : std::array<unsigned int, 2>{{1, 2}};
          stress[moving[0]][moving[1]] = stress[moving[1]][moving[0]] = 1.;
          gradient[moving[0]][moving[1]]                              = shear;
        }
      for (const std::string &entries :
           {tie, tie + test::merge_nodes, tie + "set Refinements = 1\n"})
        expect_linear(blocks_deck(cubes, entries) + material + three_nodes + tractions(stress),
                      gradient);
    }
}

/// Nodes of both sides are on planes of symmetry, where they are held.
TEST_F(TiedFacesTest, PassItWithHeldNodes)
{
  Matrix stress{}, gradient{};
  stress[0][0]   = 1.;
  gradient[0][0] = 1.;
  gradient[1][1] = gradient[2][2] = -0.3;
  expect_linear(blocks_deck(cubes, tie) + material +
                  section("Symmetry", "set Planes = x = xmin, y = ymin, z = zmin") +
                  section("Loads / end",
                          "set Boundary ids = 2\nset Type = traction\nset Value = 1, 0, 0"),
                gradient);
}

TEST_F(TiedFacesTest, RowsKeepLinearDisplacements)
{
  const std::vector<std::vector<Block>> assemblies = {
    cubes,
    // a foot on a plate; blocks that overlap in part; three around an edge
    {{{{0, 0, 0}}, {{6, 6, 1}}, {{5, 5, 1}}}, {{{1, 2, 1}}, {{2, 3, 2}}, {{3, 2, 1}}}},
    {{{{0, 0, 0}}, {{2, 2, 2}}, {{2, 3, 2}}}, {{{2, 0.7, -0.9}}, {{2, 2, 2}}, {{1, 2, 2}}}},
    {{{{0, 0, 0}}, {{4, 2, 2}}, {{3, 2, 2}}},
     {{{0, 0, 2}}, {{2, 2, 2}}, {{2, 3, 3}}},
     {{{2, 0, 2}}, {{2, 2, 2}}, {{2, 2, 2}}}}};
  for (const std::vector<Block> &blocks : assemblies)
    {
      const Problem &problem  = setup(blocks_deck(blocks, tie) + test::clamp);
      const ElementMesh &mesh = problem.mesh();
      const AffineRows &rows  = mesh.dependent;
      EXPECT_GT(rows.dofs.size(), 12u);
      std::vector<bool> is_held(mesh.n_dofs(), false), has_row(mesh.n_dofs(), false);
      for (const LocalIndex dof : mesh.constrained_dofs)
        is_held[dof] = true;
      for (const LocalIndex dof : rows.dofs)
        has_row[dof] = true;
      for (std::size_t k = 0; k < rows.dofs.size(); ++k)
        {
          EXPECT_FALSE(is_held[rows.dofs[k]]);
          bool is_whole = true;
          std::array<double, 4> sums{};
          for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
            {
              EXPECT_FALSE(is_held[rows.masters[j]] || has_row[rows.masters[j]]);
              sums[3] += rows.weights[j];
              for (unsigned int d = 0; d < 3; ++d)
                sums[d] +=
                  rows.weights[j] * mesh.coordinates[d * mesh.n_nodes + rows.masters[j] / 3];
            }
          is_whole = std::abs(sums[3] - 1.) < 1e-12; // held masters have dropped out otherwise
          for (unsigned int d = 0; is_whole && d < 3; ++d)
            EXPECT_NEAR(sums[d], mesh.coordinates[d * mesh.n_nodes + rows.dofs[k] / 3], 1e-11);
        }
    }
}

/// 5 x 5 on 6 x 6 faces: as stiff as the matching mesh, 25.68. With only the four common corners it
/// would be 54.75.
TEST_F(TiedFacesTest, BeamsOfTwoMeshesAreAsStiffAsOfOne)
{
  const Block left = {{{0, 0, 0}}, {{20, 10, 10}}, {{10, 5, 5}}};
  const auto with  = [&](const unsigned int n, const std::string &entries) {
    const Problem &problem =
      setup(blocks_deck({left, {{{20, 0, 0}}, {{20, 10, 10}}, {{12, n, n}}}}, entries) + material +
            test::clamp + test::end_load);
    problem.check_well_posed();
    return compliance(problem);
  };
  const double matching = with(5, test::merge_nodes);
  EXPECT_NEAR(matching, 25.6788, 1e-3);
  EXPECT_NEAR(with(5, tie), matching, 1e-8 * matching);
  EXPECT_NEAR(with(6, tie), matching, 0.01 * matching);
  EXPECT_NEAR(with(6, tie + test::merge_nodes), with(6, tie), 1e-8 * matching);
}
} // namespace
} // namespace strut
