// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Mixed precision: when cycles in float are given up, and when they are not.
#include "../fixtures/backends.h"
#include "../fixtures/cantilever_hierarchy.h"
#include "source/solvers/state/stiffness_solver.h"

#include <strut/base/exceptions.h>

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
class StiffnessSolverTest : public PlaceTest
{
protected:
  struct Result
  {
    SolverReport report;
    std::string remark;
    std::vector<double> u;
  };

  /// @param scale  factor of stiffness and forces, which does not affect u
  Result solve(const bool mixed, const double scale = 1.)
  {
    const CantileverHierarchy c({{8, 4, 4}}, 2);
    const ElementMesh &mesh = c.box.mesh;
    Material material;
    material.youngs_modulus      = scale;
    material.poisson_ratio       = poisson_ratio;
    settings.preconditioner.name = "multigrid";
    settings.precision           = mixed ? Precision::mixed : Precision::fp64;
    ElasticityOperator<double> K(backend(), Communicator(), mesh, material, "on_the_fly");
    StiffnessSolver<double> solver(execution(), K, {mesh, material, c.coarser}, settings);
    const Array<double> factors(memory(), c.frame(1e-3));
    K.set(factors);
    solver.update(factors);
    std::vector<double> load = edge_load(c.box);
    for (double &force : load)
      force *= scale;
    const Array<double> b(memory(), load);
    Array<double> u(memory(), mesh.n_dofs());
    u.set_zero();
    Result result;
    try
      {
        result.report = solver.solve(b, u);
      }
    catch (const SolverFailure &)
      {
        EXPECT_EQ(solver.take_warnings().empty(), scale == 1.); // still in float
        throw;
      }
    result.remark = solver.take_warnings();
    result.u      = u.to_host();
    return result;
  }

  /// Nearly incompressible, with one smoothing step.
  void make_slow(const double nu, const double tolerance)
  {
    poisson_ratio                  = nu;
    settings.preconditioner.values = {{"Smoothing steps", 1}};
    settings.control.tolerance     = tolerance;
  }

  StateSettings settings;
  double poisson_ratio = 0.3;
};

TEST_P(StiffnessSolverTest, StaysInFloatWhereThatConverges)
{
  settings.control.tolerance = 1e-10;
  const Result in_double = solve(false), mixed = solve(true);
  EXPECT_TRUE(mixed.report.converged);
  EXPECT_EQ(mixed.remark, "");
  EXPECT_LT(relative_difference(mixed.u, in_double.u), 1e-7);
}

// Slow is not stagnant: nearly incompressible, one smoothing step.
TEST_P(StiffnessSolverTest, StaysInFloatWhereItIsSlow)
{
  make_slow(0.49, 1e-10);
  const Result mixed = solve(true);
  EXPECT_TRUE(mixed.report.converged);
  EXPECT_GT(mixed.report.iterations, 200u);
  EXPECT_EQ(mixed.remark, "");
}

// Even less compressible: the residual of the first iterations is large and stays so.
TEST_P(StiffnessSolverTest, GoesToDoubleWhereItStagnates)
{
  make_slow(0.4999, 1e-8);
  const Result mixed = solve(true);
  EXPECT_TRUE(mixed.report.converged);
  EXPECT_NE(mixed.remark.find("in 100 iterations"), std::string::npos) << mixed.remark;
  EXPECT_GT(mixed.report.iterations, 200u); // iterations in float count
}

// At the limit it fails with that reason, whether or not the residual was checked just before.
TEST_P(StiffnessSolverTest, FailsAtTheLimit)
{
  make_slow(0.4999, 1e-8);
  for (const unsigned int limit : {5u, 100u, 130u})
    {
      settings.control.max_iterations = limit;
      try
        {
          solve(true);
          FAIL() << "converged within " << limit;
        }
      catch (const SolverFailure &failure)
        {
          EXPECT_TRUE(failure.at_limit);
          EXPECT_NE(std::string(failure.what()).find("after " + std::to_string(limit) + " "),
                    std::string::npos)
            << failure.what();
        }
    }
}

// Numbers too large for float: cycles in double solve it, also where few iterations are allowed.
TEST_P(StiffnessSolverTest, GoesToDoubleWhereFloatFails)
{
  settings.control.tolerance      = 1e-10;
  settings.control.max_iterations = 60;
  const Result in_double = solve(false), mixed = solve(true, 1e42);
  EXPECT_TRUE(mixed.report.converged);
  EXPECT_NE(mixed.remark.find("in double from here on"), std::string::npos);
  EXPECT_LT(relative_difference(mixed.u, in_double.u), 1e-7);
}

// A failure of a fallback says why another preconditioner was given up.
TEST_P(StiffnessSolverTest, FailuresNameTheFallback)
{
  settings.control.tolerance      = 1e-10;
  settings.control.max_iterations = 4;
  try
    {
      solve(true, 1e42);
      FAIL() << "converged within 4 iterations";
    }
  catch (const SolverFailure &failure)
    {
      EXPECT_TRUE(failure.at_limit);
      EXPECT_NE(failure.reason.find("after 4 iterations"), std::string::npos) << failure.reason;
      EXPECT_NE(failure.reason.find("in double from here on: in float, "), std::string::npos)
        << failure.reason;
    }
}

// If rounding keeps the residual above the tolerance, double continues from the last iterate of
// float, and the iterations of both count.
TEST_P(StiffnessSolverTest, GoesToDoubleWhereTheResidualStays)
{
  settings.control.tolerance = 1e-18;
  const Result mixed         = solve(true);
  EXPECT_FALSE(mixed.report.converged);
  EXPECT_NE(mixed.remark.find("does not fall below"), std::string::npos) << mixed.remark;
  EXPECT_LT(mixed.report.residual, 1e-11);

  settings.control.tolerance = 1e-10;
  EXPECT_GT(mixed.report.iterations, solve(true).report.iterations);
}

INSTANTIATE_TEST_SUITE_P(Core, StiffnessSolverTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
