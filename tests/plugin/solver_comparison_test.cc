// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "tests/plugin/problem_fixture.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "plugin/studies/comparators/trilinos_ml.h"
#include "plugin/studies/comparison/designs.h"
#include "plugin/studies/comparison/report.h"
#include "plugin/studies/comparison/solve_system.h"

using namespace strut;

namespace
{
/// A beam that is bent by its right end and carries a load, so that the prescribed displacements
/// are not zero.
const std::string bent_beam =
  section("Mesh / Box", "set Size = 3, 1, 1\nset Elements = 12, 4, 4") + wall +
  section("Supports / tip", "set Boundary ids = 1\nset Components = z\nset Displacement = 0.1") +
  section("Loads / top", "set Boundary ids = 5\nset Type = total force\nset Value = 0, 1, 0");

/// Stiffness that depends on places only, so that it is the same on any number of ranks.
std::vector<double> varying_stiffness(const ElementMesh &mesh)
{
  std::vector<double> factors(mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double phase = 0.;
      for (std::size_t d = 0; d < 3; ++d)
        phase += (3. + 2. * static_cast<double>(d)) * mesh.centre(e)[d];
      factors[e] = std::pow(10., -1. + std::sin(phase));
    }
  return factors;
}

class ProblemSolversTest : public ProblemTest
{};

// Solves a deck in both ways to 1e-6, and checks their errors as JudgedSystem computes them.
TEST_F(ProblemSolversTest, MlAndStrutFindTheSameDisplacements)
{
  const Problem &problem = setup(bent_beam, true);
  const Communicator communicator(MPI_COMM_WORLD);
  const ElementMesh &mesh = problem.mesh();
  const auto factors      = varying_stiffness(mesh);
  JudgedSystem system(
    communicator, mesh, problem.hierarchy(), problem.material(), problem.load_cases());
  system.set_stiffness(factors);

  TrilinosMl ml(communicator, mesh, problem.material());
  std::vector<double> u;
  for (const double scale : {2., 1.}) // matrix and hierarchy anew
    {
      std::vector<double> scaled(factors);
      for (double &factor : scaled)
        factor *= scale;
      ml.set_stiffness(scaled);
      const auto report = ml.solve(1e-6, 1000, 100., system.right_hand_side(), u);
      EXPECT_TRUE(report.converged);
      EXPECT_GT(report.iterations, 0u);
      EXPECT_LT(report.iterations, 40u);
    }
  ASSERT_EQ(u.size(), mesh.n_owned_dofs());
  system.set_constrained(u);
  EXPECT_LE(system.residual(u), 1.01e-6);

  StateSettings settings;
  settings.strategy            = "on_the_fly";
  settings.preconditioner.name = "multigrid";
  settings.control.tolerance   = 1e-6;
  const auto backend           = make_cpu_backend(1);
  TimingTable timing;
  const auto strut_solver = make_state_solver({*backend, communicator, timing},
                                              {mesh, problem.material(), problem.hierarchy()},
                                              problem.load_cases(),
                                              settings);
  strut_solver->set_stiffness(Array<double>(backend->memory(), factors));
  strut_solver->solve(0);
  const std::vector<double> expected = strut_solver->displacement(0);
  EXPECT_LE(system.residual(expected), 1.01e-6);

  double difference = 0., largest = 0.;
  for (std::size_t i = 0; i < u.size(); ++i)
    {
      difference = std::max(difference, std::abs(u[i] - expected[i]));
      largest    = std::max(largest, std::abs(expected[i]));
    }
  difference = communicator.max(difference);
  largest    = communicator.max(largest);
  EXPECT_GE(largest, 0.1); // the end is where it shall be
  EXPECT_LE(difference, 1e-4 * largest);
  EXPECT_NEAR(system.compliance(u), system.compliance(expected), 1e-4);
}

// Out of time is a report, not an error; a vector that solves nothing is told apart.
TEST_F(ProblemSolversTest, LimitsAndResidualsAreHonest)
{
  const Problem &problem = setup(bent_beam, true);
  const Communicator communicator(MPI_COMM_WORLD);
  JudgedSystem system(
    communicator, problem.mesh(), problem.hierarchy(), problem.material(), problem.load_cases());
  system.set_stiffness(varying_stiffness(problem.mesh()));
  std::vector<double> u(problem.mesh().n_owned_dofs(), 0.);
  system.set_constrained(u);
  EXPECT_NEAR(system.residual(u), 1., 1e-12);

  TrilinosMl ml(communicator, problem.mesh(), problem.material());
  ml.set_stiffness(system.stiffness());
  const auto report = ml.solve(1e-14, 2, 100., system.right_hand_side(), u);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 2u);

