// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Lame's parameters by cell, compared with the matrices that an application assembles.
#include "tests/plugin/two_layers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

namespace strut::test
{
namespace
{
using LameOfPlace = std::function<std::pair<double, double>(const dealii::Point<3> &)>;

/// Some cells have only one of the two parameters, the others any ratio.
std::pair<double, double> any_ratio(const dealii::Point<3> &x)
{
  const double wave = std::sin(7. * x[0] + 3. * x[1] - 5. * x[2]);
  return wave > 0.7    ? std::make_pair(0., 40.)
         : wave < -0.7 ? std::make_pair(90., 0.)
                       : std::make_pair(50. * (1. + x[1] * x[1]), 30. * std::exp(wave));
}

/// Parameters without fluid cells (mu = 0).
std::pair<double, double> any_ratio_of_solids(const dealii::Point<3> &x)
{
  const auto [lambda, mu] = any_ratio(x);
  return {lambda, std::max(mu, 5.)};
}

/// Parameters without fluid cells; some cells widen when they are pulled.
std::pair<double, double> with_auxetic_cells(const dealii::Point<3> &x)
{
  const auto [lambda, mu] = any_ratio_of_solids(x);
  return {lambda == 0. ? -0.6 * mu : lambda, mu};
}

/// Two materials, one ten thousand times as stiff and with another ratio.
std::pair<double, double> two_materials(const dealii::Point<3> &x)
{
  return x[1] + 0.3 * x[0] > 0.2 ? std::make_pair(100., 80.) : std::make_pair(0.02, 0.005);
}

class StiffnessLameProblem : public StiffnessMeshProblem
{
protected:
  std::unique_ptr<StiffnessOperator<double>> make_operator(const LameOfPlace &lame)
  {
    assemble(lame);
    auto K = make_plain_operator();
    set(*K, lame);
    return K;
  }

  void assemble(const LameOfPlace &lame)
  {
    application->lame = lame;
    application->assemble(false);
  }

