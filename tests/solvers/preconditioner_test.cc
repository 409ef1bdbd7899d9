// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/flat_structure.h"
#include "source/solvers/krylov/jacobi.h"
#include "source/solvers/multigrid/multigrid.h"

#include <strut/base/exceptions.h>
#include <strut/solvers/krylov/preconditioner.h>
#include <strut/solvers/state/state_solver.h>

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
using Refusal = PreconditionerChoice::Refusal;

/// Damped Jacobi, `z = sum_{k < sweeps} (1 - w D^-1 K)^k w D^-1 r`: symmetric, with two parameters.
class DampedJacobi : public StiffnessPreconditioner<double>
{
public:
  DampedJacobi(Backend &backend, const double w, const unsigned int sweeps)
    : backend_(backend), jacobi_(backend), w_(w), sweeps_(sweeps)
  {}

  void update(ElasticityOperator<double> &matrix, const Array<double> &factors) override
  {
    jacobi_.update(matrix, factors);
    matrix_ = &matrix;
    for (Array<double> *v : {&rest_, &step_})
      *v = Array<double>(backend_.memory(), matrix.n_local());
  }

  void apply(const Array<double> &r, Array<double> &z) override
  {
    const auto &vectors = backend_.vector_operations<double>();
    const std::size_t n = matrix_->n_owned();
    z.set_zero();
    for (unsigned int k = 0; k < sweeps_; ++k)
      {
        matrix_->apply(z, rest_);
        vectors.xpby(n, r, -1., rest_);
        jacobi_.apply(rest_, step_);
        vectors.axpy(n, w_, step_, z);
      }
  }

private:
  Backend &backend_;
  JacobiPreconditioner<double> jacobi_;
  ElasticityOperator<double> *matrix_ = nullptr;
  const double w_;
  const unsigned int sweeps_;
  Array<double> rest_, step_;
};

struct DampedJacobiSettings
{
  double damping      = 0.3;
  unsigned int sweeps = 1;

  void declare(ParameterList &list)
  {
    list.add("Damping", damping, {-1., 1.}, ""); // below 0 it breaks down
    list.add("Sweeps", sweeps, {1, 10}, "");
  }
};

void add_damped_jacobi()
{
  static bool added = false;
  if (added)
    return;
  added = true;
  PreconditionerEntry entry;
  entry.name       = "damped jacobi";
  entry.title      = "Damped Jacobi";
  entry.parameters = parameters_of<DampedJacobiSettings>();
  entry.in_double =
    [](Backend &backend,
       const Communicator &,
       const Structure &,
       const PreconditionerSettings &settings) -> std::unique_ptr<StiffnessPreconditioner<double>> {
    const auto own = settings_from<DampedJacobiSettings>(settings.values);
    return std::make_unique<DampedJacobi>(backend, own.damping, own.sweeps);
  };
  entry.memory_estimate =
    [](const PreconditionerSettings &, Precision, const StrategyLists &, const MeshSize &size) {
      return 3. * 24. * size.n_nodes;
    };
  add_preconditioner(entry);
}

class PreconditionerTest : public PlaceTest
{
protected:
  PreconditionerTest() : c({{8, 4, 4}}, 2)
  {
    add_damped_jacobi();
  }

  SolverReport solve(const PreconditionerSettings &preconditioner)
  {
    StateSettings settings;
    settings.preconditioner    = preconditioner;
    settings.control.tolerance = 1e-9;
    const auto state           = make_state_solver(execution(),
                                         {c.box.mesh, Material(), c.coarser},
                                         {{"down", 1., edge_load(c.box)}},
                                         settings);
    state->set_stiffness(Array<double>(memory(), c.frame(0.1)));
    const SolverReport report = state->solve(0);
    work                      = state->work_of_loads(0);
    return report;
  }

  CantileverHierarchy c;
  double work = 0;
};

// An external preconditioner is chosen by its name, and its parameters are used: more sweeps, fewer
// iterations, the same solution.
TEST_P(PreconditionerTest, OneFromOutsideHasParametersOfItsOwn)
{
  const unsigned int with_jacobi = solve({"jacobi"}).iterations;
  const double expected          = work;
  const unsigned int one         = solve({"damped jacobi"}).iterations;
  EXPECT_NEAR(work, expected, 1e-7 * expected);
  EXPECT_NEAR(one, with_jacobi, 0.05 * with_jacobi + 1); // equal up to a factor
  const unsigned int three = solve({"damped jacobi", {{"Sweeps", 3.}}}).iterations;
  EXPECT_NEAR(work, expected, 1e-7 * expected);
  EXPECT_LT(three, 0.75 * one);
  EXPECT_THROW(solve({"damped jacobi", {{"Omega", 3.}}}), Error);
  EXPECT_THROW(add_preconditioner(preconditioners().front()), Error);
}

