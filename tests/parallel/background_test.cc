// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Background cells over several ranks, whose boundaries cross pieces of the body: results are those
// of one rank.
#include "../fixtures/flat_structure.h"
#include "../fixtures/ranks_test.h"
#include "../fixtures/solve.h"
#include "source/base/registry.h"
#include "source/solvers/multigrid/multigrid.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
class DistributedBackgroundTest : public RanksTest
{
protected:
  /// Calls body(whole, part, tolerance, levels of the part) for each mesh and each partition.
  template <typename Body>
  void with_parts(const Body &body) const
  {
    for (std::size_t mesh = 0; mesh < 4; ++mesh)
      {
        const FlatStructure whole = structure(mesh);
        for (const Partition partition : all_partitions())
          {
            SCOPED_TRACE(about(partition) << ", mesh " << mesh);
            const Part part = part_of(whole.box, partition);
            // The cells of the rotated mesh are equal up to rounding. The bound of their
            // eigenvalues is that of one of them, accurate to 1e-3.
            const double tolerance = mesh == 1 ? 1e-4 : 1e-10;
            body(whole,
                 part,
                 tolerance,
                 background_levels(world_, part.mesh, part.mesh.volumes, 1));
          }
      }
  }

private:
  static FlatStructure structure(const std::size_t mesh)
  {
    const auto gap = [](const CellIndices &at) { return at[1] == 3 && at[0] < 13; };
    if (mesh == 0)
      return FlatStructure(CellIndices{{15, 7, 7}});
    if (mesh == 1)
      {
        FlatStructure turned(CellIndices{{13, 7, 5}}, 0.2);
        turn(turned.box.mesh);
        turned.finish();
        return turned;
      }
    if (mesh == 2)
      return FlatStructure(CellIndices{{15, 7, 3}}, 0., gap);
    FlatStructure with_slit(CellIndices{{15, 7, 3}});
    slit(with_slit.box, 12, 4);
    with_slit.finish();
    return with_slit;
  }
};

// There are as many cells and nodes as on one rank, and each rank has those that its elements
// touch.
TEST_P(DistributedBackgroundTest, CellsAreTheSerialOnes)
{
  with_parts(
    [&](const FlatStructure &whole, const Part &part, double, const MeshHierarchy &levels) {
      ASSERT_EQ(levels.size(), whole.coarser.size());
      std::size_t n_fine = part.mesh.n_elements, n_nodes = part.mesh.n_owned_nodes;
      for (std::size_t l = 0; l < levels.size(); ++l)
        {
          const auto &[mesh, transfer] = levels[l];
          EXPECT_EQ(world_.sum(mesh.n_elements), whole.coarser[l].mesh.n_elements);
          EXPECT_EQ(world_.sum(mesh.n_owned_nodes), whole.coarser[l].mesh.n_nodes);
          EXPECT_EQ(transfer.shares.begin.size(), transfer.parent_nodes.size() + 1);
          // nodes have places, or children have parents
          const bool has_places = l == 0 || whole.coarser[l].transfer.has_places();
          EXPECT_EQ(transfer.places.elements.size(), has_places ? n_nodes : 0);
          EXPECT_EQ(transfer.parents.size(), has_places ? 0 : n_fine);
          n_fine  = mesh.n_elements;
          n_nodes = mesh.n_owned_nodes;
        }
    });
}

TEST_P(DistributedBackgroundTest, CycleEqualsTheSerialOne)
{
  with_parts([&](const FlatStructure &whole,
                 const Part &part,
                 double tolerance,
                 const MeshHierarchy &levels) {
    const ElementMesh &mesh = whole.box.mesh;
    const auto factors      = random_vector(mesh.n_elements, 3, 1e-3, 1.);
    std::vector<double> r   = random_free_vector(mesh, 6);
    const auto cycle = [&](const Part &own, const auto &coarser, const std::size_t n_gathered) {
      MultigridSettings settings;
      settings.gathered_elements = n_gathered;
      settings.direct_dofs       = 0;
      Multigrid<double> multigrid(backend(),
                                  own.communicator,
                                  {own.mesh, Material(), coarser},
                                  settings);
      multigrid.set(Array<double>(memory(), own.of_elements(factors)));
      return correction_of(multigrid, own.of_dofs(r));
    };
    const auto expected = cycle(whole_of(whole.box), whole.coarser, 0);
    for (const std::size_t n_gathered :
         {0u, 10u, 1000u}) // none, levels behind others, all behind the mesh
      {
        SCOPED_TRACE(n_gathered);
        expect_whole(part, cycle(part, levels, n_gathered), expected, tolerance);
      }
  });
}

// z . M^-1 r = r . M^-1 z over all ranks, and the same bits each time.
TEST_P(DistributedBackgroundTest, CyclesAreSymmetricAndDeterministic)
{
  with_parts(
    [&](const FlatStructure &whole, const Part &part, double, const MeshHierarchy &levels) {
      const ElementMesh &mesh = whole.box.mesh;
      MultigridSettings settings;
      settings.direct_dofs = 0;
      settings.strategy    = deterministic_level_strategy(backend().strategies<double>());
      const auto cycle     = [&](const std::vector<double> &residual) {
        Multigrid<double> multigrid(backend(), world_, {part.mesh, Material(), levels}, settings);
        multigrid.set(
          Array<double>(memory(), part.of_elements(random_vector(mesh.n_elements, 3, 1e-3, 1.))));
        const auto own = correction_of(multigrid, part.of_dofs(residual));
        return sum_over_ranks(part.owned_to_global(own, mesh.n_dofs()));
      };
      const std::vector<double> a = random_free_vector(mesh, 6), b = random_free_vector(mesh, 7),
                                Ma = cycle(a), Mb = cycle(b);
      EXPECT_NEAR(dot(a, Mb), dot(b, Ma), 1e-10 * dot(a, Ma));
      EXPECT_GT(dot(a, Ma), 0.);
      EXPECT_EQ(cycle(a), Ma);
    });
}

// The memory that a solver plans, with what several ranks keep beside the levels.
TEST_P(DistributedBackgroundTest, MemoryIsPlanned)
{
  const FlatStructure whole(CellIndices{{39, 15, 15}});
  const Part part            = part_of(whole.box, Partition::slabs);
  const MeshHierarchy levels = background_levels(world_, part.mesh, part.mesh.volumes, 1);
  const Structure structure{part.mesh, Material(), levels};
  const MultigridSettings settings;
  const double planned     = multigrid_memory_estimate(find_named(backend().strategies<double>(),
                                                              settings.strategy,
                                                              "strategy"),
                                                   settings.coarse_operators,
                                                   size_of(world_, structure, !memory().is_host()));
  const std::size_t before = memory().in_use();
  Multigrid<double> multigrid(backend(), world_, structure, settings);
  multigrid.set(Array<double>(memory(), std::vector<double>(part.mesh.n_elements, 1.)));
  multigrid.residual().set_zero(); // makes the vectors of the cycle
  multigrid.cycle();
  const auto used    = static_cast<double>(memory().in_use() - before);
  const double slack = memory().is_host() ? 0. : 1.5e6; // partial sums and messages
  EXPECT_GT(planned + slack, 0.9 * used);
  EXPECT_LT(planned, 1.1 * used + slack);
}

INSTANTIATE_TEST_SUITE_P(Parallel, DistributedBackgroundTest, at_parallel_places(), place_name);
} // namespace
} // namespace strut::test
