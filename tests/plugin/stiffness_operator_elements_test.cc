// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The finite elements of an application: products, diagonals and solutions, compared with the
// matrices that it assembles.
#include <strut/topology_optimization.h>

#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include <deal.II/grid/manifold_lib.h>

#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
/// Parameters: a mesh, an element, a backend.
class StiffnessElementsProblem
  : public StiffnessProblem,
    public testing::WithParamInterface<std::tuple<const char *, const char *, const char *>>
{
protected:
  void SetUp() override
  {
    const auto [mesh, element, backend] = GetParam();
    start(mesh, numbering(), backend, element);
  }

  virtual const char *numbering() const
  {
    return "random";
  }

  bool is(const std::string &element) const
  {
    return std::get<1>(GetParam()) == element;
  }
};

/// Some degrees of freedom depend on others.
class StiffnessDependentElementsProblem : public StiffnessElementsProblem
{
protected:
  const char *numbering() const override
  {
    return "random and others";
  }
};

class StiffnessStraightElementsProblem : public StiffnessElementsProblem
{};

TEST_P(StiffnessDependentElementsProblem, MultipliesAsTheAssembledMatrix)
{
  application->assemble(true);
  for (const char *const strategy : {"auto", "ebe", "nbn"})
    {
      SCOPED_TRACE(strategy);
      options.strategy = strategy;
      application->expect_product(*make_operator(), 1e-12);
    }
}

TEST_P(StiffnessDependentElementsProblem, HasTheDiagonalOfTheAssembledMatrix)
{
  application->assemble(true);
  const auto K = make_plain_operator();
  K->compute_diagonal();
  SomeApplication::set_factors(*K);
  application->expect_diagonal(*K, 1e-12);
}

TEST_P(StiffnessDependentElementsProblem, TakesLameParameters)
{
  application->solid.lame = [](const dealii::Point<3> &x) {
    return std::make_pair(100. + 40. * x[0], 50. + 20. * x[1]);
  };
  application->assemble(true);
  const auto K = make_operator();
  K->compute_diagonal();
  application->expect_product(*K, 1e-12);
  application->expect_diagonal(*K, 1e-12);
}

TEST_P(StiffnessDependentElementsProblem, SolvesWithJacobi)
{
  application->assemble(true);
  options.preconditioner = "jacobi";
  options.tolerance      = 1e-11;
  const auto K           = make_operator();
  EXPECT_EQ(application->expect_solution(*K, 1e-7).preconditioner, "jacobi");
}

TEST_P(StiffnessStraightElementsProblem, SolvesWithMultigrid)
{
  application->assemble(true);
  options.preconditioner = "multigrid";
  options.tolerance      = 1e-11;
  const auto K           = make_operator();
  const auto report      = application->expect_solution(*K, 1e-7);
  EXPECT_EQ(report.preconditioner, "multigrid") << K->describe();
  EXPECT_LT(report.iterations, 80u);
}

TEST_P(StiffnessStraightElementsProblem, FloatMultipliesToItsPrecision)
{
  if (!application->owns_ranges())
    GTEST_SKIP() << "no contiguous ranges: there are Trilinos vectors of double only";
  application->assemble(true);
  const auto K = make_operator<float>();
  dealii::LinearAlgebra::distributed::Vector<float> src;
  K->initialize_dof_vector(src);
  auto dst               = src;
  const TrilinosVector x = application->random_vector(3);
  SomeApplication::copy(x, src);
  K->vmult(dst, src);
  EXPECT_LT(application->distance(dst, application->product(x)), 1e-5);
}

