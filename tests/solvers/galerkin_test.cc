// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Galerkin's element matrices equal P^T K P, level by level, and make a good coarse operator.
#include "../fixtures/backends.h"
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/largest_eigenvalue.h"
#include "../fixtures/solve.h"
#include "source/element/nodal_block.h"
#include "source/mesh/constrained_components.h"
#include "source/solvers/coarse/direct_solver.h"
#include "source/solvers/multigrid/multigrid.h"

#include <gtest/gtest.h>

#include <cmath>

namespace strut::test
{
namespace
{
using GalerkinTest = PlaceTest;

MultigridSettings with(const CoarseOperators kind)
{
  MultigridSettings settings;
  settings.direct_dofs      = 0; // down to the last level, however small
  settings.coarse_operators = kind;
  return settings;
}

/// A cantilever with all kinds of supports: a face, rollers, and a component of a node that has no
/// coarse counterpart.
struct HeldInManyWays : CantileverHierarchy
{
  HeldInManyWays(const std::array<std::size_t, 3> &n, const unsigned int n_coarser)
    : CantileverHierarchy(n, n_coarser)
  {
    const double h = box.options.size[0] / static_cast<double>(n[0]);
    hold(box, [&](const Position &X, const int c) {
      return (X[2] < 1e-9 && c == 2) ||
             (c == 1 && std::abs(X[0] - 3. * h) + std::abs(X[1] - h) + std::abs(X[2] - h) < 1e-9);
    });
    coarser = coarsen(box, n_coarser);
  }
};

template <typename Number>
std::vector<std::unique_ptr<LevelOperator<Number>>>
galerkin_levels(Backend &backend, const CantileverHierarchy &c, const std::vector<double> &factors)
{
  auto levels = make_level_operators<Number>(CoarseOperators::galerkin,
                                             backend,
                                             Communicator(),
                                             {c.box.mesh, Material(), c.coarser},
                                             c.coarser.size(),
                                             "on_the_fly");
  const Array<double> on_backend(backend.memory(), factors);
  for (const auto &level : levels)
    level->set(on_backend);
  return levels;
}

// K_c x = Z P^T Z K Z P Z x on each level, by the transfer and the operator of the finer one.
TEST_P(GalerkinTest, ProductIsThatOfTheFinerLevel)
{
  with_both_numbers([&](const auto tag) {
    using Number = decltype(number_of(tag));
    const HeldInManyWays c({{16, 8, 8}}, 3);
    const auto levels = galerkin_levels<Number>(backend(), c, c.frame(1e-3));
    for (std::size_t l = 0; l < c.coarser.size(); ++l)
      {
        SCOPED_TRACE(l);
        const ElementMesh &fine   = l == 0 ? c.box.mesh : c.coarser[l - 1].mesh;
        const ElementMesh &coarse = c.coarser[l].mesh;
        const auto transfer =
          make_grid_transfer<Number>(backend(), Communicator(), fine, c.coarser[l]);
        const auto x = random_free_vector<Number>(coarse, 7);
        Array<Number> on_coarse(memory(), x), product(memory(), poison<Number>(coarse.n_dofs())),
          on_fine(memory(), fine.n_dofs()), y(memory(), fine.n_dofs());
        levels[l + 1]->apply(on_coarse, product);

        transfer->prolongate(on_coarse, on_fine);
        on_fine.copy_from_host(without_constrained(on_fine.to_host(), fine));
        levels[l]->apply(on_fine, y);
        y.copy_from_host(without_constrained(y.to_host(), fine));
        transfer->restrict_to_parents(y, on_coarse);
        EXPECT_LT(relative_difference(without_constrained(product.to_host(), coarse),
                                      to_double(without_constrained(on_coarse.to_host(), coarse))),
                  rounding<Number>());
      }
  });
}

// Blocks on the diagonal: products with unit vectors.
TEST_P(GalerkinTest, DiagonalBlocksAreThoseOfTheProduct)
{
  const HeldInManyWays c({{8, 4, 4}}, 2);
  const auto levels = galerkin_levels<double>(backend(), c, c.frame(1e-2));
  for (std::size_t l = 1; l < levels.size(); ++l)
    {
      const ElementMesh &mesh = c.coarser[l - 1].mesh;
      Array<double> blocks(memory(), poison<double>(6 * mesh.n_nodes));
      levels[l]->diagonal_blocks(blocks);
      const auto values                   = blocks.to_host();
      const std::vector<bool> constrained = constrained_flags(mesh);
      for (std::size_t dof = 0; dof < mesh.n_dofs(); ++dof)
        {
          if (constrained[dof])
            continue;
          std::vector<double> unit(mesh.n_dofs(), 0.);
          unit[dof] = 1.;
          Array<double> x(memory(), unit), y(memory(), mesh.n_dofs());
          levels[l]->apply(x, y);
          const auto column = y.to_host();
          for (std::size_t i = 0; i < 3; ++i)
            if (!constrained[dof / 3 * 3 + i])
              {
                const int k =
                  NodalBlock<double>::index(static_cast<int>(i), static_cast<int>(dof % 3));
                EXPECT_NEAR(values[6 * (dof / 3) + static_cast<std::size_t>(k)],
                            column[dof / 3 * 3 + i],
                            1e-13);
              }
        }
    }
}

// The bound of the smoother holds for the present stiffness, and is close to the eigenvalue.
TEST_P(GalerkinTest, BoundOfTheSmootherHolds)
{
  const CantileverHierarchy c({{16, 8, 8}}, 2);
  for (const double contrast : {1., 1e-2, 1e-9})
    {
      const auto levels     = galerkin_levels<double>(backend(), c, c.frame(contrast));
      const auto &multigrid = backend().multigrid_operations<double>();
      for (std::size_t l = 1; l < levels.size(); ++l)
        {
          const ElementMesh &mesh = c.coarser[l - 1].mesh;
          Array<double> blocks(memory(), 6 * mesh.n_nodes);
          levels[l]->diagonal_blocks(blocks);
          multigrid.invert_blocks(mesh.n_nodes,
                                  Array<std::uint8_t>(memory(),
                                                      constrained_components(mesh.constrained_dofs,
                                                                             mesh.n_nodes)),
                                  blocks);
          const double eigenvalue =
            eigenvalue_of_smoother(backend(),
                                   blocks,
                                   random_free_vector(mesh, 5),
                                   [&](auto &x, auto &y) { levels[l]->apply(x, y); });
          EXPECT_LT(eigenvalue, levels[l]->smoother_bound());
          EXPECT_GT(eigenvalue, 0.3 * levels[l]->smoother_bound());
        }
    }
}

/// One coarse element whose children are distorted.
struct OneElement
{
  OneElement(Memory &memory,
             const std::vector<std::uint8_t> &constrained,
             const std::array<double, 3> &edges = {{1., 1., 1.}})
  {
    std::vector<double> coordinates = random_vector(81, 3, -0.1, 0.1);
    std::vector<LocalIndex> lattice;
    for (std::size_t place = 0; place < 27; ++place)
      {
        lattice.push_back(static_cast<LocalIndex>(place));
        const std::size_t at[3] = {place % 3, place / 3 % 3, place / 9};
        for (std::size_t d = 0; d < 3; ++d)
          {
            double &x = coordinates[3 * place + d];
            x         = edges[d] * (x + 0.5 * static_cast<double>(at[d]));
          }
      }
    elements.n_elements  = 1;
    elements.lattice     = Array<LocalIndex>(memory, lattice);
    elements.children    = Array<LocalIndex>(memory, {0, 1, 2, 3, 4, 5, 6, 7});
    elements.coordinates = Array<double>(memory, coordinates);
    elements.constrained = Array<std::uint8_t>(memory, constrained);
    level.n_elements = level.n_stored = 1;
    level.n_nodes                     = 8;
    level.connectivity                = {0, 1, 2, 3, 4, 5, 6, 7};
    level.constrained.assign(8, 0);
  }

