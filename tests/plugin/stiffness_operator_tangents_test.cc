// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Tangents of Gauss points, compared with the matrices that an application assembles.
#include "tests/plugin/cube.h"
#include "tests/plugin/tangents_problem.h"

namespace strut::test
{
namespace
{
TEST_P(StiffnessTangentsProblem, MultipliesAsTheAssembledMatrix)
{
  const auto K = make_operator(random_tangent);
  expect_product(*K, 1e-12);
  K->set_tangents(array_of(smooth_tangent, 1));
  assemble(smooth_tangent);
  expect_product(*K, 1e-12);
  K->set_tangents(array_of(random_tangent, 8));
  assemble(random_tangent);
  expect_product(*K, 1e-12);
  K->set_tangents([](const auto &cell) { return random_tangent(cell->center(), 5); });
  assemble([](const dealii::Point<3> &x, unsigned int) { return random_tangent(x, 5); });
  expect_product(*K, 1e-12);
}

TEST_P(StiffnessTangentsProblem, IsSymmetric)
{
  const auto K           = make_operator(random_tangent);
  const TrilinosVector x = application->random_vector(2), z = application->random_vector(3);
  const TrilinosVector Kx = product(*K, x), Kz = product(*K, z);
  EXPECT_NEAR(z * Kx, x * Kz, 1e-12 * Kx.l2_norm() * z.l2_norm());
}

TEST_P(StiffnessTangentsProblem, HasTheDiagonalOfTheAssembledMatrix)
{
  const auto K = make_operator(random_tangent);
  for (const bool by_points : {true, false})
    {
      if (!by_points)
        {
          assemble(smooth_tangent);
          K->set_tangents([](const auto &cell) { return smooth_tangent(cell->center(), 0); });
        }
      else
        K->compute_diagonal();
      expect_diagonal(*K, 1e-12);
    }
}

TEST_P(StiffnessTangentsProblem, OfIsotropicSolidsAreTheIsotropicOperator)
{
  application->assemble(true);
  const auto K           = StiffnessProblem::make_operator();
  const TrilinosVector x = application->random_vector(3), before = product(*K, x);
  const Material &material = application->material;
  set(*K, [&](const dealii::Point<3> &place, unsigned int) {
    const double E = SomeApplication::factor(place);
    return isotropic(E * material.lambda(), E * material.mu());
  });
  EXPECT_LT(application->distance(product(*K, x), before), 1e-13);

  // back to factors
  SomeApplication::set_factors(*K);
  EXPECT_LT(application->distance(product(*K, x), before), 1e-14);
  set(*K, random_tangent);
  K->set_lame([&](const auto &cell) {
    const double E = SomeApplication::factor(cell->center());
    return std::make_pair(E * material.lambda(), E * material.mu());
  });
  EXPECT_LT(application->distance(product(*K, x), before), 1e-13);
  set(*K, random_tangent);
  assemble(random_tangent);
  expect_product(*K, 1e-12);
}

TEST_P(StiffnessTangentsProblem, SolvesAsADirectSolver)
{
  for (const char *const preconditioner : {"jacobi", "auto"})
    {
      options.preconditioner = preconditioner;
      options.tolerance      = 1e-13;
      options.max_iterations = 20000;
      const auto K           = make_operator(random_tangent);
      for (const auto &tangent : {random_tangent, smooth_tangent, plastic_tangent})
        {
          set(*K, tangent); // preconditioner and all follow
          assemble(tangent);
          const SolveReport report = expect_solution(*K, 1e-9);
          EXPECT_TRUE(report.remark.empty()) << report.remark;
          RecordProperty(std::string(preconditioner) + (tangent == random_tangent   ? "_random"
                                                        : tangent == smooth_tangent ? "_smooth"
                                                                                    : "_plastic"),
                         static_cast<int>(report.iterations));
          EXPECT_LE(report.iterations, report.preconditioner == "multigrid" ? 80u : 20000u);
        }
    }
}

// Cycles, and the matrix too, in float.
TEST_P(StiffnessTangentsProblem, SolvesInFloat)
{
  options.tolerance = 1e-5;
  const auto K      = make_operator<float>(plastic_tangent);
  dealii::LinearAlgebra::distributed::Vector<float> u, f;
  K->initialize_dof_vector(u);
  K->initialize_dof_vector(f);
  SomeApplication::copy(application->F, f);
  EXPECT_TRUE(K->solve(u, f).converged);
  EXPECT_LT(application->distance(u, application->solution()), 2e-2);
}

// Mass and tangents at once; the preconditioner takes both.
TEST_P(StiffnessTangentsProblem, TakeAShiftToo)
{
  options.tolerance = 1e-12;
  const auto K      = make_operator(plastic_tangent);
  expect_shifts(*K, [&]() {
    set(*K, smooth_tangent);
    set(*K, plastic_tangent);
  });
}

// Tangents by points or cells cost multigrid no more iterations than a direct comparison allows.
TEST_P(StiffnessTangentsProblem, SmoothOnesTakeAboutAsManyIterationsAsFactors)
{
  application->assemble(false);
  options.tolerance               = 1e-10;
  const auto K                    = make_plain_operator();
  const unsigned int with_factors = solve(*K).iterations;
  const Material &material        = application->material;
  set(*K, [&](const dealii::Point<3> &, unsigned int) {
    return isotropic(material.lambda(), material.mu());
  });
  const unsigned int with_tangents = solve(*K).iterations;
  RecordProperty("with_factors", static_cast<int>(with_factors));
  RecordProperty("with_tangents", static_cast<int>(with_tangents));
  EXPECT_LE(with_tangents, with_factors + with_factors / 3);
}

INSTANTIATE_TEST_SUITE_P(
  Problem,
  StiffnessTangentsProblem,
  testing::Combine(testing::Values("box", "distorted", "shell", "few", "adapted ball"),
                   testing::Values("cpu", "cuda")),
  name_of_parameters);

/// Iterations for a bar of 8 x 8 x 8 cells, held at one end, with a plastic band through it.
unsigned int iterations_of_bar(const double length, const double place, const double scale)
{
  dealii::Triangulation<3> triangulation;
  dealii::GridGenerator::hyper_rectangle(triangulation,
                                         scale * dealii::Point<3>(place, place, place),
                                         scale *
                                           dealii::Point<3>(place + length, place + 1., place + 1.),
                                         true);
  triangulation.refine_global(3);
  const dealii::FESystem<3> fe(dealii::FE_Q<3>(1), 3);
  dealii::DoFHandler<3> dof_handler(triangulation);
  dof_handler.distribute_dofs(fe);
  dealii::AffineConstraints<double> constraints;
  dealii::DoFTools::make_zero_boundary_constraints(dof_handler, 0, constraints);
  constraints.close();
  StiffnessOptions options{"cpu", 1};
  options.preconditioner = "multigrid";
  options.tolerance      = 1e-8;
  StiffnessOperator<double> K(dof_handler, constraints, {200., 0.3}, options);
  K.set_tangents([&](const auto &cell, const unsigned int q) {
    const dealii::Point<3> x = cell->center() / scale;
    return plastic_tangent(dealii::Point<3>((x[0] - place) / length, x[1] - place, x[2] - place),
                           q);
  });
  dealii::Vector<double> u(K.m()), f(K.m());
  f                        = 1.;
  const SolveReport report = K.solve(u, f);
  EXPECT_TRUE(report.remark.empty()) << report.remark;
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

TEST(StiffnessTangents, RefusesWhatIsNoTangent)
{
  Cube cube;
  const auto complaint = [&](const Tangent &bad) {
    return cube.complaint([&](auto &K) {
      K.set_tangents([&](const auto &cell, const unsigned int q) {
        return cell->active_cell_index() == 3 && q == 5 ? bad : elastic(1.);
      });
    });
  };
  const auto text = [](const std::string &found) {
    return "Of the cells, 1 have tangents that a StiffnessOperator does not take, such as that of Gauss point 5 of the "
           "cell with active_cell_index() 3, which is " +
           found +
           ".\n  Give finite ones with C_ijkl = C_klij: a return mapping with an associated flow rule has them; take "
           "deal.II's matrices for others.";
  };
  EXPECT_EQ(complaint(Tangent()), "");
  Tangent C     = elastic(1.);
  C[0][0][1][2] = 1e-3;
  EXPECT_EQ(complaint(C), text("not symmetric"));
  C[1][2][0][0] = 1e-3;
  EXPECT_EQ(complaint(C), "");
  C[1][2][1][2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(complaint(C), text("not finite"));

  EXPECT_EQ(
    cube.complaint([](auto &K) { K.set_tangents(std::vector<double>(7)); }),
    "There are 7 numbers of tangents, and 8 owned active cells.\n  Give 8 * 21 = 168 of each, or 21 of each.");
  EXPECT_EQ(
    cube.complaint([](auto &K) {
      std::vector<double> numbers(8 * 21, 1.);
      numbers[2 * 21 + 4] = std::numeric_limits<double>::infinity();
      K.set_tangents(numbers);
    }),
    "Of the cells, 1 have tangents that a StiffnessOperator does not take, such as that of the cell with "
    "active_cell_index() 2, which is not finite.\n  Give finite ones with C_ijkl = C_klij: a return mapping "
    "with an associated flow rule has them; take deal.II's matrices for others.");
}

// Nothing is switched off without a word, and what was in force stays.
TEST(StiffnessTangents, IsRefusedWhereItDoesNotFit)
{
  const auto tangent   = [](const auto &) { return elastic(1.); };
  const auto complaint = [&](Cube &cube) {
    return cube.complaint([&](auto &K) { K.set_tangents(tangent); });
  };
  Cube of_mean, of_modes, ebe;
  of_mean.material.volumetric_integration = VolumetricIntegration::mean;
  EXPECT_EQ(
    complaint(of_mean),
    "An operator with tangents integrates the volumetric part of the stiffness as the rest, and the material "
    "asks for its mean over each element.\n  Take full volumetric integration, or Lame's parameters.");
  of_modes.material.element = ElementKind::incompatible_modes;
  EXPECT_EQ(
    complaint(of_modes),
    "An operator with tangents knows the trilinear element alone, and the material asks for incompatible "
    "modes.\n  Take trilinear elements, or Lame's parameters.");
  ebe.options.strategy = "ebe";
  EXPECT_EQ(complaint(ebe),
            "The operator 'ebe' takes no tangents.\n  Take one that does: on_the_fly.");
  HeldCube cube;
  cube.options.preconditioner        = "multigrid";
  cube.options.preconditioner_values = {{"Rigid pieces", "yes"}};
  EXPECT_EQ(cube.complaint([&](auto &K) {
    solve_plainly(K);
    EXPECT_EQ(
      message_of<Error>([&]() { K.set_tangents(tangent); }),
      "StiffnessOptions::preconditioner_values, 'Rigid pieces': Rigid pieces of solid know stiffness factors "
      "alone, and the operator has tangents: do without the one or the other.");
    solve_plainly(K);
  }),
            "");
}
} // namespace
} // namespace strut::test
