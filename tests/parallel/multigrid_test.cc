// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Multigrid over several ranks, with parents and children on different ones: results are those of
// one rank.
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/interpolation_lists.h"
#include "../fixtures/part_hierarchy.h"
#include "../fixtures/ranks_test.h"
#include "../fixtures/solve.h"
#include "source/solvers/multigrid/multigrid.h"

#include <strut/solvers/state/state_solver.h>

namespace strut::test
{
namespace
{
/// Tests all kinds of coarse operators on all ranks together and on one.
class DistributedMultigridTest : public RanksTest
{
protected:
  /// Calls body(kind, parts) for each kind and each partition of the meshes.
  template <typename Body>
  void with_parts(const Body &body) const
  {
    for (const CoarseOperators kind :
         {CoarseOperators::rediscretised, CoarseOperators::galerkin, CoarseOperators::aggregation})
      for (const Partition partition : all_partitions())
        {
          SCOPED_TRACE(about(partition)
                       << (kind == CoarseOperators::galerkin        ? ", Galerkin"
                           : kind == CoarseOperators::rediscretised ? ", rediscretised"
                                                                    : ", aggregation"));
          body(kind,
               PartHierarchy(whole_.box, whole_.coarser, partition, world_.size(), world_.rank()));
        }
  }

  /// Settings with all levels, however small.
  static MultigridSettings settings_for(const CoarseOperators kind, const std::size_t n_gathered)
  {
    MultigridSettings settings;
    settings.gathered_elements = n_gathered;
    settings.direct_dofs       = 0;
    settings.coarse_operators  = kind;
    return settings;
  }