  SubdividedElements elements;
  GalerkinElements level;
};

// In either precision, translation of a free element costs no energy, for any stiffness of its
// children.
TEST_P(GalerkinTest, MovingAnElementCostsNothing)
{
  with_both_numbers([&](const auto tag) {
    using Number = decltype(number_of(tag));
    const OneElement one(memory(), std::vector<std::uint8_t>(27, 0));
    const auto matrices =
      backend().multigrid_operations<Number>().make_galerkin_matrices(memory(), one.level);
    const std::vector<double> E = {1., 1e-9, 1e-9, 0.3, 1e-9, 1e-9, 1e-9, 1e-5};
    matrices->set_from_geometry(one.elements, Material(), Array<double>(memory(), E));
    Array<Number> packed(memory(), 300);
    matrices->pack(packed);
    const auto K = packed.to_host();
    for (std::size_t c = 0; c < 3; ++c)
      {
        double energy = 0., size = 0.; // energy of the translation along c
        for (std::size_t j = c; j < 24; j += 3)
          for (std::size_t i = c; i <= j; i += 3)
            {
              const auto entry = static_cast<double>(K[j * (j + 1) / 2 + i]);
              energy += i == j ? entry : 2. * entry;
              size += std::abs(entry);
            }
        EXPECT_GT(size, 0.1);
        EXPECT_NEAR(energy, 0., 1e-14);
      }
  });
}

// Beside a dense eigenvalue solver, element by element: no less, and at most 5 % more.
TEST_P(GalerkinTest, BoundOfTheSmootherIsThatOfTheElement)
{
  const std::array<double, 3> shapes[] = {{{1., 1., 1.}}, {{8., 3., 3.}}, {{4., 1., 1.}}};
  with_both_numbers([&](const auto tag) {
    using Number = decltype(number_of(tag));
    for (const double nu : {0., 0.2, 0.3, 0.45})
      for (const auto &edges : shapes)
        for (const bool is_held : {false, true})
          {
            std::vector<std::uint8_t> constrained(27, 0);
            if (is_held)
              constrained[2] = 1, constrained[13] = 2, constrained[26] = 7;
            const OneElement one(memory(), constrained, edges);
            const auto matrices =
              backend().multigrid_operations<Number>().make_galerkin_matrices(memory(), one.level);
            Material material;
            material.poisson_ratio = nu;
            for (const double contrast : {1., 1e-2, 1e-9})
              {
                const std::vector<double> E = {
                  1., contrast, contrast, 0.3, contrast, 1., contrast, contrast};
                matrices->set_from_geometry(one.elements, material, Array<double>(memory(), E));
                Array<Number> packed(memory(), 300);
                matrices->pack(packed);
                const auto upper = packed.to_host();
                double K[24][24];
                for (std::size_t j = 0; j < 24; ++j)
                  for (std::size_t i = 0; i <= j; ++i)
                    K[i][j] = K[j][i] = static_cast<double>(upper[j * (j + 1) / 2 + i]);
                const double eigenvalue = largest_eigenvalue(K);
                EXPECT_GE(matrices->smoother_bound(), eigenvalue) << nu << ' ' << edges[0];
                EXPECT_LE(matrices->smoother_bound(), 1.05 * eigenvalue) << nu << ' ' << edges[0];
              }
          }
  });
}

// Supports of fine nodes make a coarse element stiff where a child has them, and only there.
TEST_P(GalerkinTest, SupportsOfChildrenHoldTheParent)
{
  std::vector<std::uint8_t> constrained(27, 0);
  constrained[13] = 2; // the second component of the node in the middle
  const OneElement one(memory(), constrained);
  const auto matrices =
    backend().multigrid_operations<double>().make_galerkin_matrices(memory(), one.level);
  matrices->set_from_geometry(one.elements,
                              Material(),
                              Array<double>(memory(), std::vector<double>(8, 1.)));
  for (std::size_t c = 0; c < 3; ++c)
    {
      std::vector<double> moved(24, 0.);
      for (std::size_t v = 0; v < 8; ++v)
        moved[3 * v + c] = 1.;
      Array<double> y(memory(), 24);
      matrices->apply(Array<double>(memory(), moved), y);
      if (c == 1)
        EXPECT_GT(dot(moved, y.to_host()), 0.1);
      else
        EXPECT_NEAR(norm(y.to_host()), 0., 1e-13);
    }
}

// The solver of the coarsest level inverts the product of that level.
TEST_P(GalerkinTest, CoarseSolverTakesTheMatrices)
{
  const HeldInManyWays c({{8, 4, 4}}, 2);
  for (const std::size_t n_levels : {1, 2})
    {
      HeldInManyWays shallow = c;
      shallow.coarser.resize(n_levels);
      const ElementMesh &mesh = shallow.coarser.back().mesh;
      const auto levels       = galerkin_levels<double>(backend(), shallow, c.frame(1e-2));
      const auto solver = make_direct_solver<double>(backend(), Communicator(), mesh, Material());
      levels.back()->factor(*solver);
      const auto r = random_free_vector(mesh, 4);
      Array<double> on_r(memory(), r), x(memory(), r.size()), y(memory(), r.size());
      solver->finish();
      solver->solve(on_r, x);
      levels.back()->apply(x, y);
      EXPECT_LT(relative_difference(without_constrained(y.to_host(), mesh), r), 1e-10);
    }
}

// The cycle is a symmetric positive definite operator on the free DoFs, and gives 0 on the others.
TEST_P(GalerkinTest, CycleIsSymmetricAndPositiveDefinite)
{
  const HeldInManyWays c({{16, 8, 8}}, 3);
  const ElementMesh &mesh = c.box.mesh;
  Multigrid<double> multigrid(backend(),
                              Communicator(),
                              {mesh, Material(), c.coarser},
                              with(CoarseOperators::galerkin));
  multigrid.set(Array<double>(memory(), c.frame(1e-6)));
  std::vector<std::vector<double>> r, z;
  for (unsigned int k = 0; k < 5; ++k)
    {
      r.push_back(random_free_vector(mesh, 10 + k));
      z.push_back(correction_of(multigrid, r.back()));
      for (const LocalIndex dof : mesh.constrained_dofs)
        EXPECT_EQ(z.back()[dof], 0.);
      EXPECT_GT(dot(r[k], z[k]), 0.);
      for (unsigned int l = 0; l < k; ++l)
        EXPECT_NEAR(dot(r[k], z[l]), dot(r[l], z[k]), 1e-10 * std::abs(dot(r[k], z[k])));
    }
}

// Twice the same bits, in new objects.
TEST_P(GalerkinTest, ProductsHaveTheSameBits)
{
  const HeldInManyWays c({{16, 8, 8}}, 2);
  std::vector<std::vector<float>> results;
  for (int run = 0; run < 2; ++run)
    {
      const auto levels = galerkin_levels<float>(backend(), c, c.frame(1e-3));
      for (std::size_t l = 1; l < levels.size(); ++l)
        {
          const std::size_t n = c.coarser[l - 1].mesh.n_dofs();
          Array<float> x(memory(), random_vector<float>(n, 3)), y(memory(), n);
          levels[l]->apply(x, y);
          results.push_back(y.to_host());
        }
    }
  EXPECT_TRUE(same_bits(results[0], results[2]));
  EXPECT_TRUE(same_bits(results[1], results[3]));
}

template <typename Number, typename CycleNumber>
unsigned int iterations(Backend &backend,
                        const CantileverHierarchy &c,
                        const double contrast,
                        const MultigridSettings &settings)
{
  return solve_with_multigrid<Number, CycleNumber>(backend,
                                                   {c.box.mesh, Material(), c.coarser},
                                                   settings,
                                                   c.frame(contrast),
                                                   edge_load(c.box),
                                                   to_tolerance(1e-5, 500))
    .iterations();
}

// It takes no more iterations than with rediscretised levels, although it has one cycle on the
// second level where those have two, with the cycle in either precision. Without contrast both are
// equally good, so one more iteration is allowed.
TEST_P(GalerkinTest, IterationsAreNoMoreThanRediscretised)
{
  const CantileverHierarchy c({{16, 8, 8}}, 2);
  const auto settings = with(CoarseOperators::galerkin);
  for (const double contrast : {1., 1e-2, 1e-6, 1e-9})
    {
      SCOPED_TRACE(contrast);
      const unsigned int allowed =
        iterations<double, double>(backend(), c, contrast, with(CoarseOperators::rediscretised)) +
        (contrast == 1. ? 1 : 0);
      EXPECT_LE((iterations<double, double>(backend(), c, contrast, settings)), allowed);
      EXPECT_LE((iterations<double, float>(backend(), c, contrast, settings)), allowed);
    }
}

INSTANTIATE_TEST_SUITE_P(Core, GalerkinTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