  const SolverCase subject{"uniform", "cpu", "jacobi", Precision::fp64, 1};
  const SolverResult result = measure_solver(subject, system, {1e-12, 21, 100.});
  EXPECT_EQ(result.status, "stopped after 21 iterations");
  EXPECT_EQ(result.iterations, 21u);
  EXPECT_TRUE(result.measured());
}

TEST_F(ProblemSolversTest, FlatMeshesHaveABackground)
{
  std::string flat = bent_beam;
  flat.replace(flat.find("12, 4, 4"), 8, "11, 3, 3");
  const Problem &problem = setup(flat, true);
  JudgedSystem system(Communicator(MPI_COMM_WORLD),
                      problem.mesh(),
                      problem.hierarchy(),
                      problem.material(),
                      problem.load_cases());
  system.set_stiffness(varying_stiffness(problem.mesh()));
  const SolverResult result =
    measure_solver({"uniform", "cpu", "multigrid", Precision::fp64, 1}, system, {});
  EXPECT_EQ(result.status, "ok");
  EXPECT_LE(result.iterations, 20u);
}

TEST(OutputOfSolverComparison, DesignsHaveNames)
{
  EXPECT_NO_THROW(require_design("uniform"));
  EXPECT_NO_THROW(require_design("frame"));
  EXPECT_NO_THROW(require_design("20"));
  for (const std::string name : {"frames", "0", "-1", "2x", ""})
    EXPECT_THROW(require_design(name), Error) << name;
}

// Rows have as many cells as headers. Speed-ups are relative to ml for the same design, for
// converged solves.
TEST(OutputOfSolverComparison, RowsAndSpeedUps)
{
  SolverResults results;
  results.deck    = "deck";
  results.n_ranks = 2;
  results.label   = {{"program", "strut"}};
  const auto add  = [&](const std::string &design,
                       const std::string &solver,
                       const double update,
                       const double seconds,
                       const std::string &status) {
    SolverResult result;
    result.subject     = {design, "cpu", solver, Precision::fp64, 3};
    result.status      = status;
    result.update      = update;
    result.time.median = seconds;
    result.iterations  = seconds > 0. ? 10 : 0;
    results.solvers.push_back(result);
  };
  add("uniform", "ml", 1., 3., "ok");
  add("uniform", "multigrid", 0.25, 0.25, "ok");
  add("uniform", "jacobi", 0., 1., "stopped after 10 iterations");
  add("frame", "ml", 1., 1., "stopped after 10 iterations");
  add("frame", "multigrid", 1., 1., "ok");
  add("frame", "jacobi", 0., 0., "does not fit: needs 2, 1 free");

  const Table table = solver_columns(results).table(results.solvers);
  for (const auto &row : table.rows)
    ASSERT_EQ(row.size(), table.headers.size());
  const auto column = [&](const std::string &header) {
    return std::find(table.headers.begin(), table.headers.end(), header) - table.headers.begin();
  };
  const auto speed_up = column("speed-up");
  EXPECT_EQ(table.rows[0][speed_up], "1.00");
  EXPECT_EQ(table.rows[1][speed_up], "8.00");
  for (const std::size_t row : {2, 3, 4, 5})
    EXPECT_EQ(table.rows[row][speed_up], "-") << row;
  EXPECT_EQ(table.rows[1][column("ranks")], "2");
  EXPECT_EQ(table.rows[1][column("threads")], "3");
  EXPECT_EQ(table.rows[1][column("ms/iteration")], "25.00");

  std::istringstream csv(solver_columns(results).csv(results.solvers, results.label));
  std::string line;
  std::vector<long> n_commas;
  while (std::getline(csv, line))
    if (line.front() != '#')
      n_commas.push_back(std::count(line.begin(), line.end(), ','));
  ASSERT_EQ(n_commas.size(), 7u);
  for (const long n : n_commas)
    EXPECT_EQ(n, 20);
}
} // namespace