// The assembly has points for the mass too.
TEST_P(StiffnessStraightElementsProblem, HasTheConsistentMass)
{
  application->inertia.kind       = MassKind::consistent;
  application->inertia.density_at = [](const dealii::Point<3> &x) { return 2. + x[0]; };
  application->inertia.shift      = 30.;
  application->assemble(true);
  options.preconditioner = "jacobi";
  options.tolerance      = 1e-11;
  const auto K           = make_operator();
  const TrilinosVector x = application->random_vector(7);
  TrilinosVector y(x);
  K->mass_vmult_unconstrained(y, x);
  TrilinosVector expected(x);
  application->M.vmult(expected, x);
  EXPECT_LT(application->distance(y, expected), 1e-12);
  K->set_shift(30.);
  application->expect_product(*K, 1e-12);
  K->compute_diagonal();
  application->expect_diagonal(*K, 1e-12);
  application->expect_solution(*K, 1e-7);
}

// All of them are positive and have the mass of the body.
TEST_P(StiffnessStraightElementsProblem, HasLumpedMasses)
{
  application->assemble(true);
  const auto K = make_operator();
  TrilinosVector ones(application->owned, application->communicator);
  ones = 1.;
  TrilinosVector masses(ones), expected(ones);
  K->mass_vmult_unconstrained(masses, ones);
  application->M.vmult(expected, ones);
  if (!is("FE_SimplexP(2)")) // whose row sums are negative
    {
      EXPECT_LT(application->distance(masses, expected), 1e-12);
    }
  const double mass = expected.mean_value();
  EXPECT_NEAR(masses.mean_value(), mass, 1e-12 * mass);
  EXPECT_GT(masses.min(), 0.);
  K->set_shift(1e4);
  options.preconditioner = "auto";
  EXPECT_TRUE(application->solve(*K).converged);
}

// The derivative of the compliance by the factor of a cell is -u . K_e u.
TEST_P(StiffnessStraightElementsProblem, EnergiesAreTheGradientOfTheCompliance)
{
  application->assemble(false);
  application->constrain(0.);
  options.tolerance           = 1e-12;
  options.constrained_entries = "zero";
  const auto K                = make_plain_operator();
  constexpr double h          = 1e-4;
  const auto factors          = [&](const double change) {
    return [change](const auto &cell) {
      return SomeApplication::factor(cell->center()) + (cell->center()[0] > 1. ? change : 0.);
    };
  };
  const auto compliance = [&](const double change, TrilinosVector &u) {
    K->set_factors(factors(change));
    K->initialize_dof_vector(u);
    K->solve(u, application->F);
    return u * application->free_part(application->F);
  };
  TrilinosVector u;
  const double slope = (compliance(h, u) - compliance(-h, u)) / (2. * h);
  compliance(0., u);
  // the energy is linear in the factors
  K->set_factors(factors(h));
  const double more = u * multiply(*K, u);
  K->set_factors(factors(-h));
  const double energy = (more - u * multiply(*K, u)) / (2. * h);
  EXPECT_NEAR(slope, -energy, 1e-5 * energy);
}

const auto elements_taken =
  testing::Values("FE_Q(1)", "FE_Q(2)", "FE_SimplexP(1)", "FE_SimplexP(2)");
const auto places = testing::Values("cpu", "cuda");

INSTANTIATE_TEST_SUITE_P(Straight,
                         StiffnessDependentElementsProblem,
                         testing::Combine(testing::Values("distorted"), elements_taken, places),
                         name_of_parameters);
INSTANTIATE_TEST_SUITE_P(Curved,
                         StiffnessDependentElementsProblem,
                         testing::Combine(testing::Values("bent distorted"),
                                          testing::Values("FE_Q(2)", "FE_SimplexP(2)"),
                                          places),
                         name_of_parameters);
// on several ranks one has no cell
INSTANTIATE_TEST_SUITE_P(Few,
                         StiffnessDependentElementsProblem,
                         testing::Combine(testing::Values("few"), elements_taken, places),
                         name_of_parameters);
INSTANTIATE_TEST_SUITE_P(HangingNodes,
                         StiffnessDependentElementsProblem,
                         testing::Combine(testing::Values("adapted distorted",
                                                          "bent adapted distorted"),
                                          testing::Values("FE_Q(2)"),
                                          places),
                         name_of_parameters);
INSTANTIATE_TEST_SUITE_P(,
                         StiffnessStraightElementsProblem,
                         testing::Combine(testing::Values("distorted"), elements_taken, places),
                         name_of_parameters);