  const CantileverHierarchy whole_{{{8, 4, 4}}, 2};
  const std::vector<double> factors_ = random_vector(whole_.box.mesh.n_elements, 3, 1e-3, 1.);
};

// The products of all levels.
TEST_P(DistributedMultigridTest, LevelsEqualTheSerialOnes)
{
  with_parts([&](const CoarseOperators kind, const PartHierarchy &own) {
    const auto make = [&](const Communicator &communicator,
                          const ElementMesh &mesh,
                          const MeshHierarchy &coarser,
                          const std::vector<double> &factors) {
      auto levels = make_level_operators<double>(
        kind, backend(), communicator, {mesh, Material(), coarser}, coarser.size(), "on_the_fly");
      const Array<double> on_backend(memory(), factors);
      for (const auto &level : levels)
        level->set_stiffness(on_backend);
      return levels;
    };
    const auto serial = make(Communicator(), whole_.box.mesh, whole_.coarser, factors_);
    const auto levels =
      make(world_, own.parts[0].mesh, own.coarser, own.parts[0].of_elements(factors_));
    for (std::size_t l = 0; l < levels.size(); ++l)
      {
        SCOPED_TRACE(l);
        const ElementMesh &mesh = l == 0 ? whole_.box.mesh : whole_.coarser[l - 1].mesh;
        std::vector<double> x   = random_free_vector(mesh, 5);
        Array<double> on_x(memory(), x), expected(memory(), mesh.n_dofs());
        serial[l]->apply(on_x, expected);
        const Part &part = own.parts[l];
        Array<double> part_x(memory(), part.of_dofs(x)), part_y(memory(), part.mesh.n_dofs());
        levels[l]->apply(part_x, part_y);
        expect_whole(part, part_y.to_host(), expected.to_host(), 1e-13);
        EXPECT_NEAR(levels[l]->smoother_bound(), serial[l]->smoother_bound(), 1e-10);
      }
  });
}

// Lists of children of which some are on other ranks.
TEST_P(DistributedMultigridTest, ListsAreThoseOfTheTransfers)
{
  with_parts([](CoarseOperators, const PartHierarchy &own) {
    for (std::size_t l = 0; l < own.coarser.size(); ++l)
      expect_lists(own.parts[l].mesh, own.coarser[l].transfer);
  });
}

// A whole cycle.
TEST_P(DistributedMultigridTest, CycleEqualsTheSerialOne)
{
  const ElementMesh &mesh = whole_.box.mesh;
  std::vector<double> r   = random_free_vector(mesh, 6);
  with_parts([&](const CoarseOperators kind, const PartHierarchy &own) {
    const auto cycle = [&](const Communicator &communicator,
                           const ElementMesh &fine,
                           const MeshHierarchy &coarser,
                           const std::vector<double> &factors,
                           const std::vector<double> &residual,
                           const std::size_t n_gathered) {
      Multigrid<double> multigrid(backend(),
                                  communicator,
                                  {fine, Material(), coarser},
                                  settings_for(kind, n_gathered));
      // Devices record the cycles of a stiffness, and submit what they recorded.
      for (const auto &stiffness : {std::vector<double>(factors.size(), 0.5), factors})
        {
          multigrid.set_stiffness(Array<double>(memory(), stiffness));
          for (int repetition = 0; repetition < 3; ++repetition)
            {
              multigrid.residual().copy_from_host(residual);
              multigrid.cycle();
            }
        }
      EXPECT_EQ(multigrid.is_recorded(), !memory().is_host() && multigrid.only_submits());
      return multigrid.correction().to_host();
    };
    const Part &part    = own.parts[0];
    const auto expected = cycle(Communicator(), mesh, whole_.coarser, factors_, r, 0);
    for (const std::size_t n_gathered : {0u, 100u}) // none; the levels behind the finest
      {
        const auto z = cycle(
          world_, part.mesh, own.coarser, part.of_elements(factors_), part.of_dofs(r), n_gathered);
        SCOPED_TRACE(n_gathered);
        expect_whole(part, z, expected, 1e-10);
      }
  });
}

// Solves in mixed precision, whose directions go between the ranks in float: as one rank in double.
TEST_P(DistributedMultigridTest, SolvesInMixedPrecision)
{
  const ElementMesh &mesh  = whole_.box.mesh;
  const auto forces        = edge_load(whole_.box);
  const auto displacements = [&](const Communicator &communicator,
                                 const Structure &structure,
                                 const std::vector<double> &load,
                                 const std::vector<double> &factors,
                                 const Precision precision) {
    StateSettings settings;
    settings.preconditioner.name = "multigrid";
    settings.precision           = precision;
    settings.control.tolerance   = 1e-11;
    const auto state =
      make_state_solver(execution(communicator), structure, {{"down", 1., load}}, settings);
    for (const auto &stiffness : {std::vector<double>(factors.size(), 0.5), factors})
      {
        state->set_stiffness(Array<double>(memory(), stiffness));
        EXPECT_TRUE(state->solve(0).converged);
      }
    EXPECT_EQ(state->take_warnings(), "");
    return state->displacement(0);
  };
  const auto expected = displacements(
    Communicator(), {mesh, Material(), whole_.coarser}, forces, factors_, Precision::fp64);
  with_parts([&](const CoarseOperators kind, const PartHierarchy &own) {
    if (kind != CoarseOperators::rediscretised)
      return;
    const Part &part = own.parts[0];
    const auto u     = displacements(world_,
                                 {part.mesh, Material(), own.coarser},
                                 part.of_owned_dofs(forces),
                                 part.of_elements(factors_),
                                 Precision::mixed);
    EXPECT_LE(relative_difference(u, part.of_dofs(expected)), 1e-8);
  });
}

// Levels that each rank has as a whole, with a shift, with Lame's parameters and with tangents.
TEST_P(DistributedMultigridTest, GatheredLevelsKnowShiftLameAndTangents)
{
  const ElementMesh &mesh = whole_.box.mesh;
  const auto shift        = random_vector(mesh.n_dofs(), 7, 0., 1.);
  const auto mu           = random_vector(mesh.n_elements, 8, 0.1, 1.);
  std::vector<double> r   = random_free_vector(mesh, 6);
  for (const Partition partition : all_partitions())
    for (const std::string kind : {"factors", "Lame", "tangents"})
      {
        SCOPED_TRACE(::testing::Message() << to_string(partition) << ", " << kind);
        const PartHierarchy own(
          whole_.box, whole_.coarser, partition, world_.size(), world_.rank());
        const Part &part = own.parts[0];
        const auto cycle = [&](const Communicator &communicator,
                               const ElementMesh &fine,
                               const MeshHierarchy &coarser,
                               const std::vector<double> &on_dofs,
                               const std::vector<double> &lambda,
                               const std::vector<double> &of_mu,
                               const std::vector<double> &residual) {
          MultigridSettings settings;
          settings.direct_dofs       = 0;
          settings.gathered_elements = 100;
          Multigrid<double> multigrid(backend(),
                                      communicator,
                                      {fine, Material(), coarser},
                                      settings);
          multigrid.set_shift(Array<double>(memory(), on_dofs));
          const Array<double> on_lambda(memory(), lambda), on_mu(memory(), of_mu);
          if (kind == "tangents") // orthotropic by points: the stiffness of one shear is not mu
            multigrid.set_tangents(
              8, [&](const unsigned int q, const unsigned int k, Array<double> &values) {
                const bool is_normal = k == 0 || k == 6 || k == 11;
                const bool is_shear  = k == 15 || k == 18 || k == 20;
                const double of_mu = is_normal ? 2. : k == 20 ? 0.3 + 0.1 * q : is_shear ? 1. : 0.;
                const bool is_volumetric = is_normal || k == 1 || k == 2 || k == 7;
                const auto &fields       = backend().vector_operations<double>();
                values.set_zero();
                fields.axpy(values.size(), of_mu, on_mu, values);
                fields.axpy(values.size(), is_volumetric ? 1. : 0., on_lambda, values);
              });
          else if (kind == "Lame")
            multigrid.set_lame(on_lambda, on_mu);
          else
            multigrid.set_stiffness(on_lambda);
          return correction_of(multigrid, residual);
        };
        const auto expected = cycle(Communicator(), mesh, whole_.coarser, shift, factors_, mu, r);
        const auto z        = cycle(world_,
                             part.mesh,
                             own.coarser,
                             part.of_dofs(shift),
                             part.of_elements(factors_),
                             part.of_elements(mu),
                             part.of_dofs(r));
        expect_whole(part, z, expected, 1e-10);
      }
}

// With several Poisson's ratios the bounds on all levels, including gathered ones, are those of the
// solids of all ranks. The test runs a whole cycle.
TEST_P(DistributedMultigridTest, SeveralPoissonRatios)
{
  const ElementMesh &mesh = whole_.box.mesh;
  MaterialRatios solids;
  for (const auto &place : whole_.box.element_at) // a rank may have one of them
    solids.poisson_ratio.push_back(2 * place[0] >= whole_.box.options.n[0] ? 0.45 : 0.1);
  std::vector<double> lambda, mu;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const Material solid = solid_of(e, Material(), solids);
      lambda.push_back(factors_[e] * solid.lambda());
      mu.push_back(factors_[e] * solid.mu());
    }
  std::vector<double> r = random_free_vector(mesh, 6);
  with_parts([&](const CoarseOperators kind, const PartHierarchy &own) {
    if (kind == CoarseOperators::galerkin)
      return; // has one ratio
    const auto cycle = [&](const Communicator &communicator,
                           const Structure &structure,
                           const std::vector<double> &of_lambda,
                           const std::vector<double> &of_mu,
                           const std::vector<double> &residual,
                           const std::size_t n_gathered) {
      Multigrid<double> multigrid(backend(),
                                  communicator,
                                  structure,
                                  settings_for(kind, n_gathered));
      multigrid.set_lame(Array<double>(memory(), of_lambda), Array<double>(memory(), of_mu));
      return correction_of(multigrid, residual);
    };
    const auto expected =
      cycle(Communicator(), {mesh, Material(), whole_.coarser, solids}, lambda, mu, r, 0);
    const Part &part             = own.parts[0];
    const MaterialRatios of_part = {{}, {}, part.of_elements(solids.poisson_ratio)};
    for (const std::size_t n_gathered : {0u, 100u})
      {
        const auto z = cycle(world_,
                             {part.mesh, Material(), own.coarser, of_part},
                             part.of_elements(lambda),
                             part.of_elements(mu),
                             part.of_dofs(r),
                             n_gathered);
        SCOPED_TRACE(n_gathered);
        expect_whole(part, z, expected, 1e-10);
      }
  });
}

INSTANTIATE_TEST_SUITE_P(Parallel, DistributedMultigridTest, at_parallel_places(), place_name);
} // namespace
} // namespace strut::test
