// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// StiffnessOperator on several ranks: refusals, and triangulations of several kinds.
#include <tuple>

#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
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

// If deal.II does not know the owners of coarser cells, the mesh has background cells, over all
// ranks.
TEST(StiffnessOperatorProblemSolves, WithBackgroundCellsWithoutLevelOwners)
{
  SomeApplication application("distorted",
                              "plain",
                              MPI_COMM_WORLD,
                              SomeApplication::Kind::without_level_owners);
  if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
    GTEST_SKIP() << "one rank";
  application.assemble(false);
  for (const char *const preconditioner : {"auto", "multigrid"})
    {
      TrilinosVector x(application.F);
      StiffnessOptions options{"cpu", 1};
      options.preconditioner = preconditioner;
      StiffnessOperator<double> K(application.dof_handler,
                                  application.constraints,
                                  application.material,
                                  options);
      const SolveReport report = K.solve(x, application.F);
      EXPECT_EQ(report.preconditioner, "multigrid");
      EXPECT_LE(report.iterations, 20u);
      EXPECT_TRUE(contains(K.describe(), "from level 2 on background cells"));
      EXPECT_LT(application.distance(x, application.solution()), 1e-6);
    }
}

// deal.II's levels of a fully distributed mesh lack the owners of parents on other ranks.
TEST(StiffnessOperatorProblemSolves, WithMultigridOnFullyDistributedMeshes)
{
  for (const auto kind : {SomeApplication::Kind::fully_distributed,
                          SomeApplication::Kind::fully_distributed_with_levels})
    {
      SomeApplication application("cube", "plain", MPI_COMM_WORLD, kind);
      application.assemble(false);
      StiffnessOperator<double> K(application.dof_handler,
                                  application.constraints,
                                  application.material,
                                  {"cpu", 1});
      TrilinosVector x(application.F);
      const SolveReport report = K.solve(x, application.F);
      EXPECT_EQ(report.preconditioner, "multigrid");
      EXPECT_LE(report.iterations, 30u);
      EXPECT_EQ(contains(K.describe(), "on background cells"),
                dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) > 1)
        << K.describe();
    }
}

/// Parameters: a mesh, a numbering, and its distribution.
class StiffnessOperatorProblemDealtOut
  : public testing::TestWithParam<std::tuple<const char *, const char *, SomeApplication::Kind>>
{};

TEST_P(StiffnessOperatorProblemDealtOut, MultipliesAndSolves)
{
  const auto [mesh, numbering, kind] = GetParam();
  SomeApplication application(mesh, numbering, MPI_COMM_WORLD, kind);
  application.assemble(true);
  StiffnessOptions options{"cpu", 1};
  options.tolerance = 1e-13;
  StiffnessOperator<double> K(application.dof_handler,
                              application.constraints,
                              application.material,
                              options);
  K.set_factors([](const auto &cell) { return SomeApplication::factor(cell->center()); });
  TrilinosVector x(application.random_vector(1)), y;
  K.initialize_dof_vector(y);
  K.vmult(y, x);
  EXPECT_LT(application.distance(y, application.product(x)), 1e-13);

  for (const double scale : {1., -2.})
    {
      application.constrain(scale);
      application.assemble(true);
      K.set_prescribed_values(application.constraints);
      EXPECT_TRUE(K.solve(x, application.F).converged);
      EXPECT_LT(application.distance(x, application.solution()), 1e-10);
    }
}

constexpr auto distributed       = SomeApplication::Kind::distributed,
               shared            = SomeApplication::Kind::shared,
               fully_distributed = SomeApplication::Kind::fully_distributed,
               with_levels       = SomeApplication::Kind::fully_distributed_with_levels;
INSTANTIATE_TEST_SUITE_P(Kinds,
                         StiffnessOperatorProblemDealtOut,
                         testing::Values(std::make_tuple("few", "plain", distributed),
                                         std::make_tuple("few", "random", shared),
                                         std::make_tuple("few", "plain", fully_distributed),
                                         std::make_tuple("box", "plain", shared),
                                         std::make_tuple("distorted", "random", shared),
                                         std::make_tuple("box", "plain", fully_distributed),
                                         std::make_tuple("distorted", "random", fully_distributed),
                                         std::make_tuple("box", "plain", with_levels),
                                         std::make_tuple("ball", "random", with_levels),
                                         std::make_tuple("cube", "random", with_levels),
                                         std::make_tuple("cube", "plain", fully_distributed)));
} // namespace
} // namespace strut::test
