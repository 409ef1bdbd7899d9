// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// StiffnessOperator on several ranks: refusals, triangulations of several kinds, and errors of one
// rank alone, which the others get, so that nobody waits.
#include <strut/backend/backend.h>

#include <stdexcept>
#include <tuple>

#include "source/base/registry.h"
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
      options.preconditioner   = preconditioner;
      auto K                   = application.make_operator(options);
      const SolveReport report = K.solve(x, application.F);
      EXPECT_EQ(report.preconditioner, "multigrid");
      EXPECT_LE(report.iterations, 20u);
      EXPECT_CONTAINS(K.describe(), "from level 2 on background cells");
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
      auto K = application.make_operator({"cpu", 1});
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
  auto K            = application.make_operator(options);
  SomeApplication::set_factors(K);
  application.expect_product(K, 1e-13, 1);
  for (const double scale : {1., -2.})
    {
      application.constrain(scale);
      application.assemble(true);
      K.set_prescribed_values(application.constraints);
      application.expect_solution(K, 1e-10);
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

/// Places at which rank 1 fails alone.
enum class Place
{
  nowhere,
  set_up,
  diagonal
};
Place place_of_failure = Place::nowhere;

void fail_at(const Place place)
{
  if (place == place_of_failure && rank_in(MPI_COMM_WORLD) == 1)
    throw OutOfMemory("No room for an operator.");
}

/// A copy of `on_the_fly` that can fail.
class FailingOperator : public ElementOperator<double>
{
public:
  explicit FailingOperator(std::unique_ptr<ElementOperator<double>> true_one)
    : true_one_(std::move(true_one))
  {
    fail_at(Place::set_up);
  }

  void set_stiffness(const Array<double> &factors) override
  {
    true_one_->set_stiffness(factors);
  }
  void apply(const Array<double> &x, Array<double> &y) const override
  {
    true_one_->apply(x, y);
  }
  void diagonal(Array<double> &d) const override
  {
    fail_at(Place::diagonal);
    true_one_->diagonal(d);
  }
  void energies(const Array<double> &u, Array<double> &c) const override
  {
    true_one_->energies(u, c);
  }
  OperatorCost cost() const override
  {
    return true_one_->cost();
  }

private:
  std::unique_ptr<ElementOperator<double>> true_one_;
};

class StiffnessOperatorProblemAlone : public testing::Test
{
protected:
  void SetUp() override
  {
    if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
      GTEST_SKIP() << "one rank";
    static const bool added = [] {
      Strategy<double> strategy = find_named(cpu_strategies<double>(), "on_the_fly", "strategy");
      strategy.name             = "failing";
      strategy.make             = [](Backend &backend,
                         const ElementMesh &mesh,
                         const Material &material) -> std::unique_ptr<ElementOperator<double>> {
        return std::make_unique<FailingOperator>(
          find_named(cpu_strategies<double>(), "on_the_fly", "strategy")
            .make(backend, mesh, material));
      };
      add_cpu_strategy(strategy);
      return true;
    }();
    EXPECT_TRUE(added);
    application      = std::make_unique<SomeApplication>("box", "plain");
    options.strategy = "failing";
  }

  void TearDown() override
  {
    place_of_failure = Place::nowhere;
  }

  std::unique_ptr<StiffnessOperator<double>> make_operator() const
  {
    return std::make_unique<StiffnessOperator<double>>(application->make_operator(options));
  }

  /// The message of rank 1 in the form in which this rank gets it.
  static std::string heard(const std::string &message)
  {
    return (is_alone() ? "" : "On rank 1: ") + message;
  }

  static bool is_alone()
  {
    return rank_in(MPI_COMM_WORLD) == 1;
  }

  std::unique_ptr<SomeApplication> application;
  StiffnessOptions options{"cpu", 1};
};

TEST_F(StiffnessOperatorProblemAlone, OneRankWithoutMemory)
{
  place_of_failure = Place::set_up;
  EXPECT_EQ(message_of<OutOfMemory>([&]() { make_operator(); }),
            heard(
              "No room for an operator.\n  Use StiffnessOperator<float>, another strategy, fewer "
              "elements, more MPI ranks on more GPUs, or StiffnessOptions::backend 'cpu'."));

  // the operator remains usable
  place_of_failure = Place::nowhere;
  application->assemble(false);
  TrilinosVector x(application->F);
  make_operator()->solve(x, application->F);
  EXPECT_LT(application->distance(x, application->solution()), 1e-6);
}

TEST_F(StiffnessOperatorProblemAlone, OneRankWithOtherOptions)
{
  if (is_alone())
    options.tolerance = -1.;
  EXPECT_EQ(message_of<Error>([&]() { make_operator(); }),
            heard("StiffnessOptions::tolerance is -1.000000.\n  It must be positive."));
}

TEST_F(StiffnessOperatorProblemAlone, OneRankWithOtherFactors)
{
  const auto K        = make_operator();
  const std::size_t n = application->triangulation->n_active_cells();
  dealii::Vector<double> factors(is_alone() ? n + 1 : n);
  factors = 1.;
  EXPECT_CONTAINS(message_of<Error>([&]() { K->set_factors(factors); }),
                  is_alone() ? "There are " : "On rank 1: There are ");

  // the application's own exceptions go through
  const std::string message = message_of<std::runtime_error>([&]() {
    K->set_factors([](const auto &) -> double {
      if (is_alone())
        throw std::runtime_error("nothing is known of this material");
      return 1.;
    });
  });
  EXPECT_EQ(message, heard("nothing is known of this material"));
}

TEST_F(StiffnessOperatorProblemAlone, OneRankWithOtherConstraints)
{
  const auto K = make_operator();
  dealii::AffineConstraints<double> others(application->relevant);
  others.merge(application->constraints);
  if (!is_alone())
    others.close();
  EXPECT_CONTAINS(message_of<Error>([&]() { K->set_prescribed_values(others); }),
                  heard("The constraints of the StiffnessOperator are not closed."));
}

TEST_F(StiffnessOperatorProblemAlone, OneRankWithAnotherVector)
{
  const auto K = make_operator();
  dealii::LinearAlgebra::distributed::Vector<double> x, forces;
  K->initialize_dof_vector(x);
  if (is_alone())
    forces.reinit(K->m()); // all entries
  else
    K->initialize_dof_vector(forces);
  EXPECT_CONTAINS(message_of<Error>([&]() { K->solve(x, forces); }),
                  heard("A vector does not fit the StiffnessOperator: it has other entries on this "
                        "rank (" +
                        std::to_string(K->m()) + " of them)"));
}

/// Ends all ranks within seconds, so it cannot run together with other tests.
TEST_F(StiffnessOperatorProblemAlone, DISABLED_OneRankThatTheOthersWaitFor)
{
  options.preconditioner = "jacobi";
  const auto K           = make_operator();
  place_of_failure       = Place::diagonal;
  TrilinosVector x(application->F);
  K->initialize_dof_vector(x);
  const TrilinosVector forces(x);
  K->solve(x, forces);
}
} // namespace
} // namespace strut::test
