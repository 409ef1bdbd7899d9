// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// A solve continues if its preconditioner fails.
#include "../fixtures/backends.h"
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/solve.h"
#include "source/element/tangent_product.h"
#include "source/solvers/state/stiffness_solver.h"

#include <strut/base/exceptions.h>
#include <strut/element/elasticity_matrix.h>

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
class PreconditionerSequenceTest : public PlaceTest
{
protected:
  PreconditionerSequenceTest() : c({{8, 4, 4}}, 2)
  {
    settings.preconditioner.name = "multigrid";
    settings.control.criterion   = SolverControl::Criterion::relative;
    settings.control.tolerance   = 1e-9;
  }

  /// Solves, and returns the displacements; `remark` gets the warnings.
  std::vector<double> solve(const bool mixed = false)
  {
    ElasticityOperator<double> K(backend(), Communicator(), c.box.mesh, Material(), "on_the_fly");
    settings.precision = mixed ? Precision::mixed : Precision::fp64;
    StiffnessSolver<double> solver(execution(), K, {c.box.mesh, Material(), c.coarser}, settings);
    const Array<double> factors(memory(), c.frame(1e-3));
    K.set(factors);
    solver.update(factors);
    const Array<double> b(memory(), edge_load(c.box));
    Array<double> u(memory(), c.box.mesh.n_dofs());
    u.set_zero();
    EXPECT_TRUE(solver.solve(b, u).converged);
    remark = solver.take_warnings();
    // A preconditioner that was given up does not return.
    solver.update(factors);
    EXPECT_TRUE(solver.solve(b, u).converged);
    EXPECT_EQ(solver.take_warnings(), "");
    return u.to_host();
  }

  /// Multigrid, and the preconditioners on which it falls back.
  PreconditionerSequence<double> from_multigrid(ElasticityOperator<double> &K,
                                                const Precision precision = Precision::fp64)
  {
    return {
      backend(), Communicator(), K, {c.box.mesh, Material(), c.coarser}, {"multigrid"}, precision};
  }

  /// The solution with the present preconditioner, which must converge.
  std::vector<double> solution(ElasticityOperator<double> &K,
                               PreconditionerSequence<double> &sequence)
  {
    const Solution found =
      solve_from_zero<double>(backend(), K, sequence.current(), edge_load(c.box), settings.control);
    EXPECT_TRUE(found.report.converged);
    return found.u;
  }

  CantileverHierarchy c;
  StateSettings settings;
  std::string remark;
};

// On inverted coarse meshes, rediscretised operators are not positive definite. Galerkin operators,
// which depend on the finest mesh only, are.
TEST_P(PreconditionerSequenceTest, GalerkinTakesOverWhereRediscretisedOperatorsFail)
{
  const std::vector<double> expected = solve();
  EXPECT_EQ(remark, "");
  for (CoarseLevel &level : c.coarser)
    for (double &x : level.mesh.coordinates)
      x = -x;
  for (const bool mixed : {false, true})
    {
      EXPECT_LT(relative_difference(solve(mixed), expected), 1e-7);
      EXPECT_EQ(remark.rfind("Multigrid with Galerkin's coarse operators from here on: ", 0), 0u)
        << remark;
      EXPECT_EQ(remark.find('\n'), std::string::npos);
    }
}

// Each one in turn solves the system, Jacobi at the end; then there is nothing left.
TEST_P(PreconditionerSequenceTest, EndsWithJacobi)
{
  for (const bool mixed : {false, true})
    {
      ElasticityOperator<double> K(backend(), Communicator(), c.box.mesh, Material(), "on_the_fly");
      const Array<double> factors(memory(), c.frame(1e-3));
      K.set(factors);
      PreconditionerSequence<double> sequence =
        from_multigrid(K, mixed ? Precision::mixed : Precision::fp64);
      sequence.update(factors);
      std::vector<double> expected;
      std::vector<std::string> names;
      for (;;)
        {
          const std::vector<double> u = solution(K, sequence);
          if (expected.empty())
            expected = u;
          EXPECT_LT(relative_difference(u, expected), 1e-7);
          if (!sequence.has_next())
            break;
          sequence.fall_back("a test asked for it");
          names.push_back(sequence.take_warnings());
        }
      std::vector<std::string> all{"Multigrid with Galerkin's coarse operators",
                                   "Multigrid with 12 smoothing steps",
                                   "Jacobi's preconditioner"};
      if (mixed)
        all.insert(all.begin(), "Multigrid cycles in double");
      ASSERT_EQ(names.size(), all.size());
      for (std::size_t k = 0; k < all.size(); ++k)
        EXPECT_EQ(names[k],
                  all[k] + " from here on: " + (mixed && k == 0 ? "in float, " : "") +
                    "a test asked for it");
      EXPECT_THROW(sequence.fall_back("nothing helps"), SolverFailure);
    }
}

