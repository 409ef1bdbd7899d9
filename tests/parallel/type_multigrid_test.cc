// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Multigrid on elements of any type over several ranks: results are those of one rank.
#include "../fixtures/ranks_test.h"
#include "../fixtures/solve.h"
#include "../fixtures/typed_box.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
using DistributedTypeMultigridTest = RanksTest;

TEST_P(DistributedTypeMultigridTest, CycleEqualsTheSerialOne)
{
  for (const char *const type : {"tet4", "tet10", "hex20", "hex27"})
    {
      const TypedBox whole(type, {{8, 4, 4}});
      const ElementMesh &mesh     = whole.box.mesh;
      const auto factors          = whole.frame(1e-3);
      const std::vector<double> r = random_free_vector(mesh, 6);
      const auto cycle            = [&](const Part &own, const MeshHierarchy &coarser) {
        MultigridSettings settings;
        settings.direct_dofs = 0;
        Multigrid<double> multigrid(backend(),
                                    own.communicator,
                                    {own.mesh, Material(), coarser},
                                    settings);
        multigrid.set(Array<double>(memory(), own.of_elements(factors)));
        return correction_of(multigrid, own.of_dofs(r));
      };
      const auto expected = cycle(whole_of(whole.box), whole.coarser);
      for (const Partition partition : all_partitions())
        {
          SCOPED_TRACE(about(partition) << ", " << type);
          const Part part = part_of(whole.box, partition);
          MeshHierarchy coarser;
          add_background(world_, part.mesh, coarser, 1);
          ASSERT_EQ(coarser.size(), whole.coarser.size());
          for (std::size_t l = 0; l < coarser.size(); ++l)
            {
              EXPECT_EQ(world_.sum(coarser[l].mesh.n_owned_nodes), whole.coarser[l].mesh.n_nodes);
              EXPECT_EQ(world_.sum(coarser[l].mesh.n_elements), whole.coarser[l].mesh.n_elements);
            }
          expect_whole(part, cycle(part, coarser), expected, 1e-8);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Parallel, DistributedTypeMultigridTest, at_parallel_places(), place_name);
} // namespace
} // namespace strut::test
