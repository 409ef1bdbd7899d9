// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Multigrid with supports that end anywhere.
#include "../fixtures/backends.h"
#include "../fixtures/random_structure.h"
#include "../fixtures/solve.h"
#include "source/mesh/constrained_components.h"
#include "source/solvers/coarse/direct_solver.h"
#include "source/solvers/krylov/jacobi.h"
#include "source/solvers/multigrid/multigrid.h"
#include "source/solvers/multigrid/smoother_bound.h"
#include "source/solvers/multigrid/support_springs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace strut::test
{
namespace
{
using SupportSpringsTest = PlaceTest;

/// Structures that a test uses: the small ones among the first so many.
constexpr unsigned int n_structures = 100;

bool is_small(const RandomStructure &c)
{
  return c.box.mesh.n_nodes <= 3000;
}

/// The largest eigenvalue of P B^-1 P^T A on two levels, where B is the coarse operator with or
/// without springs. It bounds how much softer B is than Galerkin's P^T A P.
double softness(Backend &backend, const RandomStructure &c, const bool with_springs)
{
  const ElementMesh &mesh = c.box.mesh, &coarse = c.coarser[0].mesh;
  Memory &memory = backend.memory();
  const Array<double> factors(memory, c.factors);
  const Array<std::uint8_t> fine_components(memory,
                                            constrained_components(mesh.constrained_dofs,
                                                                   mesh.n_nodes)),
    coarse_components(memory, constrained_components(coarse.constrained_dofs, coarse.n_nodes));
  const Array<LocalIndex> fine_dofs(memory, mesh.constrained_dofs),
    coarse_dofs(memory, coarse.constrained_dofs);
  const LevelSupports<double> on_fine{mesh, fine_components, fine_dofs, nullptr},
    on_coarse{coarse, coarse_components, coarse_dofs, nullptr};

  auto levels         = make_level_operators<double>(CoarseOperators::rediscretised,
                                             backend,
                                             Communicator(),
                                             {mesh, Material(), c.coarser},
                                             1,
                                             "on_the_fly");
  const auto transfer = make_grid_transfer<double>(backend, Communicator(), mesh, c.coarser[0]);
  const auto solver   = make_direct_solver<double>(backend, Communicator(), coarse, Material());
  Array<double> blocks(memory, 6 * mesh.n_nodes), x(memory, mesh.n_dofs()),
    y(memory, mesh.n_dofs());
  Array<double> r(memory, coarse.n_dofs()), z(memory, coarse.n_dofs());
  levels[0]->set(factors);
  levels[1]->set(factors);
  levels[0]->diagonal_blocks(blocks);
  SupportSprings<double> springs(backend, on_coarse, std::move(levels[1]));
  springs.update(on_fine, blocks, *transfer, y, [](auto &) {});
  if (!with_springs)
    z.copy_from_host(std::vector<double>(coarse.n_dofs(), 1e-12)); // B alone may be singular
  solver->set_diagonal(AddedDiagonal::springs, with_springs ? springs.springs() : z);
  levels[1] = nullptr;
  {
    std::vector<double> means(coarse.n_elements, 0.);
    for (std::size_t e = 0; e < coarse.n_elements; ++e)
      for (std::size_t k = 0; k < 8; ++k)
        means[e] += c.factors[c.coarser[0].transfer.children[k * coarse.n_elements + e]] / 8.;
    solver->set(Array<double>(memory, means));
    solver->finish();
  }

  const auto &vectors = backend.vector_operations<double>();
  double eigenvalue   = 0.;
  x.copy_from_host(random_vector<double>(mesh.n_dofs(), 7));
  for (int k = 0; k < 40; ++k)
    {
      vectors.set(fine_dofs, 0., x);
      levels[0]->apply(x, y);
      vectors.set(fine_dofs, 0., y);
      transfer->restrict_to_parents(y, r);
      solver->solve(r, z);
      transfer->prolongate(z, x);
      vectors.set(fine_dofs, 0., x);
      const double size = std::sqrt(vectors.dot(mesh.n_dofs(), x, x));
      if (k > 0)
        eigenvalue = size;
      vectors.fill(mesh.n_dofs(), 0., y);
      vectors.axpy(mesh.n_dofs(), 1. / size, x, y);
      vectors.copy(mesh.n_dofs(), y, x);
    }
  return eigenvalue;
}

// doc/theory.md: P^T A P <= 2 max(kappa, lambda) (B + S). kappa is 4.1 with contrast, and 1 without
// if no element is distorted; lambda is at most three times the bound of the smoother. Without
// springs there is no bound.
TEST_P(SupportSpringsTest, BoundTheGalerkinOperatorWhateverTheSupports)
{
  double worst_without = 0.;
  for (unsigned int seed = 0; seed < n_structures; ++seed)
    {
      const RandomStructure c(seed);
      if (!is_small(c))
        continue;
      const double bound = smoother_bound(c.box.mesh, Material());
      const double kappa = c.contrast == 1. && c.box.options.distortion == 0. ? 1. : 4.5;
      const double with  = softness(backend(), c, true);
      EXPECT_LT(with, 2. * std::max(kappa, 3. * bound)) << "seed " << seed;
      worst_without = std::max(worst_without, softness(backend(), c, false));
    }
  EXPECT_GT(worst_without, 1e3); // the structures are such that it matters
}

/// Solves by conjugate gradients from zero; throws if they break down.
Solution solve(Backend &backend,
               const RandomStructure &c,
               StiffnessPreconditioner<double> &M,
               const double tolerance)
{
  ElasticityOperator<double> K(backend, Communicator(), c.box.mesh, Material(), "on_the_fly");
  return solve_from_zero(backend, K, M, c.factors, c.load, to_tolerance(tolerance, 100000));
}

constexpr unsigned int not_converged = 1000000;

/// Void alone holds the structure, by a hinge for example: in void of twice the stiffness the work
/// of the loads is half of what it was.
bool void_alone_holds(Backend &backend, RandomStructure c)
{
  const auto work = [&] {
    const auto M = make_multigrid<double, double>(backend, {c.box.mesh, Material(), c.coarser}, {});
    return dot(c.load, solve(backend, c, *M, 1e-7).u);
  };
  const double of_void = work();
  for (double &factor : c.factors)
    if (factor == c.contrast)
      factor *= 2.;
  return c.contrast < 1. && of_void > 1.9 * work();
}

// There is no breakdown, and there are few iterations, in double and with cycles in float. The work
// of the loads is that of Jacobi.
TEST_P(SupportSpringsTest, ConjugateGradientsTakeAboutAsManyIterationsAsWithGalerkin)
{
  unsigned int n_at_rounding = 0;
  for (unsigned int seed = 0; seed < n_structures; ++seed)
    {
      const RandomStructure c(seed);
      if (!is_small(c))
        continue;
      MultigridSettings settings;
      settings.direct_dofs = 300; // many levels
      std::vector<double> u;
      const auto with_cycles = [&](auto number, const double tolerance) {
        const auto M         = make_multigrid<double, decltype(number)>(backend(),
                                                                {c.box.mesh, Material(), c.coarser},
                                                                settings);
        const Solution found = solve(backend(), c, *M, tolerance);
        u                    = found.u;
        return found.report.converged ? found.report.iterations : not_converged;
      };
      const unsigned int in_double = with_cycles(1., 1e-5), in_float = with_cycles(1.f, 1e-5);
      settings.coarse_operators   = CoarseOperators::galerkin;
      const unsigned int galerkin = with_cycles(1., 1e-5);
      // For structures that only void of 1e-9 holds, joined to their supports by a hinge, rounding
      // decides.
      n_at_rounding += galerkin == not_converged ? 1 : 0;
      EXPECT_LE(in_double, galerkin + galerkin / 4 + 4) << "seed " << seed;
      // Where void alone holds the structure, rounding of float decides. Seed 32 takes 29 in
      // double. In float it takes 29 to 33 if its stiffness changes by 1e-7, and took 44 with
      // sums in any order.
      if (in_float > in_double + 2 + in_double / 8)
        {
          EXPECT_LE(in_float, 2 * in_double) << "seed " << seed;
          EXPECT_TRUE(void_alone_holds(backend(), c)) << "seed " << seed;
        }
      EXPECT_LE(in_double,
                c.contrast == 1.            ? 20u
                : galerkin == not_converged ? not_converged
                                            : 150u)
        << "seed " << seed;

      if (seed % 10 != 0 || c.contrast < 1e-3)
        continue;
      settings.coarse_operators = CoarseOperators::rediscretised;
      with_cycles(1., 1e-8);
      const double work = dot(c.load, u);
      JacobiPreconditioner<double> jacobi(backend());
      EXPECT_NEAR(work, dot(c.load, solve(backend(), c, jacobi, 1e-8).u), 1e-8 * std::abs(work))
        << "seed " << seed;
    }
  EXPECT_LE(n_at_rounding, 2u);
}

INSTANTIATE_TEST_SUITE_P(Core,
                         SupportSpringsTest,
                         ::testing::Values(Place::cpu_1_thread, Place::cuda),
                         place_name);
} // namespace
} // namespace strut::test
