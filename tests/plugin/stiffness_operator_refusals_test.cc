// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// What StiffnessOperator refuses, with the whole message.
#include "tests/plugin/stiffness_operator_fixture.h"

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>

#include <deal.II/grid/grid_generator.h>

#include <deal.II/numerics/vector_tools_constraints.h>

#include <strut/base/backend.h>
#include <strut/base/exceptions.h>

#include <functional>

#include "tests/plugin/distributed_problem.h"

namespace strut::plugin::test
{
namespace
{
/// One cube of 2 x 2 x 2 cells, by which the messages can be told.
class Cube
{
public:
  explicit Cube(const dealii::FiniteElement<3> &fe = dealii::FESystem<3>(dealii::FE_Q<3>(1), 3))
    : dof_handler(triangulation)
  {
    dealii::GridGenerator::subdivided_hyper_cube(triangulation, 2, 0., 1., true);
    dof_handler.distribute_dofs(fe);
  }

  /// What is wrong with an operator, or with what is done with it; empty if nothing.
  std::string complaint(const std::function<void(StiffnessOperator<double> &)> &work = [](auto &) {
  })
  {
    return message_of<Error>([&]() {
      if (!constraints.is_closed() && close)
        constraints.close();
      StiffnessOperator<double> K(dof_handler, constraints, material, options);
      work(K);
    });
  }

  /// Hold the DoFs of the face x = 0.
  void hold()
  {
    dealii::DoFTools::make_zero_boundary_constraints(dof_handler, 0, constraints);
  }

  /// The DoF of a vertex.
  dealii::types::global_dof_index dof_at(const dealii::Point<3> &x, const unsigned int d) const
  {
    for (const auto &cell : dof_handler.active_cell_iterators())
      for (const unsigned int v : cell->vertex_indices())
        if (cell->vertex(v).distance(x) < 1e-12)
          return cell->vertex_dof_index(v, d);
    return dealii::numbers::invalid_dof_index;
  }