// One that is not definite is given up for Jacobi's, which needs nothing.
TEST_P(PreconditionerTest, OneThatBreaksDownEndsNoSolve)
{
  solve({"jacobi"});
  const double expected = work;
  EXPECT_TRUE(solve({"damped jacobi", {{"Damping", -1.}}}).converged);
  EXPECT_NEAR(work, expected, 1e-7 * expected);
}

INSTANTIATE_TEST_SUITE_P(Core,
                         PreconditionerTest,
                         ::testing::Values(Place::cpu_1_thread, Place::cuda),
                         place_name);

PreconditionerChoice choose(const std::string &wanted,
                            const std::size_t n_coarse_nodes,
                            const Precision precision = Precision::fp64)
{
  MeshHierarchy coarser(n_coarse_nodes > 0 ? 1 : 0); // its elements are not used
  for (CoarseLevel &level : coarser)
    level.mesh.n_nodes = level.mesh.n_owned_nodes = n_coarse_nodes;
  return choose_preconditioner(wanted, precision, Communicator(), {ElementMesh(), {}, coarser});
}

// "auto" takes the best available preconditioner, and says why it is no better one. A named one
// that cannot be made is refused.
TEST(ChoosePreconditioner, TheBestThatCanBeMade)
{
  EXPECT_EQ(choose("auto", 10).name, "multigrid");
  EXPECT_EQ(choose("auto", 10).obstacle, "");
  for (const std::size_t n : {std::size_t(0), most_coarse_dofs / 3 + 1})
    {
      EXPECT_EQ(choose("auto", n).name, "jacobi");
      EXPECT_NE(choose("auto", n).obstacle, "");
      EXPECT_EQ(choose("auto", n).refusal, Refusal::none);
      EXPECT_EQ(choose("auto", n, Precision::fp32).refusal, Refusal::none);
      EXPECT_EQ(choose("auto", n, Precision::mixed).refusal, Refusal::precision);
      EXPECT_EQ(choose("multigrid", n).refusal, Refusal::preconditioner);
    }
  EXPECT_EQ(choose("jacobi", 10).name, "jacobi");
  EXPECT_EQ(choose("jacobi", 10, Precision::mixed).refusal, Refusal::precision);
  EXPECT_THROW(choose("none", 10), Error);

  add_damped_jacobi();
  EXPECT_EQ(choose("damped jacobi", 0).text, "damped jacobi");
  EXPECT_EQ(choose("damped jacobi", 0, Precision::fp32).refusal, Refusal::precision);
  EXPECT_EQ(choose("auto", 0).name, "jacobi");
}

// Parameters that a structure does not allow are named before anything is made.
TEST(Conflicts, OfMultigrid)
{
  const auto refused = [](const FlatStructure &flat, const ParameterValues &values) {
    PreconditionerSettings settings;
    settings.name   = "multigrid";
    settings.values = values;
    const Communicator alone;
    const Structure structure{flat.box.mesh, Material(), flat.coarser};
    return find_conflict(settings, {alone, structure});
  };
  FlatStructure flat(CellIndices{{15, 9, 9}});
  EXPECT_FALSE(refused(flat, {}).has_value());
  EXPECT_FALSE(
    refused(flat, {{"Coarse operators", "aggregation"}, {"Rigid pieces", "yes"}}).has_value());
  const auto galerkin = refused(flat, {{"Coarse operators", "galerkin"}});
  ASSERT_TRUE(galerkin.has_value());
  EXPECT_EQ(galerkin->name, "Coarse operators");
  EXPECT_NE(galerkin->reason.find("such cells from level 2 on"), std::string::npos)
    << galerkin->reason;
  flat.box.mesh.dependent.dofs.push_back(100);
  EXPECT_EQ(refused(flat, {{"Coarse operators", "galerkin"}})
              ->reason.find("Galerkin's coarse operators know no hanging"),
            0u);
  EXPECT_EQ(refused(flat, {{"Rigid pieces", "yes"}})->name, "Rigid pieces");
}
} // namespace
} // namespace strut::test
