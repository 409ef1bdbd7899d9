// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Multigrid with smoothed aggregation from its third level on: lattices, random structures.
#include "../fixtures/backends.h"
#include "../fixtures/lattices.h"
#include "../fixtures/random_structure.h"
#include "../fixtures/solve.h"
#include "source/solvers/krylov/jacobi.h"
#include "source/solvers/multigrid/multigrid.h"

#include <strut/solvers/state/state_solver.h>

#include <gtest/gtest.h>

#include <cmath>

namespace strut::test
{
namespace
{
using AggregationCycleTest = PlaceTest;

MultigridSettings aggregation(const std::size_t direct_dofs = 1500)
{
  MultigridSettings settings;
  settings.coarse_operators = CoarseOperators::aggregation;
  settings.direct_dofs      = direct_dofs;
  return settings;
}

/// Iterations from zero to 1e-5 with uniform stiffness.
template <typename CycleNumber>
unsigned int
comb_iterations(Backend &backend, const FlatStructure &s, const MultigridSettings &settings)
{
  const ElementMesh &mesh = s.box.mesh;
  return solve_with_multigrid<double, CycleNumber>(backend,
                                                   {mesh, Material(), s.coarser},
                                                   settings,
                                                   std::vector<double>(mesh.n_elements, 1.),
                                                   edge_load(s.box),
                                                   to_tolerance(1e-5, 100000))
    .iterations();
}

// Bars stay separate on all levels. Coarser background cells would join them, and take 98, 60 and
// 129 iterations.
TEST_P(AggregationCycleTest, Combs)
{
  EXPECT_LE(comb_iterations<double>(backend(), comb(1, 41), aggregation()), 41u);
  EXPECT_LE(comb_iterations<double>(backend(), comb(2, 41), aggregation()), 23u);
  EXPECT_LE(comb_iterations<float>(backend(), comb(2, 41), aggregation()), 24u);
  EXPECT_LE(comb_iterations<double>(backend(), comb(2, 81), aggregation()), 24u);
}

// Solid bodies take as many as with background cells.
TEST_P(AggregationCycleTest, SolidBodies)
{
  EXPECT_LE(comb_iterations<double>(backend(),
                                    FlatStructure(CellIndices{{25, 13, 13}}, 0.2),
                                    aggregation(300)),
            9u);
}

// Random supports, contrasts to 1e-9, meshes refined up to three times. There is no breakdown,
// about as few iterations as with rediscretised levels, and Jacobi's solution.
TEST_P(AggregationCycleTest, RandomStructures)
{
  for (unsigned int seed = 0; seed < 40; ++seed)
    {
      const RandomStructure c(seed);
      const ElementMesh &mesh = c.box.mesh;
      if (mesh.n_elements > 3000)
        continue;
      SCOPED_TRACE(seed);
      ElasticityOperator<double> K(backend(), Communicator(), mesh, Material(), "on_the_fly");
      const auto with = [&](StiffnessPreconditioner<double> &M, const double tolerance) {
        return solve_from_zero(backend(), K, M, c.factors, c.load, to_tolerance(tolerance, 100000));
      };
      const auto iterations = [](const SolverReport &report) {
        return report.converged ? report.iterations : 1000000u;
      };
      MultigridSettings rediscretised;
      rediscretised.direct_dofs = 300;
      const Structure structure{mesh, Material(), c.coarser};
      const auto usual      = make_multigrid<double, double>(backend(), structure, rediscretised);
      const auto aggregated = make_multigrid<double, double>(backend(), structure, aggregation(60));
      const unsigned int few = iterations(with(*usual, 1e-5).report);
      EXPECT_LE(iterations(with(*aggregated, 1e-5).report), few + few / 4 + 4);
      if (seed % 5 != 0 || c.contrast < 1e-3)
        continue;
      const std::vector<double> u = with(*aggregated, 1e-11).u;
      JacobiPreconditioner<double> jacobi(backend());
      EXPECT_LT(relative_difference(u, with(jacobi, 1e-11).u), 1e-7);
    }
}

// A shift is in the matrix of the second level: as it grows, the system becomes easier.
TEST_P(AggregationCycleTest, Shift)
{
  const FlatStructure s   = comb(1, 21);
  const ElementMesh &mesh = s.box.mesh;
  unsigned int before     = 1000;
  for (const double shift : {0., 1e-3, 1.})
    {
      ElasticityOperator<double> K(backend(), Communicator(), mesh, Material(), "on_the_fly");
      if (shift > 0.)
        K.set_shift(std::vector<double>(mesh.n_dofs(), shift));
      const auto M =
        make_multigrid<double, double>(backend(), {mesh, Material(), s.coarser}, aggregation(100));
      const unsigned int now = solve_from_zero(backend(),
                                               K,
                                               *M,
                                               std::vector<double>(mesh.n_elements, 1.),
                                               edge_load(s.box),
                                               to_tolerance(1e-5, 100000))
                                 .iterations();
      EXPECT_LE(now, before);
      before = now;
    }
  EXPECT_LE(before, 6u);
}

INSTANTIATE_TEST_SUITE_P(Core, AggregationCycleTest, at_three_threads_and_cuda(), place_name);
} // namespace
} // namespace strut::test