/// A cube of tetrahedra.
class CubeOfTetrahedra : public Cube
{
public:
  explicit CubeOfTetrahedra(const unsigned int degree)
  {
    dealii::Triangulation<3> hexahedra;
    dealii::GridGenerator::subdivided_hyper_cube(hexahedra, 2, 0., 1., true);
    dof_handler.clear();
    triangulation.clear();
    dealii::GridGenerator::convert_hypercube_to_simplex_mesh(hexahedra, triangulation);
    dof_handler.reinit(triangulation);
    dof_handler.distribute_dofs(dealii::FESystem<3>(dealii::FE_SimplexP<3>(degree), 3));
  }
};

const dealii::FESystem<3> fe_q_2(dealii::FE_Q<3>(2), 3);
const dealii::MappingFE<3> straight_tetrahedra(dealii::FE_SimplexP<3>(1)),
  curved_tetrahedra(dealii::FE_SimplexP<3>(2));

/// The error of reinit() with a mapping; empty if there is none.
std::string refusal(Cube &cube, const dealii::Mapping<3> &mapping)
{
  if (!cube.constraints.is_closed())
    cube.constraints.close();
  return message_of<Error>([&]() {
    StiffnessOperator<double>(
      mapping, cube.dof_handler, cube.constraints, cube.material, cube.options);
  });
}

TEST(StiffnessOperatorElements, AreRefusedByWhatTheyDoNotTake)
{
  Cube hexahedra(fe_q_2);
  CubeOfTetrahedra tetrahedra(2);
  for (Cube *const cube : {&hexahedra, static_cast<Cube *>(&tetrahedra)})
    {
      cube->hold();
      EXPECT_EQ(cube->complaint(), "");
      const auto unit = dealii::identity_tensor<3>();
      const std::string text =
        cube->complaint([&](auto &K) { K.set_tangents([&](const auto &) { return unit; }); });
      EXPECT_CONTAINS(text, "takes tangents of FE_Q(1) alone");
      EXPECT_CONTAINS(text, "Set factors or Lame parameters");
      EXPECT_EQ(cube->complaint([&](auto &K) {
        K.set_tangents([&](const auto &, unsigned int) { return unit; });
      }),
                text);
      const std::vector<double> numbers(21);
      EXPECT_EQ(cube->complaint([&](auto &K) {
        K.set_tangents(dealii::ArrayView<const double>(numbers.data(), numbers.size()));
      }),
                text);
      EXPECT_EQ(cube->complaint([&](auto &K) { K.set_device_tangents(numbers.data(), 1); }), text);
      for (const auto formulation : {Formulation::mean_dilatation, Formulation::incompatible_modes})
        {
          cube->material.formulation = formulation;
          EXPECT_CONTAINS(cube->complaint(), "a mesh of hexahedra with eight nodes");
        }
    }
  Cube free(fe_q_2);
  EXPECT_CONTAINS(free.complaint([](auto &K) { solve_plainly(K); }), "leave a rigid motion free");
}

TEST(StiffnessOperatorElements, HaveNoMultigridWithHangingNodes)
{
  HeldCube cube(fe_q_2);
  cube.triangulation.begin_active()->set_refine_flag();
  cube.triangulation.execute_coarsening_and_refinement();
  cube.dof_handler.distribute_dofs(fe_q_2);
  cube.constraints.clear();
  EXPECT_CONTAINS(cube.complaint(), "The mesh has hanging nodes");
  cube.constraints.clear();
  dealii::DoFTools::make_hanging_node_constraints(cube.dof_handler, cube.constraints);
  cube.hold();
  cube.constraints.close();
  EXPECT_EQ(cube.complaint([](auto &K) { EXPECT_EQ(solve_plainly(K).preconditioner, "jacobi"); }),
            "");
  cube.options.preconditioner = "multigrid";
  EXPECT_CONTAINS(cube.complaint([](auto &K) { solve_plainly(K); }),
                  "background cells, which take no dependent degrees of freedom");
}

