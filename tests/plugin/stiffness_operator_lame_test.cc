// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Lame's parameters by cell, compared with the matrices that an application assembles.
#include "tests/plugin/cube.h"
#include "tests/plugin/stiffness_operator_fixture.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

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

/// Parameters: a mesh, a backend.
class StiffnessLameProblem
  : public StiffnessOperatorTest,
    public testing::WithParamInterface<std::tuple<const char *, const char *>>
{
protected:
  void SetUp() override
  {
    const auto [mesh, backend] = GetParam();
    if (const std::string reason = why_not(backend); !reason.empty())
      GTEST_SKIP() << reason;
    application = std::make_unique<SomeApplication>(mesh, "plain");
    options     = on(backend);
  }

  std::unique_ptr<StiffnessOperator<double>> make_operator(const LameOfPlace &lame)
  {
    application->lame = lame;
    application->assemble(false);
    auto K = std::make_unique<StiffnessOperator<double>>(application->dof_handler,
                                                         application->constraints,
                                                         application->material,
                                                         options);
    set(*K, lame);
    return K;
  }

  static void set(StiffnessOperator<double> &K, const LameOfPlace &lame)
  {
    K.set_lame([&](const auto &cell) { return lame(cell->center()); });
  }

  std::unique_ptr<SomeApplication> application;
  StiffnessOptions options;
};

// Products take one pass, or two with another strategy.
TEST_P(StiffnessLameProblem, MultipliesAsTheAssembledMatrix)
{
  options.strategy       = std::get<0>(GetParam()) == std::string("few") ? "ebe" : "on_the_fly";
  const auto K           = make_operator(any_ratio);
  const TrilinosVector x = application->random_vector(2), Ax = application->product(x);
  TrilinosVector y;
  K->initialize_dof_vector(y);
  K->vmult(y, x);
  EXPECT_LT(application->distance(y, Ax), 1e-13);

  // the same parameters as vectors
  const auto &triangulation = *application->triangulation;
  dealii::Vector<double> lambda(triangulation.n_active_cells()), mu(lambda);
  for (const auto &cell : triangulation.active_cell_iterators())
    if (cell->is_locally_owned())
      std::tie(lambda(cell->active_cell_index()), mu(cell->active_cell_index())) =
        any_ratio(cell->center());
  set(*K, two_materials);
  K->set_lame(lambda, mu);
  K->vmult(y, x);
  EXPECT_LT(application->distance(y, Ax), 1e-13);
}

TEST_P(StiffnessLameProblem, HasTheDiagonalOfTheAssembledMatrix)
{
  const auto K = make_operator(any_ratio);
  K->compute_diagonal();
  TrilinosVector expected = application->random_vector(1), diagonal(expected);
  for (const auto i : application->owned)
    {
      expected(i) =
        application->constraints.is_constrained(i) ? 1. : application->A.diag_element(i);
      diagonal(i) = K->el(i, i);
    }
  expected.compress(dealii::VectorOperation::insert);
  diagonal.compress(dealii::VectorOperation::insert);
  EXPECT_LT(application->distance(diagonal, expected), 1e-13);
}

TEST_P(StiffnessLameProblem, SolvesAsADirectSolver)
{
  for (const char *const preconditioner : {"jacobi", "auto"})
    {
      options.preconditioner = preconditioner;
      options.tolerance      = 1e-13;
      options.max_iterations = 20000;
      const auto K           = make_operator(two_materials);
      TrilinosVector u;
      K->initialize_dof_vector(u);
      const SolveReport report = K->solve(u, application->F);
      EXPECT_TRUE(report.remark.empty()) << report.remark;
      EXPECT_LT(application->distance(u, application->solution()), 1e-9) << report.preconditioner;
      const unsigned int most = report.preconditioner == "multigrid" ? 60 : 20000;
      EXPECT_LE(report.iterations, most);

      for (const auto &lame : {any_ratio_of_solids, with_auxetic_cells})
        {
          set(*K, lame); // preconditioner and all follow
          application->lame = lame;
          application->assemble(false);
          EXPECT_TRUE(K->solve(u, application->F).converged);
          EXPECT_LT(application->distance(u, application->solution()), 1e-9)
            << report.preconditioner;
        }
    }
}

TEST_P(StiffnessLameProblem, FactorsTakeOverAgain)
{
  application->assemble(true);
  const auto factors = [](const auto &cell) { return SomeApplication::factor(cell->center()); };
  StiffnessOperator<double> K(application->dof_handler,
                              application->constraints,
                              application->material,
                              options);
  K.set_factors(factors);
  const TrilinosVector x = application->random_vector(3);
  TrilinosVector before, y;
  K.initialize_dof_vector(before);
  K.initialize_dof_vector(y);
  K.vmult(before, x);
  const Material &material = application->material;
  set(K, [&](const dealii::Point<3> &place) {
    const double E = SomeApplication::factor(place);
    return std::make_pair(E * material.lambda(), E * material.mu());
  });
  K.vmult(y, x);
  EXPECT_LT(application->distance(y, before), 1e-14);
  K.set_factors(factors); // equal to the last bit
  K.vmult(y, x);
  const bool same_order = std::get<1>(GetParam()) == std::string("cpu"); // a GPU adds in any order
  EXPECT_LE(application->distance(y, before), same_order ? 0. : 1e-14);
}

