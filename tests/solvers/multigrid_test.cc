// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/interpolation_lists.h"
#include "../fixtures/solve.h"
#include "source/element/nodal_block.h"
#include "source/solvers/multigrid/multigrid.h"
#include "source/solvers/multigrid/smoother_bound.h"

#include <strut/solvers/state/state_solver.h>

#include <gtest/gtest.h>

#include <cmath>

namespace strut::test
{
namespace
{
using MultigridTest = PlaceTest;

/// Settings with all levels, however small.
MultigridSettings all_levels()
{
  MultigridSettings settings;
  settings.direct_dofs = 0;
  return settings;
}

// A word has room for the last of 2^27 coarse elements and each place in it.
TEST(NodeInterpolation, NumbersElementsAndPlaces)
{
  const std::uint32_t last = (1u << 27) - 1;
  for (std::uint32_t number = 0; number < 27; ++number)
    {
      const std::uint32_t entry = last << NodeInterpolation::bits_of_place | number;
      EXPECT_EQ(entry >> NodeInterpolation::bits_of_place, last);
      const LatticePlace place = NodeInterpolation::place(entry);
      // Vertex v has a part unless the place is at the other end in one direction.
      std::vector<std::uint32_t> expected, found;
      for (std::uint32_t v = 0; v < 8; ++v)
        {
          bool has_part = true;
          for (std::uint32_t d = 0, rest = number; d < 3; ++d, rest /= 3)
            has_part = has_part && rest % 3 != 2 * (1 - (v >> d & 1u));
          if (has_part)
            expected.push_back(v);
        }
      place.for_each_vertex([&](const std::uint32_t v) { found.push_back(v); });
      EXPECT_EQ(found, expected);
      EXPECT_EQ(std::size_t(1) << place.log2_parents(), expected.size());
      EXPECT_EQ(LatticePlace::weight<float>(place.log2_parents()),
                1.f / static_cast<float>(expected.size()));
    }
}

// P reproduces linear functions between regular meshes, and P^T is its transpose.
TEST_P(MultigridTest, InterpolationIsLinearAndHasItsTranspose)
{
  with_both_numbers([&](const auto tag) {
    using Number = decltype(number_of(tag));
    const CantileverHierarchy c({{4, 2, 6}}, 1, 0.);
    const ElementMesh &fine = c.box.mesh, &coarse = c.coarser[0].mesh;
    const auto transfer = make_grid_transfer<Number>(backend(), Communicator(), fine, c.coarser[0]);
    const auto linear   = [](const ElementMesh &mesh) {
      std::vector<Number> values;
      for (std::size_t node = 0; node < mesh.n_nodes; ++node)
        for (int i = 0; i < 3; ++i)
          values.push_back(static_cast<Number>(1. + i + mesh.coordinates[node] -
                                               (i + 2.) * mesh.coordinates[mesh.n_nodes + node] +
                                               0.5 * mesh.coordinates[2 * mesh.n_nodes + node]));
      return values;
    };
    Array<Number> on_coarse(memory(), linear(coarse)), on_fine(memory(), fine.n_dofs());
    transfer->prolongate(on_coarse, on_fine);
    EXPECT_LT(relative_difference(on_fine.to_host(), to_double(linear(fine))),
              10. * rounding<Number>());

    const auto u = random_vector<Number>(fine.n_dofs(), 1);
    const auto v = random_vector<Number>(coarse.n_dofs(), 2);
    Array<Number> Pv(memory(), fine.n_dofs()), PTu(memory(), coarse.n_dofs());
    transfer->prolongate(Array<Number>(memory(), v), Pv);
    transfer->restrict_to_parents(Array<Number>(memory(), u), PTu);
    EXPECT_NEAR(dot(u, Pv.to_host()), dot(PTu.to_host(), v), 1e3 * rounding<Number>());
  });
}

// Restriction sums the children in their order, with the same bits as from the places alone. On a
// GPU, warps sum the children of a node on small levels in a different order; on large levels four
// lanes sum in the CPU's order.
TEST_P(MultigridTest, RestrictionHasTheBitsOfTheSumOverChildren)
{
  for (const std::size_t n : {4, 80})
    {
      BoxOptions options       = BoxOptions::regular({{n, n, n}});
      options.shuffle_nodes    = n == 4;
      options.shuffle_elements = n == 4;
      const BoxMesh box        = make_box(options);
      const auto coarser       = coarsen(box, 1);
      const double share       = expect_lists(box.mesh, coarser[0].transfer);
      if (n == 80)
        {
          EXPECT_LT(share, 0.01); // for lines of nodes
        }
      const auto places   = InterpolationTables::build(box.mesh, coarser[0].transfer, 1).places;
      const auto children = children_by_places(places, coarser[0].transfer);
      with_both_numbers([&](const auto tag) {
        using Number = decltype(number_of(tag));
        const auto u = random_vector<Number>(box.mesh.n_dofs(), 1);
        const auto transfer =
          make_grid_transfer<Number>(backend(), Communicator(), box.mesh, coarser[0]);
        Array<Number> PTu(memory(), coarser[0].mesh.n_dofs());
        transfer->restrict_to_parents(Array<Number>(memory(), u), PTu);
        std::vector<Number> expected;
        for (const auto &of_node : children)
          for (std::size_t c = 0; c < 3; ++c)
            {
              Number sum = 0;
              for (const auto &[child, log2_parents] : of_node)
                sum += u[3 * std::size_t(child) + c] / static_cast<Number>(1u << log2_parents);
              expected.push_back(sum);
            }
        if (memory().is_host() || n == 80)
          EXPECT_EQ(PTu.to_host(), expected);
        else
          EXPECT_LT(relative_difference(PTu.to_host(), to_double(expected)),
                    10. * rounding<Number>());
      });
    }
}

// The bound of the smoother holds for factors of large contrast, and is close to the eigenvalue.
TEST_P(MultigridTest, BoundOfTheSmootherHolds)
{
  const CantileverHierarchy c({{8, 4, 4}}, 1);
  const ElementMesh &mesh = c.box.mesh;
  const double bound      = smoother_bound(mesh, Material());
  ElasticityOperator<double> K(backend(), Communicator(), mesh, Material(), "on_the_fly");
  K.set(Array<double>(memory(), c.frame(1e-6)));
  Array<double> blocks(memory(), 6 * mesh.n_nodes);
  K.element_operator().diagonal_blocks(blocks);
  const auto &multigrid = backend().multigrid_operations<double>();
  multigrid.invert_blocks(mesh.n_nodes, Array<std::uint8_t>(memory(), mesh.n_nodes), blocks);
  const double eigenvalue =
    eigenvalue_of_smoother(backend(),
                           blocks,
                           random_vector(mesh.n_dofs(), 5),
                           [&](auto &x, auto &y) { K.apply_unconstrained(x, y); });
  EXPECT_LT(eigenvalue, bound);
  EXPECT_GT(eigenvalue, 0.5 * bound);
}

// The cycle M^-1 is a symmetric positive definite operator on the free DoFs, and gives 0 on the
// others. The iteration x -= M^-1 K x converges: 0 < r^T M^-1 r < 2 r^T x with r = K x. This holds
// also with many smoothing steps and long stiff elements that touch no other, where the largest
// eigenvalue is that of an element. With a bound that is 10 % too small, r^T M^-1 r would be 4 r^T
// x.
TEST_P(MultigridTest, CycleIsSymmetricAndPositiveDefinite)
{
  for (const bool is_long : {false, true})
    {
      const CantileverHierarchy c({{8, 4, 4}},
                                  2,
                                  is_long ? 0. : 0.15,
                                  {{is_long ? 16. / 3. : 2., 1., 1.}});
      const ElementMesh &mesh = c.box.mesh;
      Material material;
      MultigridSettings settings = all_levels();
      if (is_long)
        {
          material.poisson_ratio   = 0.2;
          settings.smoothing_steps = 6;
        }
      std::vector<double> stiffness = c.frame(1e-6);
      if (is_long)
        for (std::size_t e = 0; e < mesh.n_elements; ++e)
          {
            const auto &at = c.box.element_at[e];
            stiffness[e]   = at[0] % 2 == 1 && at[1] % 2 == 1 && at[2] % 2 == 1 ? 1. : 1e-2;
          }
      const Array<double> factors(memory(), stiffness);
      ElasticityOperator<double> K(backend(), Communicator(), mesh, material, "on_the_fly");
      K.set(factors);
      Multigrid<double> multigrid(backend(), Communicator(), {mesh, material, c.coarser}, settings);
      multigrid.set(factors);
      expect_symmetric_positive(memory(), K, multigrid, mesh, 12, true);
    }
}

// Later cycles equal the first, although a device replays a recording of it: for another stiffness,
// part of which is zero, for other laws, and with a shift.
TEST_P(MultigridTest, RepeatedCyclesDoTheSame)
{
  const CantileverHierarchy c({{8, 4, 4}}, 2);
  const ElementMesh &mesh = c.box.mesh;
  std::vector<double> r   = random_free_vector(mesh, 3);
  const auto make         = [&]() {
    return std::make_unique<Multigrid<double>>(backend(),
                                               Communicator(),
                                               Structure{mesh, Material(), c.coarser},
                                               all_levels());
  };
  std::vector<double> holes = c.frame(1e-6);
  for (std::size_t e = 0; e < holes.size() / 3; ++e)
    holes[e] = 0.;
  const Array<double> shift(memory(), std::vector<double>(mesh.n_dofs(), 0.1)),
    of_frame(memory(), c.frame(1e-6)), of_holes(memory(), holes),
    ones(memory(), std::vector<double>(holes.size(), 1.));
  const Stiffness lame = Stiffness::of_lame(ones, of_frame);
  const Stiffness tangents =
    Stiffness::of_fields({Law::tangents, 8},
                         [&](const unsigned int q, const unsigned int k, Array<double> &values) {
                           const bool is_normal = k == 0 || k == 6 || k == 11;
                           const bool is_shear  = k == 15 || k == 18 || k == 20;
                           values.copy_from_host(std::vector<double>(values.size(),
                                                                     is_normal  ? 3. + 0.1 * q
                                                                     : is_shear ? 1.
                                                                                : 0.));
                         });
  const auto again = make();
  for (const bool shifted : {false, true})
    for (const Stiffness &stiffness :
         std::vector<Stiffness>{of_frame, of_holes, lame, tangents, ones, lame})
      for (const unsigned int n : {1u, 2u})
        {
          const auto once = make();
          for (Multigrid<double> *const multigrid : {once.get(), again.get()})
            {
              if (shifted)
                multigrid->set_shift(shift);
              multigrid->set(stiffness);
            }
          const auto expected = correction_of(*once, r, n);
          const double tolerance =
            stiffness.law() == Law::tangents ? 1e-9 : 1e-12; // estimated bound
          for (int repetition = 0; repetition < 3; ++repetition)
            EXPECT_LT(relative_difference(correction_of(*again, r, n), expected), tolerance);
          EXPECT_EQ(again->is_recorded(), !memory().is_host());
        }
}

// With two levels, an exact coarse solve and uniform stiffness, the iteration x += M^-1 (b - K x)
// converges fast; with one smoothing step slower.
TEST_P(MultigridTest, CycleContracts)
{
  const CantileverHierarchy c({{8, 4, 4}}, 2, 0.);
  const ElementMesh &mesh = c.box.mesh;
  ElasticityOperator<double> K(backend(), Communicator(), mesh, Material(), "on_the_fly");
  for (const unsigned int steps : {1u, 3u})
    {
      MultigridSettings settings = all_levels();
      settings.smoothing_steps   = steps;
      Multigrid<double> multigrid(backend(),
                                  Communicator(),
                                  {mesh, Material(), c.coarser},
                                  settings);
      multigrid.set(Array<double>(memory(), std::vector<double>(mesh.n_elements, 1.)));
      std::vector<double> e = random_free_vector(mesh, 3);
      double energy = 0., last_energy = 0.;
      for (int k = 0; k < 12; ++k)
        {
          Array<double> x(memory(), e), y(memory(), e.size());
          K.apply(x, y);
          last_energy                 = energy;
          energy                      = dot(e, y.to_host());
          const std::vector<double> z = correction_of(multigrid, y.to_host());
          for (std::size_t i = 0; i < e.size(); ++i)
            e[i] -= z[i];
        }
      const double contraction = std::sqrt(energy / last_energy);
      EXPECT_LT(contraction, steps == 1 ? 0.7 : 0.35) << steps;
    }
}

/// A preconditioner that accepts residuals in double only, in any internal precision.
template <typename Number>
class WithoutFloat : public Preconditioner<Number>
{
public:
  explicit WithoutFloat(Preconditioner<Number> &M) : M_(M)
  {}