TEST(StiffnessOperatorElements, NewNumberingsAreNoticed)
{
  CubeOfTetrahedra cube(2);
  EXPECT_CONTAINS(cube.complaint([&](auto &K) {
    std::vector<dealii::types::global_dof_index> numbers(cube.dof_handler.n_dofs());
    for (unsigned int i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<unsigned int>(numbers.size()) - 1 - i;
    cube.dof_handler.renumber_dofs(numbers);
    solve_plainly(K);
  }),
                  "have changed since");
}

TEST(StiffnessOperatorElements, MappingsFitTheCells)
{
  CubeOfTetrahedra linear_cube(1), quadratic_cube(2);
  Cube hexahedra(fe_q_2);
  EXPECT_EQ(refusal(linear_cube, straight_tetrahedra), "");
  EXPECT_EQ(refusal(linear_cube, curved_tetrahedra), "");
  EXPECT_EQ(refusal(quadratic_cube, straight_tetrahedra), "");
  EXPECT_EQ(refusal(quadratic_cube, curved_tetrahedra), "");
  for (const unsigned int degree : {1, 2, 3, 4})
    EXPECT_EQ(refusal(hexahedra, dealii::MappingQ<3>(degree)), "") << degree;
  EXPECT_CONTAINS(refusal(linear_cube, dealii::MappingQ<3>(1)),
                  "not made for the cells of the mesh, Tet: it is a MappingQ of degree 1");
  EXPECT_CONTAINS(refusal(hexahedra, curved_tetrahedra), "it is a MappingFE of degree 2");
}

/// The product of a cube's operator with a vector.
dealii::Vector<double>
product_with(Cube &cube, const dealii::Mapping<3> *const mapping, const unsigned int degree)
{
  StiffnessOperator<double> K;
  const StiffnessOperator<double>::AdditionalData data = {cube.material, cube.options, degree};
  if (mapping != nullptr)
    K.reinit(*mapping, cube.dof_handler, cube.constraints, data);
  else
    K.reinit(cube.dof_handler, cube.constraints, data);
  dealii::Vector<double> y(K.m());
  K.vmult(y, some_vector(static_cast<unsigned int>(K.m())));
  return y;
}

TEST(StiffnessOperatorElements, CurvedCellsHaveTheMappingThatIsAskedFor)
{
  Cube ball(fe_q_2);
  ball.dof_handler.clear();
  ball.triangulation.clear();
  dealii::GridGenerator::hyper_ball(ball.triangulation);
  ball.dof_handler.reinit(ball.triangulation);
  ball.dof_handler.distribute_dofs(fe_q_2);
  ball.constraints.close();
  const dealii::MappingQ<3> curved(2), straight(1);
  EXPECT_EQ(product_with(ball, &curved, 1), product_with(ball, nullptr, 2));
  EXPECT_EQ(product_with(ball, &straight, 1), product_with(ball, nullptr, 1));
  dealii::Vector<double> difference = product_with(ball, nullptr, 2);
  difference -= product_with(ball, nullptr, 1);
  EXPECT_GT(difference.linfty_norm(), 1e-3);
  EXPECT_CONTAINS(
    StiffnessOperator<double>(curved, ball.dof_handler, ball.constraints, {}, ball.options)
      .describe(),
    ": 7 elements of type hex27, ");
  const std::string text = refusal(ball, dealii::MappingQ<3>(3));
  EXPECT_CONTAINS(text, "cells of degree 2 through the places of their nodes");
  EXPECT_CONTAINS(text, "a MappingQ of degree 3, which bends or moves 6 of 7 cells");
  EXPECT_CONTAINS(text, "Assemble with MappingQ<3>(2).");
  EXPECT_CONTAINS(
    message_of<Error>([&]() { product_with(ball, nullptr, 3); }),
    "cells of degree 1 or 2, and the application assembles with a mapping of degree 3");

  CubeOfTetrahedra tetrahedra(1);
  EXPECT_CONTAINS(message_of<Error>([&]() { product_with(tetrahedra, nullptr, 2); }),
                  "has the linear mapping, and the application assembles with one of degree 2.\n"
                  "  Assemble the right-hand side with MappingFE<3>(FE_SimplexP<3>(1))");
  tetrahedra.triangulation.set_all_manifold_ids(1);
  tetrahedra.triangulation.set_manifold(1,
                                        dealii::SphericalManifold<3>(dealii::Point<3>(-1, 0, 0)));
  EXPECT_CONTAINS(refusal(tetrahedra, curved_tetrahedra),
                  "a MappingFE of degree 2, which bends or moves ");
}

TEST(StiffnessOperatorElements, TetrahedraKnowWhetherTheyAreCurved)
{
  CubeOfTetrahedra cube(2);
  cube.constraints.close();
  const auto type_is = [&](const std::string &type) {
    const StiffnessOperator<double> K(
      curved_tetrahedra, cube.dof_handler, cube.constraints, {}, cube.options);
    EXPECT_CONTAINS(K.describe(), " elements of type " + type + ", ");
  };
  type_is("tet10");
  cube.triangulation.set_all_manifold_ids(1);
  cube.triangulation.set_manifold(1, dealii::SphericalManifold<3>(dealii::Point<3>(-1, 0, 0)));
  type_is("tet10-curved");
}

// The middle of the face follows from eight vertices in one cell, and from lines in the other.
TEST(StiffnessOperatorElements, NeighboursMustAgreeOnTheirNodes)
{
  class Parabola : public dealii::Manifold<3, 3>
  {
  public:
    std::unique_ptr<dealii::Manifold<3, 3>> clone() const override
    {
      return std::make_unique<Parabola>();
    }
    dealii::Point<3> get_new_point(const dealii::ArrayView<const dealii::Point<3>> &surrounding,
                                   const dealii::ArrayView<const double> &weights) const override
    {
      dealii::Point<3> sum;
      for (unsigned int i = 0; i < weights.size(); ++i)
        sum += weights[i] * surrounding[i];
      sum[0] += 0.1 * sum[1] * (1. - sum[1]);
      return sum;
    }
  };
  Cube cube(fe_q_2);
  cube.triangulation.begin_active()->set_all_manifold_ids(1);
  cube.triangulation.set_manifold(1, Parabola());
  cube.constraints.close();
  EXPECT_EQ(cube.complaint(), "");
  EXPECT_CONTAINS(refusal(cube, dealii::MappingQ<3>(2)),
                  "The mapping puts nodes that cells share at different places, such as that at (");
}

// Filters and updates know volumes and centres alone, which are those of the cells.
TEST(StiffnessOperatorElements, DesignsAreThoseOfTheCells)
{
  Cube linear_cube, quadratic_cube(fe_q_2);
  CubeOfTetrahedra tetrahedra(2);
  TopologyOptions options;
  options.backend        = "cpu";
  options.filter_radius  = 0.6;
  options.max_iterations = 4;
  const auto objectives  = [&](Cube &cube) {
    TopologyOptimization optimization(
      cube.dof_handler, options, [&](const auto &factors, auto &energies) {
        double sum = 0.;
        for (const auto &cell : cube.triangulation.active_cell_iterators())
          {
            const unsigned int i = cell->active_cell_index();
            energies(i)          = std::exp(-2. * cell->center().norm()) / std::pow(factors(i), 2);
            sum += factors(i) * energies(i);
          }
        return sum;
      });
    std::vector<double> result;
    while (!optimization.finished())
      {
        const TopologyRecord record = optimization.iterate();
        EXPECT_NEAR(record.volume_fraction, options.volume_fraction, 1e-6);
        result.push_back(record.objective);
      }
    return result;
  };
  const std::vector<double> expected = objectives(linear_cube), found = objectives(quadratic_cube);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-12 * expected[i]);
  EXPECT_EQ(objectives(tetrahedra).size(), 4u);
}
} // namespace
} // namespace strut::test