  dealii::Triangulation<3> triangulation;
  dealii::DoFHandler<3> dof_handler;
  dealii::AffineConstraints<double> constraints;
  Material material;
  StiffnessOptions options{"cpu", 1};
  bool close = true;
};

TEST(StiffnessOperatorRefuses, ConstraintsWithEntries)
{
  Cube cube;
  cube.hold();
  const auto i = cube.dof_at({1., 0.5, 1.}, 1), j = cube.dof_at({0.5, 0.5, 1.}, 1),
             k = cube.dof_at({1., 1., 1.}, 2);
  cube.constraints.add_line(i);
  cube.constraints.add_entry(i, j, 0.25);
  cube.constraints.add_entry(i, k, -2.);
  cube.constraints.set_inhomogeneity(i, 3.);
  const auto u                = [](const auto dof) { return "u_" + std::to_string(dof); };
  const std::string the_terms = "0.25 " + u(j) + " + -2 " + u(k);
  const std::string reversed  = "-2 " + u(k) + " + 0.25 " + u(j);
  EXPECT_EQ(cube.complaint(),
            "Degree of freedom " + std::to_string(i) +
              " (displacement along y at (1, 0.5, 1)) is constrained to others: " + u(i) + " = " +
              (j < k ? the_terms : reversed) +
              " + 3.\n  StiffnessOperator can prescribe values only, not what periodicity, hanging "
              "nodes or no normal flux on oblique faces ask for; there are 1 constraints like "
              "it.\n  Leave them out, or use deal.II's own operators.");
}

TEST(StiffnessOperatorRefuses, PeriodicityAndNoNormalFluxOnObliqueFaces)
{
  Cube periodic;
  dealii::DoFTools::make_periodicity_constraints(
    periodic.dof_handler, 0, 1, 0, periodic.constraints);
  EXPECT_TRUE(contains(periodic.complaint(), "there are 27 constraints like it"));

  Cube oblique;
  oblique.triangulation.clear();
  const dealii::Point<3> corners[3] = {{1., 0.5, 0.}, {0., 1., 0.}, {0., 0., 1.}};
  dealii::GridGenerator::parallelepiped(oblique.triangulation, corners);
  oblique.triangulation.refine_global(1);
  oblique.dof_handler.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
  dealii::VectorTools::compute_no_normal_flux_constraints(oblique.dof_handler,
                                                          0,
                                                          {0},
                                                          oblique.constraints);
  EXPECT_TRUE(contains(oblique.complaint(), "is constrained to others"));
}

TEST(StiffnessOperatorRefuses, ConstraintsThatAreNotClosed)
{
  Cube cube;
  cube.hold();
  cube.close = false;
  EXPECT_EQ(cube.complaint(),
            "The constraints of the StiffnessOperator are not closed.\n  Call constraints.close() "
            "before.");
  dealii::IndexSet some(cube.dof_handler.n_dofs());
  some.add_range(0, 10);
  cube.close = true;
  cube.constraints.reinit(some);
  EXPECT_EQ(
    cube.complaint(),
    "The constraints of the StiffnessOperator know only some of the degrees of freedom that "
    "their rank owns.\n  Call constraints.reinit() with the locally relevant ones before "
    "constraining any.");
}

TEST(StiffnessOperatorRefuses, OtherElements)
{
  const auto message = [](const std::string &name) {
    return "StiffnessOperator works with FESystem<3>(FE_Q<3>(1), 3), and the DoFHandler has " +
           name + ".\n  Distribute the degrees of freedom of that element.";
  };
  EXPECT_EQ(Cube(dealii::FE_Q<3>(1)).complaint(), message("FE_Q<3>(1)"));
  EXPECT_EQ(Cube(dealii::FESystem<3>(dealii::FE_Q<3>(2), 3)).complaint(),
            message("FESystem<3>[FE_Q<3>(2)^3]"));
  EXPECT_EQ(Cube(dealii::FESystem<3>(dealii::FE_Q<3>(1), 4)).complaint(),
            message("FESystem<3>[FE_Q<3>(1)^4]"));
  const dealii::FE_Q<3> q(1);
  EXPECT_EQ(Cube(dealii::FESystem<3>(q, 1, q, 1, q, 1)).complaint(), "");

  Cube without;
  without.dof_handler.reinit(without.triangulation);
  EXPECT_EQ(without.complaint(),
            "The DoFHandler of the StiffnessOperator has no degrees of freedom.\n  Call "
            "dof_handler.distribute_dofs(fe) before.");
}

TEST(StiffnessOperatorRefuses, HangingNodes)
{
  Cube cube;
  cube.triangulation.begin_active()->set_refine_flag();
  cube.triangulation.execute_coarsening_and_refinement();
  cube.dof_handler.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
  EXPECT_EQ(cube.complaint(),
            "The mesh has hanging nodes (it is refined locally), which strut cannot use yet.\n  "
            "Refine it globally.");
}

TEST(StiffnessOperatorRefuses, VectorsThatDoNotFit)
{
  Cube cube;
  EXPECT_EQ(
    cube.complaint([](auto &K) {
      dealii::Vector<double> x(81), y(80);
      K.vmult(y, x);
    }),
    "A vector does not fit the StiffnessOperator: it has 80 entries, and the operator has 81 "
    "degrees of freedom.\n  Make it with initialize_dof_vector(), or with the DoFHandler's "
    "locally_owned_dofs().");
  EXPECT_EQ(
    cube.complaint([](auto &K) {
      dealii::Vector<double> x(81);
      K.vmult(x, x);
    }),
    "The two vectors of a product with StiffnessOperator are one.\n  They must differ, as for "
    "deal.II's matrices.");
}

TEST(StiffnessOperatorRefuses, FactorsThatAreNone)
{
  Cube cube;
  EXPECT_EQ(cube.complaint([](auto &K) { K.set_factors(dealii::Vector<double>(7)); }),
            "There are 7 stiffness factors, and 8 active cells.\n  Give one for each, by "
            "cell->active_cell_index().");
  EXPECT_EQ(cube.complaint([](auto &K) {
    dealii::Vector<float> factors(8);
    factors    = 1.f;
    factors(3) = -2.f;
    factors(5) = 0.f;
    K.set_factors(factors);
  }),
            "Of the stiffness factors, 2 are not positive and finite, such as -2 of the cell with "
            "active_cell_index() 3.\n  Give empty cells a small factor, 1e-9 say.");
}

TEST(StiffnessOperatorRefuses, EntriesBesideTheDiagonal)
{
  Cube cube;
  EXPECT_EQ(
    cube.complaint([](auto &K) { K.el(1, 2); }),
    "StiffnessOperator::el(1, 2): a matrix-free operator knows its diagonal only.\n  Assemble "
    "a SparseMatrix for what needs the other entries.");
  EXPECT_EQ(cube.complaint([](auto &K) { K.el(1, 1); }),
            "StiffnessOperator::el() needs the diagonal.\n  Call compute_diagonal() before.");
  EXPECT_EQ(cube.complaint([](auto &K) { K.get_matrix_diagonal_inverse(); }),
            "StiffnessOperator::get_matrix_diagonal_inverse() needs the diagonal.\n  Call "
            "compute_diagonal() before.");
  EXPECT_EQ(cube.complaint([](auto &K) {
    K.compute_diagonal();
    K.el(81, 81);
  }),
            "StiffnessOperator::el(81, 81): another rank owns this degree of freedom, or there is "
            "none.\n  Ask for owned ones.");
}

TEST(StiffnessOperatorRefuses, OptionsThatAreNone)
{
  Cube cube;
  cube.options.backend = "gpu";
  EXPECT_EQ(cube.complaint(), "StiffnessOptions::backend is 'gpu'.\n  It may be: auto, cuda, cpu.");
  cube.options.backend        = "cpu";
  cube.options.preconditioner = "amg";
  EXPECT_EQ(cube.complaint(),
            "StiffnessOptions::preconditioner is 'amg'.\n  It may be: auto, jacobi, multigrid.");
  cube.options.preconditioner = "jacobi";
  cube.options.precision      = "float";
  EXPECT_EQ(cube.complaint(),
            "StiffnessOptions::precision is 'float'.\n  It may be: auto, double, mixed.");
  cube.options.precision = "mixed";
  EXPECT_EQ(
    cube.complaint(),
    "StiffnessOptions ask for mixed precision, which means multigrid cycles in float, and for "
    "Jacobi.\n  Set precision or preconditioner to 'auto'.");
  cube.options          = {"cpu", 1};
  cube.options.strategy = "fast";
  EXPECT_TRUE(
    contains(cube.complaint(),
             "There is no operator strategy of the backend 'cpu' by the name 'fast'. Available: "));
  cube.options  = {"cpu", 1};
  cube.material = {1., 0.5};
  EXPECT_EQ(
    cube.complaint(),
    "The material of the StiffnessOperator has E = 1, nu = 0.5.\n  E must be positive, and nu "
    "between -1 and 0.5.");
}

TEST(StiffnessOperatorRefuses, AGpuThatIsNotThere)
{
  if (n_cuda_devices() > 0)
    GTEST_SKIP() << "there is a GPU";
  Cube cube;
  cube.options.backend = "cuda";
  EXPECT_TRUE(contains(cube.complaint(),
                       "StiffnessOptions::backend is 'cuda', but there is no GPU to use: "));
  // and auto says why it is the CPU
  cube.options.backend = "auto";
  cube.complaint(
    [](auto &K) { EXPECT_TRUE(contains(K.describe(), "backend: cpu (auto: no GPU was found, ")); });
}

TEST(StiffnessOperatorRefuses, ToSolveWithoutSupports)
{
  Cube cube;
  const auto solve = [](auto &K) {
    dealii::Vector<double> x(K.m()), f(K.m());
    f = 1.;
    K.solve(x, f);
  };
  EXPECT_EQ(
    cube.complaint(solve),
    "The constraints of the StiffnessOperator leave a rigid motion free: translation along "
    "x; translation along y; translation along z; rotation about x; rotation about y; "
    "rotation about z.\n  solve() needs a structure that is held: constrain more degrees of "
    "freedom.");
}

TEST(StiffnessOperatorRefuses, ToPassOffWhatHasNotConverged)
{
  Cube cube;
  cube.hold();
  cube.options.max_iterations = 2;
  const std::string message   = cube.complaint([](auto &K) {
    dealii::Vector<double> x(K.m()), f(K.m());
    f = 1.;
    K.solve(x, f);
  });
  EXPECT_TRUE(contains(message, "has not converged after 2 iterations (|r| / |b| = "));
  EXPECT_TRUE(
    contains(message,
             ", tolerance 1e-08).\n  Raise StiffnessOptions::max_iterations or tolerance."));
}

TEST(StiffnessOperatorRefuses, MultigridOnAFlatMesh)
{
  Cube cube;
  cube.hold();
  const auto solve = [](auto &K) {
    dealii::Vector<double> x(K.m()), f(K.m());
    f                        = 1.;
    const SolveReport report = K.solve(x, f);
    EXPECT_EQ(report.preconditioner, "jacobi");
    EXPECT_TRUE(
      contains(K.describe(),
               "solve(): Jacobi: the mesh was refined from no coarser one. Multigrid wants "
               "a coarse mesh and refine_global()"));
  };
  EXPECT_EQ(cube.complaint(solve), "");
  cube.options.preconditioner = "multigrid";
  EXPECT_EQ(
    cube.complaint(solve),
    "StiffnessOptions ask for multigrid, and there can be none: the mesh was refined from no "
    "coarser one. Multigrid wants a coarse mesh and refine_global().\n  Or set preconditioner "
    "to 'jacobi' (or 'auto').");
  cube.options.preconditioner = "auto";
  cube.options.precision      = "mixed";
  EXPECT_EQ(
    cube.complaint(solve),
    "StiffnessOptions ask for mixed precision, which means multigrid cycles in float, and "
    "there can be no multigrid: the mesh was refined from no coarser one. Multigrid wants a "
    "coarse mesh and refine_global().\n  Or set precision to 'auto'.");
}

TEST(StiffnessOperatorRefuses, MultigridWhereCellsWereCutInTwo)
{
  Cube cube;
  for (const auto &cell : cube.triangulation.active_cell_iterators())
    cell->set_refine_flag(dealii::RefinementCase<3>::cut_x);
  cube.triangulation.execute_coarsening_and_refinement();
  cube.dof_handler.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
  cube.hold();
  cube.options.preconditioner = "multigrid";
  EXPECT_EQ(
    cube.complaint([](auto &K) {
      dealii::Vector<double> x(K.m()), f(K.m());
      K.solve(x, f);
    }),
    "StiffnessOptions ask for multigrid, and there can be none: not all cells were cut into "
    "eight equally often. Multigrid wants refine_global().\n  Or set preconditioner to "
    "'jacobi' (or 'auto').");
}

TEST(StiffnessOperatorRefuses, OtherConstraintsThanBefore)
{
  Cube cube;
  cube.hold();
  EXPECT_EQ(
    cube.complaint([&](auto &K) {
      dealii::AffineConstraints<double> others;
      others.add_line(cube.dof_at({1., 1., 1.}, 0));
      others.close();
      K.set_prescribed_values(others);
    }),
    "The constraints hold other degrees of freedom than those that the StiffnessOperator was "
    "made with; only values may change.\n  Make another StiffnessOperator.");
}

TEST(StiffnessOperatorRefuses, AMeshThatHasChanged)
{
  Cube cube;
  EXPECT_EQ(
    cube.complaint([&](auto &K) {
      cube.triangulation.refine_global(1);
      cube.dof_handler.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
      K.set_factors([](const auto &) { return 1.; });
    }),
    "The mesh or its degrees of freedom have changed since the StiffnessOperator was made.\n  "
    "Make another one.");
}

/// On several ranks.
TEST(StiffnessOperatorProblemRefuses, PlainVectorsAndOtherLayouts)
{
  SomeApplication application("box", "plain");
  if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
    GTEST_SKIP() << "one rank";
  const std::string ranks = std::to_string(dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD));
  StiffnessOptions options{"cpu", 1};
  const StiffnessOperator<double> K(application.dof_handler, application.constraints, {}, options);
  dealii::Vector<double> plain(K.m());
  EXPECT_EQ(
    message_of<Error>([&]() { K.lift(plain); }),
    "dealii::Vector has all entries on each rank, and the StiffnessOperator is dealt out to " +
      ranks + " ranks.\n  Use LinearAlgebra::distributed::Vector.");

