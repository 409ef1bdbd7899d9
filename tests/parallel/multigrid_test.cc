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
          body(kind, part_of_levels(partition));
        }
  }

  PartHierarchy part_of_levels(const Partition partition) const
  {
    PartHierarchy own(whole_.box, whole_.coarser, partition, world_.size(), world_.rank());
    own.parts[0].communicator = world_;
    return own;
  }

  /// Expects the corrections of one rank, where no level is gathered and where those behind the
  /// finest are.
  template <typename Cycle>
  void expect_serial_cycles(const PartHierarchy &own, const Cycle &cycle) const
  {
    const auto expected = cycle(alone_, whole_.coarser, 0);
    for (const std::size_t n_gathered : {0u, 100u})
      {
        SCOPED_TRACE(n_gathered);
        const auto z = cycle(own.parts[0], own.coarser, n_gathered);
        expect_whole(own.parts[0], z, expected, 1e-10);
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
  const Part alone_                  = whole_of(whole_.box); ///< the whole mesh
  const std::vector<double> factors_ = random_vector(whole_.box.mesh.n_elements, 3, 1e-3, 1.);
  const std::vector<double> halves_  = std::vector<double>(factors_.size(), 0.5);
};

TEST_P(DistributedMultigridTest, LevelsEqualTheSerialOnes)
{
  with_parts([&](const CoarseOperators kind, const PartHierarchy &own) {
    const auto make = [&](const Part &part, const MeshHierarchy &coarser) {
      auto levels = make_level_operators<double>(kind,
                                                 backend(),
                                                 part.communicator,
                                                 {part.mesh, Material(), coarser},
                                                 coarser.size(),
                                                 "on_the_fly");
      const Array<double> on_backend(memory(), part.of_elements(factors_));
      for (const auto &level : levels)
        level->set(on_backend);
      return levels;
    };
    const auto serial = make(alone_, whole_.coarser), levels = make(own.parts[0], own.coarser);
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

TEST_P(DistributedMultigridTest, CycleEqualsTheSerialOne)
{
  const std::vector<double> r = random_free_vector(whole_.box.mesh, 6);
  with_parts([&](const CoarseOperators kind, const PartHierarchy &own) {
    const auto cycle = [&](const Part &part, const auto &coarser, const std::size_t n_gathered) {
      Multigrid<double> multigrid(backend(),
                                  part.communicator,
                                  {part.mesh, Material(), coarser},
                                  settings_for(kind, n_gathered));
      // Devices record the cycles of a stiffness, and submit what they recorded.
      for (const auto &stiffness : {halves_, factors_})
        {
          multigrid.set(Array<double>(memory(), part.of_elements(stiffness)));
          for (int repetition = 0; repetition < 3; ++repetition)
            {
              multigrid.residual().copy_from_host(part.of_dofs(r));
              multigrid.cycle();
            }
        }
      EXPECT_EQ(multigrid.is_recorded(), !memory().is_host() && multigrid.only_submits());
      return multigrid.correction().to_host();
    };
    expect_serial_cycles(own, cycle);
  });
}

// The Laplacian, an equation with one component per node.
TEST_P(DistributedMultigridTest, CycleOfAScalarEquationEqualsTheSerialOne)
{
  BoxMesh box = make_box(
    BoxOptions::regular({{8, 4, 4}}, {{2., 1., 1.}}, 0.15).with_regular_surface().shuffled());
  box.mesh.n_components = 1;
  hold_left_face(box);
  const MeshHierarchy coarser = coarsen(box, 2);
  const std::vector<double> r = random_free_vector(box.mesh, 6);
  const auto cycle =
    [&](const Part &part, const MeshHierarchy &levels, const std::size_t n_gathered) {
      MultigridSettings settings = settings_for(CoarseOperators::rediscretised, n_gathered);
      settings.strategy          = "nbn";
      Multigrid<double> multigrid(backend(),
                                  part.communicator,
                                  {part.mesh, Material(), levels},
                                  settings);
      multigrid.set(Array<double>(memory(), part.of_elements(factors_)));
      return correction_of(multigrid, part.of_dofs(r));
    };
  const auto expected = cycle(whole_of(box), coarser, 0);
  for (const Partition partition : all_partitions())
    {
      PartHierarchy own(box, coarser, partition, world_.size(), world_.rank());
      own.parts[0].communicator = world_;
      for (const std::size_t n_gathered : {0u, 100u})
        {
          SCOPED_TRACE(about(partition) << ", gathered up to " << n_gathered);
          expect_whole(own.parts[0], cycle(own.parts[0], own.coarser, n_gathered), expected, 1e-10);
        }
    }
}

// Solves in mixed precision, whose directions go between the ranks in float: as one rank in double.
TEST_P(DistributedMultigridTest, SolvesInMixedPrecision)
{
  const auto displacements =
    [&](const Part &part, const MeshHierarchy &coarser, const Precision precision) {
      StateSettings settings;
      settings.preconditioner.name = "multigrid";
      settings.precision           = precision;
      settings.control.tolerance   = 1e-11;
      const auto state             = make_state_solver(execution(part.communicator),
                                           {part.mesh, Material(), coarser},
                                           part.of_loads({{"down", 1., edge_load(whole_.box)}}),
                                           settings);
      for (const auto &stiffness : {halves_, factors_})
        {
          state->set_stiffness(Array<double>(memory(), part.of_elements(stiffness)));
          EXPECT_TRUE(state->solve(0).converged);
        }
      EXPECT_EQ(state->take_warnings(), "");
      return state->displacement(0);
    };
  const auto expected = displacements(alone_, whole_.coarser, Precision::fp64);
  with_parts([&](const CoarseOperators kind, const PartHierarchy &own) {
    if (kind != CoarseOperators::rediscretised)
      return;
    const auto u = displacements(own.parts[0], own.coarser, Precision::mixed);
    EXPECT_LE(relative_difference(u, own.parts[0].of_dofs(expected)), 1e-8);
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
        const auto cycle = [&](const Part &part, const MeshHierarchy &coarser) {
          Multigrid<double> multigrid(backend(),
                                      part.communicator,
                                      {part.mesh, Material(), coarser},
                                      settings_for(CoarseOperators::rediscretised, 100));
          multigrid.set_shift(Array<double>(memory(), part.of_dofs(shift)));
          const Array<double> on_lambda(memory(), part.of_elements(factors_)),
            on_mu(memory(), part.of_elements(mu));
          if (kind == "tangents") // orthotropic by points: the stiffness of one shear is not mu
            multigrid.set(Stiffness::of_fields(
              {Law::tangents, 8},
              [&](const unsigned int q, const unsigned int k, Array<double> &values) {
                const bool is_normal = k == 0 || k == 6 || k == 11;
                const bool is_shear  = k == 15 || k == 18 || k == 20;
                const double of_mu = is_normal ? 2. : k == 20 ? 0.3 + 0.1 * q : is_shear ? 1. : 0.;
                const bool is_volumetric = is_normal || k == 1 || k == 2 || k == 7;
                const auto &fields       = backend().vector_operations<double>();
                values.set_zero();
                fields.axpy(values.size(), of_mu, on_mu, values);
                fields.axpy(values.size(), is_volumetric ? 1. : 0., on_lambda, values);
              }));
          else if (kind == "Lame")
            multigrid.set(Stiffness::of_lame(on_lambda, on_mu));
          else
            multigrid.set(on_lambda);
          return correction_of(multigrid, part.of_dofs(r));
        };
        const PartHierarchy own = part_of_levels(partition);
        const auto z            = cycle(own.parts[0], own.coarser);
        expect_whole(own.parts[0], z, cycle(alone_, whole_.coarser), 1e-10);
      }
}

// With several Poisson's ratios the bounds on all levels, including gathered ones, are those of the
// solids of all ranks. The test runs a whole cycle.
TEST_P(DistributedMultigridTest, SeveralPoissonRatios)
{
  const ElementMesh &mesh = whole_.box.mesh;
  std::vector<double> ratios;
  for (const auto &place : whole_.box.element_at) // a rank may have one of them
    ratios.push_back(2 * place[0] >= whole_.box.options.n[0] ? 0.45 : 0.1);
  std::vector<double> lambda, mu;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const Material solid{1., ratios[e]};
      lambda.push_back(factors_[e] * solid.lambda());
      mu.push_back(factors_[e] * solid.mu());
    }
  std::vector<double> r = random_free_vector(mesh, 6);
  with_parts([&](const CoarseOperators kind, const PartHierarchy &own) {
    if (kind == CoarseOperators::galerkin)
      return; // has one ratio
    const auto cycle = [&](const Part &part, const auto &coarser, const std::size_t n_gathered) {
      const Solids of_part = Solids::isotropic({}, part.of_elements(ratios));
      Multigrid<double> multigrid(backend(),
                                  part.communicator,
                                  {part.mesh, Material(), coarser, of_part},
                                  settings_for(kind, n_gathered));
      multigrid.set(Stiffness::of_lame(Array<double>(memory(), part.of_elements(lambda)),
                                       Array<double>(memory(), part.of_elements(mu))));
      return correction_of(multigrid, part.of_dofs(r));
    };
    expect_serial_cycles(own, cycle);
  });
}

INSTANTIATE_TEST_SUITE_P(Parallel, DistributedMultigridTest, at_parallel_places(), place_name);
} // namespace
} // namespace strut::test