  void apply(const Array<Number> &r, Array<Number> &z) override
  {
    M_.apply(r, z);
  }

private:
  Preconditioner<Number> &M_;
};

/// Iterations of a solve from zero. @param stiffness  factors of the elements @param takes_float
/// whether the direction may be in float
template <typename Number, typename CycleNumber>
unsigned int iterations(Backend &backend,
                        const CantileverHierarchy &c,
                        const std::vector<double> &stiffness,
                        const double tolerance             = 1e-5,
                        const Material &material           = {},
                        const unsigned int smoothing_steps = 0,
                        const bool takes_float             = true)
{
  const ElementMesh &mesh    = c.box.mesh;
  MultigridSettings settings = all_levels();
  settings.smoothing_steps   = smoothing_steps;
  const Array<double> factors(backend.memory(), stiffness);
  ElasticityOperator<Number> K(backend, Communicator(), mesh, material, "on_the_fly");
  K.set(factors);
  const auto M =
    make_multigrid<Number, CycleNumber>(backend, {mesh, material, c.coarser}, settings);
  M->update(K, factors);
  WithoutFloat<Number> without(*M);
  EXPECT_TRUE((std::is_same<Number, CycleNumber>::value) || (K.takes_float() && M->gives_float()));
  Preconditioner<Number> &used = takes_float ? static_cast<Preconditioner<Number> &>(*M) : without;
  return solve_from_zero(backend, K, used, edge_load(c.box), to_tolerance(tolerance, 500))
    .iterations();
}

template <typename Number, typename CycleNumber>
unsigned int iterations(Backend &backend,
                        const CantileverHierarchy &c,
                        const double contrast,
                        const double tolerance             = 1e-5,
                        const Material &material           = {},
                        const unsigned int smoothing_steps = 0)
{
  return iterations<Number, CycleNumber>(
    backend, c, c.frame(contrast), tolerance, material, smoothing_steps);
}

// Preconditioned conjugate gradients take few iterations, hardly more with contrast or with size,
// and as many with the cycle in float.
TEST_P(MultigridTest, IterationsDoNotGrow)
{
  Backend &on = backend();
  EXPECT_LE((iterations<double, double>(on, CantileverHierarchy({{16, 8, 8}}, 2), 1.)), 12u);
  const unsigned int small =
    iterations<double, double>(on, CantileverHierarchy({{16, 8, 8}}, 2), 1e-9);
  const unsigned int large =
    iterations<double, double>(on, CantileverHierarchy({{32, 16, 16}}, 3), 1e-9);
  EXPECT_LE(small, 35u);
  EXPECT_LE(large, 35u);
  EXPECT_LE(large, 1.2 * small + 1.);
  const unsigned int mixed =
    iterations<double, float>(on, CantileverHierarchy({{16, 8, 8}}, 2), 1e-9);
  EXPECT_NEAR(static_cast<double>(mixed), static_cast<double>(small), 2.);
}

// The residual of a double solve gets as small with cycles in float, in as many iterations.
TEST_P(MultigridTest, MixedPrecisionReachesDouble)
{
  const CantileverHierarchy c({{16, 8, 8}}, 2);
  for (const double contrast : {1., 1e-9})
    {
      const unsigned int in_double = iterations<double, double>(backend(), c, contrast, 1e-11);
      const unsigned int mixed     = iterations<double, float>(backend(), c, contrast, 1e-11);
      EXPECT_LE(mixed, in_double + 4) << contrast;
    }
}

// If the elements have random stiffness from 1e-9 to 1, the direction in float takes about as many
// iterations as in double, with the same cycles. Residuals stagnate here and there, and rounding
// decides whether they meet a tolerance before or after 20 iterations of that. So the sums over
// several structures are compared. On some processors float takes one more with each of them.
TEST_P(MultigridTest, MixedPrecisionTakesRandomStiffness)
{
  const CantileverHierarchy c({{16, 8, 8}}, 2);
  for (const double tolerance : {1e-5, 1e-10})
    {
      unsigned int in_double = 0, in_float = 0;
      for (const unsigned int structure : {3u, 4u, 5u})
        {
          std::vector<double> stiffness = random_vector(c.box.mesh.n_elements, structure, -9., 0.);
          for (double &factor : stiffness)
            factor = std::pow(10., factor);
          const auto count = [&](const bool takes_float) {
            return iterations<double, float>(
              backend(), c, stiffness, tolerance, {}, 0, takes_float);
          };
          in_double += count(false);
          in_float += count(true);
        }
      EXPECT_LE(in_float, (tolerance > 1e-6 ? 1. : 1.1) * in_double + 3.) << tolerance;
    }
}

// Starts along the last change, and the solves from there, equal those in double, for jumps of the
// stiffness by random factors.
TEST_P(MultigridTest, MixedPrecisionBeginsWhereDoubleDoes)
{
  const CantileverHierarchy c({{16, 8, 8}}, 2);
  const std::size_t n = c.box.mesh.n_elements;
  std::vector<std::vector<double>> u[2];
  std::vector<unsigned int> counts[2];
  for (const bool mixed : {false, true})
    {
      StateSettings settings;
      settings.preconditioner.name = "multigrid";
      settings.precision           = mixed ? Precision::mixed : Precision::fp64;
      settings.control.tolerance   = 1e-10;
      settings.initial_guess       = InitialGuess::extrapolated;
      const auto state             = make_state_solver(execution(),
                                           {c.box.mesh, Material(), c.coarser},
                                           {{"down", 1., edge_load(c.box)}},
                                           settings);
      for (const unsigned int seed : {1u, 2u, 3u})
        {
          state->set_stiffness(Array<double>(memory(), random_vector(n, seed, 1e-3, 1.)));
          counts[mixed].push_back(state->solve(0).iterations);
          u[mixed].push_back(state->displacement(0));
        }
      EXPECT_EQ(state->take_warnings(), "");
    }
  for (std::size_t k = 0; k < 3; ++k)
    {
      EXPECT_NEAR(counts[1][k], counts[0][k], 1.);
      EXPECT_LE(relative_difference(u[1][k], u[0][k]), 1e-8);
    }
}

// With the mean dilatation more smoothing takes fewer iterations, and few steps keep the cycle
// positive definite.
TEST_P(MultigridTest, TakesNearlyIncompressibleMaterials)
{
  const CantileverHierarchy c({{16, 8, 8}}, 2);
  const auto of = [&](const double nu, const unsigned int steps) {
    return iterations<double, double>(
      backend(), c, 1., 1e-8, {1., nu, Formulation::mean_dilatation}, steps);
  };
  EXPECT_LE(of(0.3, 3), 20u);
  const unsigned int few = of(0.499, 3), many = of(0.499, 10);
  EXPECT_LE(few, 130u);
  EXPECT_LE(many, 50u);
  EXPECT_LE(many, few);
  EXPECT_LE(of(0.4999, 30), 60u);
}

INSTANTIATE_TEST_SUITE_P(Core, MultigridTest, at_all_places(), place_name);

// Blocks of nodes: the inverse of the free part.
TEST(NodalBlockTest, InvertsTheFreePart)
{
  const NodalBlock<double> block = {{4., 1., 0.5, 3., -0.2, 2.}};
  for (unsigned int constrained = 0; constrained < 8; ++constrained)
    {
      const NodalBlock<double> inverse = block.inverse_of_free_part(constrained);
      const auto is_free               = [&](const int i) { return (constrained >> i & 1u) == 0; };
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          {
            double product = 0.;
            for (int k = 0; k < 3; ++k)
              if (is_free(i) && is_free(k))
                product += block.entry[NodalBlock<double>::index(i, k)] *
                           inverse.entry[NodalBlock<double>::index(k, j)];
            EXPECT_NEAR(product, i == j && is_free(i) ? 1. : 0., 1e-14);
            if (!is_free(i))
              {
                EXPECT_EQ(inverse.entry[NodalBlock<double>::index(i, j)], 0.);
              }
          }
    }
  const NodalBlock<double> indefinite = {{1., 2., 0., 1., 0., 1.}};
  for (const double entry : indefinite.inverse_of_free_part(0u).entry)
    EXPECT_EQ(entry, 0.);
}
} // namespace
} // namespace strut::test