/// The material's tangent in all elements.
Stiffness tangents_of(const Material &material)
{
  return Stiffness::of_fields(
    {Law::tangents, 8},
    [material](unsigned int, const unsigned int component, Array<double> &values) {
      const ElasticityMatrix solid = elasticity_matrix(material);
      for (int i = 0; i < 6; ++i)
        for (int j = i; j < 6; ++j)
          if (hexahedron::tangent_component(i, j) == static_cast<int>(component))
            values.copy_from_host(std::vector<double>(values.size(), solid.C[i][j]));
    });
}

// Galerkin's operators know no tangents: they are left out, with the steps of those after them.
TEST_P(PreconditionerSequenceTest, LeavesOutWhatKnowsNoTangents)
{
  ElasticityOperator<double> K(backend(), Communicator(), c.box.mesh, Material(), "on_the_fly");
  K.set(tangents_of(Material()));
  const Array<double> factors(memory(), c.frame(1.));
  PreconditionerSequence<double> sequence = from_multigrid(K);
  sequence.update(factors);
  for (const char *const title : {"Multigrid with 12 smoothing steps", "Jacobi's preconditioner"})
    {
      sequence.fall_back("a test asked for it");
      EXPECT_EQ(sequence.take_warnings(),
                std::string(title) + " from here on: a test asked for it");
      solution(K, sequence);
    }
  EXPECT_FALSE(sequence.has_next());
}

// The coarsest level may tell that it has no factor only when it is waited for.
TEST_P(PreconditionerSequenceTest, FallsBackWhereTheCoarsestLevelIsIndefinite)
{
  ElasticityOperator<double> K(backend(), Communicator(), c.box.mesh, Material(), "on_the_fly");
  std::vector<double> values = c.frame(1.);
  for (std::size_t e = 0; e < values.size(); ++e) // all elements in one half
    values[e] = e < values.size() / 2 ? -1. : 1.;
  const Array<double> factors(memory(), values);
  K.set(factors);
  PreconditionerSequence<double> sequence = from_multigrid(K);
  sequence.update(factors);
  sequence.finish();
  sequence.finish();
  EXPECT_FALSE(sequence.has_next());
  EXPECT_EQ(sequence.name(), "jacobi");
  EXPECT_NE(sequence.take_warnings().find("no Cholesky factor"), std::string::npos);
}

// Nothing keeps the factors of an operator that does not tell them but update().
TEST_P(PreconditionerSequenceTest, RefusesToFallBackBeforeItsUpdate)
{
  ElasticityOperator<double> K(backend(), Communicator(), c.box.mesh, Material(), "on_the_fly");
  const Array<double> factors(memory(), c.frame(1.));
  K.set(factors);
  PreconditionerSequence<double> sequence = from_multigrid(K);
  sequence.update(factors);
  K.set(tangents_of(Material()));
  EXPECT_THROW(sequence.fall_back("a test asked for it"), Error);
  sequence.update(factors);
  sequence.fall_back("a test asked for it");
  EXPECT_EQ(sequence.take_warnings(),
            "Multigrid with 12 smoothing steps from here on: a test asked for it");
}

// With tangents all cycles fail on such meshes, and the warning says so for each.
TEST_P(PreconditionerSequenceTest, TheWarningHasTheReasonsOfAllThatFailed)
{
  for (CoarseLevel &level : c.coarser)
    for (double &x : level.mesh.coordinates)
      x = -x;
  ElasticityOperator<double> K(backend(), Communicator(), c.box.mesh, Material(), "on_the_fly");
  K.set(tangents_of(Material()));
  StiffnessSolver<double> solver(execution(), K, {c.box.mesh, Material(), c.coarser}, settings);
  solver.update(Array<double>(memory(), c.frame(1.)));
  const Array<double> b(memory(), edge_load(c.box));
  Array<double> u(memory(), c.box.mesh.n_dofs());
  u.set_zero();
  EXPECT_TRUE(solver.solve(b, u).converged);
  const std::string warning = solver.take_warnings();
  EXPECT_EQ(warning.rfind("Jacobi's preconditioner from here on: ", 0), 0u) << warning;
  EXPECT_NE(warning.find("; Multigrid with 12 smoothing steps: "), std::string::npos) << warning;
  EXPECT_EQ(warning.find("Galerkin"), std::string::npos) << warning;
}

INSTANTIATE_TEST_SUITE_P(Core, PreconditionerSequenceTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