  // all entries on the first rank
  dealii::IndexSet elsewhere(K.m());
  if (rank_in(MPI_COMM_WORLD) == 0)
    elsewhere.add_range(0, K.m());
  const TrilinosVector there(elsewhere, MPI_COMM_WORLD);
  TrilinosVector here;
  K.initialize_dof_vector(here);
  EXPECT_EQ(
    message_of<Error>([&]() { K.vmult(here, there); }),
    "A vector does not fit the StiffnessOperator: it has other entries on this rank (" +
      std::to_string(elsewhere.n_elements()) + " of them), and the operator has " +
      std::to_string(application.owned.n_elements()) +
      " owned degrees of freedom there.\n  Make it with initialize_dof_vector(), or with the "
      "DoFHandler's locally_owned_dofs().");
  const TrilinosVector ghosted(application.owned, application.relevant, MPI_COMM_WORLD);
  EXPECT_EQ(message_of<Error>([&]() { K.vmult(here, ghosted); }),
            "A TrilinosWrappers::MPI::Vector with ghost entries cannot be multiplied with the "
            "StiffnessOperator.\n  Copy it to one without.");
}

TEST(StiffnessOperatorProblemRefuses, DistributedVectorsAfterComponentWiseRenumbering)
{
  SomeApplication application("box", "component-wise");
  if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
    GTEST_SKIP() << "one rank";
  const StiffnessOperator<double> K(application.dof_handler,
                                    application.constraints,
                                    {},
                                    {"cpu", 1});
  dealii::LinearAlgebra::distributed::Vector<double> x;
  EXPECT_EQ(
    message_of<Error>([&]() { K.initialize_dof_vector(x); }),
    "The degrees of freedom that a rank owns are no contiguous range of numbers, as "
    "DoFRenumbering::component_wise() leaves them on several ranks, and "
    "LinearAlgebra::distributed::Vector holds such ranges only.\n  Renumber in another way, "
    "or use TrilinosWrappers::MPI::Vector.");
}

TEST(StiffnessOperatorProblemRefuses, MultigridWithoutLevelOwners)
{
  SomeApplication application("distorted", "plain", MPI_COMM_WORLD, false);
  if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
    GTEST_SKIP() << "one rank";
  application.assemble(false);
  TrilinosVector x(application.F);
  StiffnessOptions options{"cpu", 1};
  StiffnessOperator<double> K(application.dof_handler,
                              application.constraints,
                              application.material,
                              options);
  EXPECT_EQ(K.solve(x, application.F).preconditioner, "jacobi");
  const std::string why =
    "the triangulation does not know which rank owns which coarser cell. On several ranks multigrid "
    "wants it constructed with construct_multigrid_hierarchy";
  EXPECT_TRUE(contains(K.describe(), "solve(): Jacobi: " + why));
  EXPECT_LT(application.distance(x, application.solution()), 1e-6);

  options.preconditioner = "multigrid";
  StiffnessOperator<double> M(application.dof_handler,
                              application.constraints,
                              application.material,
                              options);
  EXPECT_EQ(message_of<Error>([&]() { M.solve(x, application.F); }),
            "StiffnessOptions ask for multigrid, and there can be none: " + why +
              ".\n  Or set preconditioner to 'jacobi' (or 'auto').");
}
} // namespace
} // namespace strut::plugin::test