  static void set(StiffnessOperator<double> &K, const LameOfPlace &lame)
  {
    K.set_lame([&](const auto &cell) { return lame(cell->center()); });
  }
};

// Products take one pass, or two with another strategy.
TEST_P(StiffnessLameProblem, MultipliesAsTheAssembledMatrix)
{
  options.strategy = std::get<0>(GetParam()) == std::string("few") ? "ebe" : "on_the_fly";
  const auto K     = make_operator(any_ratio);
  expect_product(*K, 1e-13);

  // the same parameters as vectors
  const auto &triangulation = *application->triangulation;
  dealii::Vector<double> lambda(triangulation.n_active_cells()), mu(lambda);
  for (const auto &cell : triangulation.active_cell_iterators())
    if (cell->is_locally_owned())
      std::tie(lambda(cell->active_cell_index()), mu(cell->active_cell_index())) =
        any_ratio(cell->center());
  set(*K, two_materials);
  K->set_lame(lambda, mu);
  expect_product(*K, 1e-13);
}

TEST_P(StiffnessLameProblem, HasTheDiagonalOfTheAssembledMatrix)
{
  const auto K = make_operator(any_ratio);
  K->compute_diagonal();
  expect_diagonal(*K, 1e-13);
}

TEST_P(StiffnessLameProblem, SolvesAsADirectSolver)
{
  for (const char *const preconditioner : {"jacobi", "auto"})
    {
      options.preconditioner   = preconditioner;
      options.tolerance        = 1e-13;
      options.max_iterations   = 20000;
      const auto K             = make_operator(two_materials);
      const SolveReport report = expect_solution(*K, 1e-9);
      EXPECT_TRUE(report.remark.empty()) << report.remark;
      EXPECT_LE(report.iterations, report.preconditioner == "multigrid" ? 60u : 20000u);

      for (const auto &lame : {any_ratio_of_solids, with_auxetic_cells})
        {
          set(*K, lame); // preconditioner and all follow
          assemble(lame);
          expect_solution(*K, 1e-9);
        }
    }
}

TEST_P(StiffnessLameProblem, FactorsTakeOverAgain)
{
  application->assemble(true);
  const auto K           = StiffnessProblem::make_operator();
  const TrilinosVector x = application->random_vector(3), before = product(*K, x);
  const Material &material = application->material;
  set(*K, [&](const dealii::Point<3> &place) {
    const double E = SomeApplication::factor(place);
    return std::make_pair(E * material.lambda(), E * material.mu());
  });
  EXPECT_LT(application->distance(product(*K, x), before), 1e-14);
  SomeApplication::set_factors(*K);
  EXPECT_LE(application->distance(product(*K, x), before), rounding_of_sums());
}

// The smoother has the bound of the worse of the two parts.
TEST_P(StiffnessLameProblem, TakesAboutAsManyIterationsAsFactors)
{
  application->assemble(false);
  options.tolerance               = 1e-10;
  const auto K                    = make_plain_operator();
  const unsigned int with_factors = solve(*K).iterations;
  const Material &material        = application->material;
  set(*K,
      [&](const dealii::Point<3> &) { return std::make_pair(material.lambda(), material.mu()); });
  EXPECT_LE(solve(*K).iterations, with_factors + with_factors / 3) << with_factors;
}

// Mass and Lame's parameters together, set in either order; preconditioner and right-hand side use
// both.
TEST_P(StiffnessLameProblem, TakesAShiftToo)
{
  options.tolerance = 1e-12;
  const auto K      = make_operator(any_ratio_of_solids);
  expect_shifts(*K, [&]() {
    set(*K, two_materials);
    set(*K, any_ratio_of_solids);
  });
}

// One layer is 10^4 times as stiff as the other.
TEST(StiffnessLame, HasTheExactStrainsOfTwoLayers)
{
  Cube cube;
  cube.refine(1);
  expect_exact_strains(cube, {0.02, 0.005}, {100., 100.});
}

TEST(StiffnessLame, RefusesWhatIsNoSolid)
{
  Cube cube;
  const auto complaint = [&](const double lambda, const double mu) {
    return cube.complaint([&](auto &K) {
      K.set_lame([&](const auto &cell) {
        return cell->active_cell_index() == 3 ? std::make_pair(lambda, mu) : std::make_pair(1., 1.);
      });
    });
  };
  const auto text = [](const std::string &found) {
    return "Of the cells, 1 have Lame parameters that a StiffnessOperator does not take, such as " +
           found +
           " of the cell with active_cell_index() 3.\n  Give finite ones with mu not negative and "
           "3 lambda + 2 mu positive: empty cells get small ones.";
  };
  EXPECT_EQ(complaint(-1., 2.), "");
  EXPECT_EQ(complaint(-1., 1.5), text("lambda = -1, mu = 1.5"));
  EXPECT_EQ(complaint(1., -0.1), text("lambda = 1, mu = -0.1"));
  EXPECT_EQ(complaint(0., 0.), text("lambda = 0, mu = 0"));
  EXPECT_EQ(complaint(1., std::numeric_limits<double>::infinity()), text("lambda = 1, mu = inf"));
  EXPECT_EQ(complaint(0., 1.), "");
  EXPECT_EQ(complaint(1., 0.), "");
  EXPECT_EQ(cube.complaint(
              [](auto &K) { K.set_lame(dealii::Vector<double>(3), dealii::Vector<double>(8)); }),
            "There are 3 lambda and 8 mu, and 8 active cells.\n  Give one each for each, by "
            "cell->active_cell_index().");
}

// Fluids: products take them, solvers do not, unless a mass holds them.
TEST(StiffnessLame, RefusesToSolveWithoutShear)
{
  HeldCube cube;
  const auto fluid     = [](const auto &) { return std::make_pair(1., 0.); };
  const auto one_fluid = [](const auto &cell) {
    return std::make_pair(1., cell->active_cell_index() == 3 ? 0. : 1.);
  };
  const auto text = [](const std::string &n) {
    return "Of the cells, " + n +
           " have mu = 0: they resist no shear, and K need not be positive definite.\n  For "
           "preconditioner() and solve() give them a small mu, 1e-6 of their lambda say, or set a "
           "positive shift.";
  };
  EXPECT_EQ(cube.complaint([&](auto &K) {
    K.set_lame(fluid);
    solve_plainly(K);
  }),
            text("8"));
  EXPECT_EQ(cube.complaint([&](auto &K) {
    solve_plainly(K);
    EXPECT_EQ(message_of<Error>([&]() { K.set_lame(one_fluid); }), text("1"));
    solve_plainly(K); // as before the change
    K.set_shift(1.);
    K.set_lame(one_fluid);
    solve_plainly(K);
    EXPECT_EQ(message_of<Error>([&]() { K.set_shift(0.); }), text("1"));
    K.set_factors([](const auto &) { return 1.; });
    K.set_shift(0.);
    solve_plainly(K);
  }),
            "");
}

// Nothing is switched off without a word.
TEST(StiffnessLame, IsRefusedWithRigidPiecesOfSolid)
{
  HeldCube cube;
  cube.options.preconditioner        = "multigrid";
  cube.options.preconditioner_values = {{"Rigid pieces", "yes"}};
  const auto lame                    = [](const auto &) { return std::make_pair(1., 1.); };
  const auto text                    = [](const std::string &found) {
    return "StiffnessOptions::preconditioner_values, 'Rigid pieces': Rigid pieces of solid know stiffness factors "
                              "alone, and the operator has " +
           found + ": do without the one or the other.";
  };
  EXPECT_EQ(cube.complaint([&](auto &K) {
    K.set_lame(lame);
    solve_plainly(K);
  }),
            text("Lame's parameters"));
  EXPECT_EQ(cube.complaint([&](auto &K) {
    solve_plainly(K);
    EXPECT_EQ(message_of<Error>([&]() { K.set_lame(lame); }), text("Lame's parameters"));
    EXPECT_EQ(message_of<Error>([&]() { K.set_shift(1.); }), text("springs or a shift"));
    solve_plainly(K);
  }),
            "");
}

TEST(StiffnessLame, RefusesIncompatibleModes)
{
  Cube cube;
  cube.material.element = ElementKind::incompatible_modes;
  EXPECT_EQ(
    cube.complaint(
      [](auto &K) { K.set_lame([](const auto &) { return std::make_pair(1., 1.); }); }),
    "An operator with Lame's parameters per element knows the trilinear element alone, and the material asks for "
    "incompatible modes.\n  Take trilinear elements, or stiffness factors in their place.");
}

INSTANTIATE_TEST_SUITE_P(
  Problem,
  StiffnessLameProblem,
  testing::Combine(testing::Values("distorted", "shell", "few", "adapted ball"),
                   testing::Values("cpu", "cuda")),
  name_of_parameters);
} // namespace
} // namespace strut::test
