// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Each law of the stiffness, compared with the matrices that an application assembles.
#include <deal.II/grid/grid_tools.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/plugin/cube.h"
#include "tests/plugin/stiffness_laws.h"

namespace strut::test
{
namespace
{
// Products, lifted forces and diagonals, which follow from one solid to the next.
TEST_P(StiffnessLawProblem, EqualsTheAssembledMatrix)
{
  std::vector<std::unique_ptr<StiffnessOperator<double>>> operators;
  for (const std::string &strategy : law.strategies)
    for (std::size_t n = 0; n < law.setters.size(); ++n)
      {
        options.strategy = strategy;
        operators.push_back(make_plain_operator());
        operators.back()->compute_diagonal();
      }
  for (const Solid &solid : law.solids)
    {
      assemble(solid);
      const TrilinosVector b = application->free_part(application->b),
                           x = application->random_vector(2), z = application->random_vector(3);
      for (std::size_t n = 0; n < operators.size(); ++n)
        {
          SCOPED_TRACE(law.strategies[n / law.setters.size()]);
          StiffnessOperator<double> &K = *operators[n];
          law.setters[n % law.setters.size()](K, *application);
          if (&solid == &law.solids.front()) // the others follow with a shift
            K.set_shift(application->inertia.shift);
          for (unsigned int seed = 0; seed < (law.solids.size() == 1 ? 3u : 1u); ++seed)
            application->expect_product(K, 1e-13, seed);
          application->expect_diagonal(K, 1e-13);
          EXPECT_LT(application->distance(application->lifted_forces(K), b), 1e-12);
          const TrilinosVector Kx = multiply(K, x);
          EXPECT_NEAR(z * Kx, x * multiply(K, z), 1e-12 * Kx.l2_norm() * z.l2_norm());
        }
    }
}

// The preconditioner and all the rest follow from one solid to the next.
TEST_P(StiffnessLawProblem, SolvesAsADirectSolver)
{
  std::vector<std::unique_ptr<StiffnessOperator<double>>> operators;
  for (const LawCase::Solver &solver : law.solvers)
    {
      choose(solver);
      operators.push_back(make_shifted_operator());
    }
  for (const Solid &solid : law.solids)
    {
      assemble(solid);
      for (std::size_t n = 0; n < operators.size(); ++n)
        {
          const auto &[strategy, preconditioner, precision] = law.solvers[n];
          SCOPED_TRACE(strategy + ", " + preconditioner + ", " + precision);
          application->set_solid(*operators[n]);
          const SolveReport report = application->expect_solution(*operators[n], law.error);
          RecordProperty(report.preconditioner, static_cast<int>(report.iterations));
          EXPECT_EQ(report.remark, "");
          EXPECT_TRUE(preconditioner == "auto" || preconditioner == report.preconditioner);
          EXPECT_LE(report.iterations,
                    report.preconditioner == "multigrid" ? law.n_iterations : 50000u);
        }
    }
}

// Cycles, and the matrix too, in float.
TEST_P(StiffnessLawProblem, WorksInFloat)
{
  options.tolerance = 1e-5;
  const auto K      = make_shifted_operator<float>();
  dealii::LinearAlgebra::distributed::Vector<float> x, f;
  K->initialize_dof_vector(x);
  K->initialize_dof_vector(f);
  assemble(law.solids.back());
  application->set_solid(*K);
  const TrilinosVector random = application->random_vector(3);
  SomeApplication::copy(random, x);
  K->vmult(f, x);
  EXPECT_LT(application->distance(f, application->product(random)), 1e-5);
  if (law.solvers.empty() || !law.converges_in_float)
    return;
  SomeApplication::copy(application->F, f);
  EXPECT_TRUE(K->solve(x, f).converged);
  EXPECT_LT(application->distance(x, application->solution()), 2e-2);
}

// A preconditioner that was made for factors is as one that was made for the law.
TEST_P(StiffnessLawProblem, ThePreconditionerFollows)
{
  assemble(law.solids.back());
  options.tolerance = 1e-12;
  for (const LawCase::Solver &solver : law.solvers)
    {
      choose(solver);
      const auto K = make_shifted_operator(), fresh = make_shifted_operator();
      SomeApplication::set_factors(*K);
      EXPECT_TRUE(application->solve(*K).converged);
      application->set_solid(*K);
      application->set_solid(*fresh);
      const SolveReport report = application->solve(*K), of_fresh = application->solve(*fresh);
      // Sums by atomics differ by rounding, which changes a thousand iterations by a dozen, and
      // multigrid's by one. nbn always adds in the same order.
      const bool is_exact = solver.strategy == "nbn" || options.backend != "cuda";
      if (is_exact || report.preconditioner == "multigrid")
        {
          EXPECT_NEAR(of_fresh.iterations, report.iterations, is_exact ? 0. : 1.)
            << solver.strategy;
        }
    }
}

TEST_P(StiffnessLawProblem, FactorsTakeOverAgain)
{
  assemble({});
  options.tolerance      = 1e-10;
  const auto K           = make_shifted_operator();
  const TrilinosVector x = application->random_vector(3);
  SomeApplication::set_factors(*K);
  const TrilinosVector before = multiply(*K, x);
  application->solid          = law.solids.back();
  application->set_solid(*K);
  SomeApplication::set_factors(*K);
  EXPECT_LE(application->distance(multiply(*K, x), before), rounding_of_sums());
  if (law.solvers.empty())
    return;
  const unsigned int n_iterations = application->solve(*K).iterations;
  application->set_solid(*K);
  EXPECT_TRUE(application->solve(*K).converged);
  SomeApplication::set_factors(*K);
  // Sums by atomics may decide on one more.
  EXPECT_NEAR(application->expect_solution(*K, 1e-7).iterations,
              n_iterations,
              options.backend == "cuda" ? 1. : 0.);
  EXPECT_LE(application->distance(multiply(*K, x), before), rounding_of_sums());
}

INSTANTIATE_TEST_SUITE_P(
  Laws,
  StiffnessLawProblem,
  testing::Combine(testing::Values("lame",
                                   "fluids",
                                   "mean",
                                   "rubber",
                                   "tangents",
                                   "tangents of cells",
                                   "factors and mass",
                                   "factors and mass by place",
                                   "factors and consistent mass",
                                   "lame and mass",
                                   "tangents and mass"),
                   testing::Values("box", "distorted", "shell", "few", "adapted ball"),
                   testing::Values("plain"),
                   testing::Values("cpu", "cuda")),
  name_of_parameters);
INSTANTIATE_TEST_SUITE_P(
  Constraints,
  StiffnessLawProblem,
  testing::Combine(testing::Values("factors"),
                   testing::Values("adapted distorted", "adapted ball", "shell"),
                   testing::Values("plain", "random", "plain and others", "random and others"),
                   testing::Values("cpu", "cuda")),
  name_of_parameters);
INSTANTIATE_TEST_SUITE_P(Modes,
                         StiffnessLawProblem,
                         testing::Combine(testing::Values("modes"),
                                          testing::Values("adapted distorted", "adapted ball"),
                                          testing::Values("random"),
                                          testing::Values("cpu", "cuda")),
                         name_of_parameters);

/// The parameters or tangents that say what the material and its factors say.
class StiffnessIsotropicProblem : public StiffnessMeshProblem
{
protected:
  std::vector<Solid>
  isotropic_solids(const std::function<double(const dealii::Point<3> &)> &factor) const
  {
    const double lambda = application->material.lambda(), mu = application->material.mu();
    return {{[=](const auto &x) { return std::make_pair(factor(x) * lambda, factor(x) * mu); }},
            {nullptr,
             [=](const auto &x, unsigned int) { return factor(x) * isotropic(lambda, mu); }}};
  }
};

TEST_P(StiffnessIsotropicProblem, IsTheSameByAllLaws)
{
  const auto K           = make_operator();
  const TrilinosVector x = application->random_vector(3), before = multiply(*K, x);
  for (const bool after_others : {false, true})
    for (const Solid &solid : isotropic_solids(SomeApplication::factor))
      {
        application->solid = {nullptr, random_tangent};
        if (after_others)
          application->set_solid(*K);
        application->solid = solid;
        application->set_solid(*K);
        EXPECT_LT(application->distance(multiply(*K, x), before), solid.lame ? 1e-14 : 1e-13);
      }
}

// The smoother has the bound of the worse part of Lame's parameters.
TEST_P(StiffnessIsotropicProblem, TakesAboutAsManyIterationsByAllLaws)
{
  application->assemble(false);
  options.tolerance               = 1e-10;
  const auto K                    = make_plain_operator();
  const unsigned int with_factors = application->solve(*K).iterations;
  for (const Solid &solid : isotropic_solids([](const auto &) { return 1.; }))
    {
      application->solid = solid;
      application->set_solid(*K);
      const unsigned int n = application->solve(*K).iterations;
      RecordProperty(solid.lame ? "lame" : "tangents", static_cast<int>(n));
      EXPECT_LE(n, with_factors + with_factors / 3) << with_factors;
    }
}

INSTANTIATE_TEST_SUITE_P(
  Problem,
  StiffnessIsotropicProblem,
  testing::Combine(testing::Values("box", "distorted", "shell", "few", "adapted ball"),
                   testing::Values("cpu", "cuda")),
  name_of_parameters);

bool is_at_end(const double x)
{
  return x < 1e-12 || x > 1. - 1e-12;
}

/// Expects the displacements of two layers under uniaxial strain, which are exactly linear in each.
/// The strain of the first one is 1.
/// @param below, above  Lame's parameters of the layers, below and above x = 1/2
void expect_exact_strains(Cube &cube,
                          const std::pair<double, double> &below,
                          const std::pair<double, double> &above)
{
  cube.refine(0);
  const auto modulus        = [](const auto &lame) { return lame.first + 2. * lame.second; };
  const double strain_above = modulus(below) / modulus(above);
  const auto exact          = [&](const dealii::Point<3> &x, const unsigned int d) {
    return d == 0 ? std::min(x[0], 0.5) + strain_above * std::max(x[0] - 0.5, 0.) : 0.;
  };
  const auto for_all_dofs = [&](const auto &work) {
    for (const auto &cell : cube.dof_handler.active_cell_iterators())
      for (const unsigned int v : cell->vertex_indices())
        for (unsigned int d = 0; d < 3; ++d)
          work(cell->vertex(v), d, cell->vertex_dof_index(v, d));
  };
  for_all_dofs([&](const dealii::Point<3> &x, const unsigned int d, const auto dof) {
    if (is_at_end(x[d]) && !cube.constraints.is_constrained(dof))
      {
        cube.constraints.add_line(dof);
        cube.constraints.set_inhomogeneity(dof, exact(x, d));
      }
  });
  cube.options.tolerance = 1e-13;
  for (const char *const preconditioner : {"jacobi", "auto"})
    {
      cube.options.preconditioner = preconditioner;
      auto K                      = cube.make_operator();
      K.set_lame([&](const auto &cell) { return cell->center()[0] < 0.5 ? below : above; });
      dealii::Vector<double> u(K.m()), f(K.m());
      K.solve(u, f);
      for_all_dofs([&](const dealii::Point<3> &x, const unsigned int d, const auto dof) {
        EXPECT_NEAR(u(dof), exact(x, d), 1e-10) << preconditioner;
      });
    }
}
// One layer is 10^4 times as stiff as the other.
TEST(StiffnessLame, HasTheExactStrainsOfTwoLayers)
{
  Cube cube;
  cube.refine(1);
  expect_exact_strains(cube, {0.02, 0.005}, {100., 100.});
}

// Steel and rubber under uniaxial strain: each layer has an exactly linear displacement, for any
// shapes of its cells.
TEST(StiffnessMean, HasTheExactStrainsOfTwoLayers)
{
  Cube cube;
  cube.triangulation.refine_global(1);
  dealii::GridTools::transform(
    [&](const dealii::Point<3> &x) {
      dealii::Point<3> y = x;
      for (unsigned int d = 0; d < 3; ++d)
        if (!is_at_end(x[d]) && (d > 0 || std::abs(x[0] - 0.5) > 1e-12))
          y[d] += 0.05 * std::sin(17. * x[0] + 29. * x[1] + 41. * x[2] + d);
      return y;
    },
    cube.triangulation);
  cube.material.formulation = Formulation::mean_dilatation;
  const Material steel = {1000., 0.3}, rubber = {1., 0.4999};
  expect_exact_strains(cube, {rubber.lambda(), rubber.mu()}, {steel.lambda(), steel.mu()});
}

// Full integration is the default.
TEST(StiffnessMean, IsNotTakenUnlessAskedFor)
{
  EXPECT_EQ(StiffnessOperator<double>::AdditionalData().material.formulation,
            Formulation::full_integration);
}

/// Iterations for a bar of 8 x 8 x 8 cells, held at one end, with a plastic band through it.
unsigned int iterations_of_bar(const double length, const double place, const double scale)
{
  Cube bar;
  dealii::GridTools::transform(
    [&](const dealii::Point<3> &x) {
      return scale * dealii::Point<3>(place + length * x[0], place + x[1], place + x[2]);
    },
    bar.triangulation);
  bar.refine(2);
  bar.hold();
  bar.material               = {200., 0.3};
  bar.options.preconditioner = "multigrid";
  auto K                     = bar.make_operator();
  K.set_tangents([&](const auto &cell, const unsigned int q) {
    const dealii::Point<3> x = cell->center() / scale;
    return plastic_tangent(dealii::Point<3>((x[0] - place) / length, x[1] - place, x[2] - place),
                           q);
  });
  const SolveReport report = solve_plainly(K);
  EXPECT_EQ(report.remark, "");
  EXPECT_TRUE(report.converged);
  return report.iterations;
}

// The number of iterations depends neither on the body's place nor on the unit. Cells ten times
// longer than thick need ten smoothing steps, for which the bound must hold.
TEST(StiffnessTangents, TakeAsManyIterationsWhereverTheBodyIs)
{
  for (const double length : {1., 10.})
    {
      const unsigned int n = iterations_of_bar(length, 0., 1.);
      RecordProperty(length == 1. ? "cubes" : "long_cells", static_cast<int>(n));
      EXPECT_LE(n, 40u);
      EXPECT_NEAR(iterations_of_bar(length, 1024., 1.), n, 1.);
      EXPECT_NEAR(iterations_of_bar(length, -7., 1e3), n, 1.);
    }
}

} // namespace
} // namespace strut::test