// The smoother has the bound of the worse of the two parts.
TEST_P(StiffnessLameProblem, TakesAboutAsManyIterationsAsFactors)
{
  application->assemble(false);
  options.tolerance = 1e-10;
  StiffnessOperator<double> K(application->dof_handler,
                              application->constraints,
                              application->material,
                              options);
  TrilinosVector u;
  K.initialize_dof_vector(u);
  const unsigned int with_factors = K.solve(u, application->F).iterations;
  const Material &material        = application->material;
  set(K,
      [&](const dealii::Point<3> &) { return std::make_pair(material.lambda(), material.mu()); });
  u = 0.;
  EXPECT_LE(K.solve(u, application->F).iterations, with_factors + with_factors / 3) << with_factors;
}

// Mass and Lame's parameters together, set in either order; preconditioner and right-hand side use
// both.
TEST_P(StiffnessLameProblem, TakesAShiftToo)
{
  options.tolerance      = 1e-12;
  const auto K           = make_operator(any_ratio_of_solids);
  const TrilinosVector x = application->random_vector(4);
  const double shift     = 1000.;
  TrilinosVector sum, y, mass;
  for (TrilinosVector *const v : {&sum, &y, &mass})
    K->initialize_dof_vector(*v);
  K->vmult(sum, x);
  K->mass_vmult(mass, x);
  sum.add(shift, mass);
  K->set_shift(shift);
  K->vmult(y, x);
  EXPECT_LT(application->distance(y, sum), 1e-13);
  set(*K, two_materials);
  set(*K, any_ratio_of_solids);
  K->vmult(y, x);
  EXPECT_LT(application->distance(y, sum), 1e-13);

  TrilinosVector u, rhs(application->F);
  K->initialize_dof_vector(u);
  EXPECT_TRUE(K->solve(u, rhs).converged);
  K->lift(rhs);
  for (const auto i : application->owned)
    if (application->constraints.is_constrained(i))
      u(i) = 0.;
  u.compress(dealii::VectorOperation::insert);
  K->vmult(y, u);
  EXPECT_LT(application->distance(y, rhs), 1e-10);
}

// Two layers under uniaxial strain, one 10^4 times as stiff. Each has an exactly linear
// displacement.
TEST(StiffnessLame, HasTheExactStrainsOfTwoLayers)
{
  const dealii::FESystem<3> fe(dealii::FE_Q<3>(1), 3);
  Cube cube(fe);
  cube.triangulation.refine_global(1);
  cube.dof_handler.distribute_dofs(fe);
  const double soft           = 0.02 + 2. * 0.005,
               stiff          = 100. + 2. * 100.; // lambda + 2 mu, below and above x = 1/2
  const double strain_of_soft = 1., strain_of_stiff = soft / stiff;
  const auto exact = [&](const double x) {
    return strain_of_soft * std::min(x, 0.5) + strain_of_stiff * std::max(x - 0.5, 0.);
  };
  const auto for_all_dofs = [&](const auto &work) {
    for (const auto &cell : cube.dof_handler.active_cell_iterators())
      for (const unsigned int v : cell->vertex_indices())
        for (unsigned int d = 0; d < 3; ++d)
          work(cell->vertex(v), d, cell->vertex_dof_index(v, d));
  };
  for_all_dofs([&](const dealii::Point<3> &x, const unsigned int d, const auto dof) {
    if ((x[d] < 1e-12 || x[d] > 1. - 1e-12) && !cube.constraints.is_constrained(dof))
      {
        cube.constraints.add_line(dof);
        cube.constraints.set_inhomogeneity(dof, d == 0 ? exact(x[0]) : 0.);
      }
  });
  cube.constraints.close();
  cube.options.tolerance = 1e-13;
  for (const char *const preconditioner : {"jacobi", "auto"})
    {
      cube.options.preconditioner = preconditioner;
      StiffnessOperator<double> K(cube.dof_handler, cube.constraints, cube.material, cube.options);
      K.set_lame([](const auto &cell) {
        return cell->center()[0] < 0.5 ? std::make_pair(0.02, 0.005) : std::make_pair(100., 100.);
      });
      dealii::Vector<double> u(K.m()), f(K.m());
      K.solve(u, f);
      for_all_dofs([&](const dealii::Point<3> &x, const unsigned int d, const auto dof) {
        EXPECT_NEAR(u(dof), d == 0 ? exact(x[0]) : 0., 1e-10) << preconditioner;
      });
    }
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
  Cube cube;
  cube.hold();
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
  Cube cube;
  cube.hold();
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
  [](const auto &info) {
    std::string name = std::string(std::get<0>(info.param)) + '_' + std::get<1>(info.param);
    for (char &c : name)
      if (c == ' ')
        c = '_';
    return name;
  });
} // namespace
} // namespace strut::test
