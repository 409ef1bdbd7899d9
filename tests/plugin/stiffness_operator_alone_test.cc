// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// StiffnessOperator if one rank fails alone: the others get the error, and nobody waits.
#include <strut/backend/backend.h>
#include <strut/base/registry.h>

#include <stdexcept>

#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
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
    return std::make_unique<StiffnessOperator<double>>(application->dof_handler,
                                                       application->constraints,
                                                       application->material,
                                                       options);
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
  EXPECT_TRUE(contains(message_of<Error>([&]() { K->set_factors(factors); }),
                       is_alone() ? "There are " : "On rank 1: There are "));

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
  EXPECT_TRUE(contains(message_of<Error>([&]() { K->set_prescribed_values(others); }),
                       heard("The constraints of the StiffnessOperator are not closed.")));
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
  EXPECT_TRUE(
    contains(message_of<Error>([&]() { K->solve(x, forces); }),
             heard("A vector does not fit the StiffnessOperator: it has other entries on this "
                   "rank (" +
                   std::to_string(K->m()) + " of them)")));
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
