// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/typed_box.h"
#include "source/mesh/element_patches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace strut::test
{
namespace
{
// Every place has the slot of its node, and is listed there once. The slots of a patch are its
// distinct nodes, whatever the order of the elements.
TEST(ElementPatchesTest, SlotsAreTheNodesOfThePatch)
{
  for (const char *const type : {"tet4", "tet10", "hex20"})
    for (const bool is_shuffled : {false, true})
      {
        SCOPED_TRACE(type);
        ElementMesh mesh    = TypedBox(type, {{6, 4, 5}}).box.mesh;
        const std::size_t n = mesh.type.n_nodes, size = 32;
        const std::size_t n_cells = mesh.n_elements;
        if (is_shuffled) // neighbours are far apart, so that patches are along the curve
          for (std::size_t a = 0; a < n; ++a)
            {
              const auto first =
                mesh.connectivity.begin() + static_cast<std::ptrdiff_t>(a * n_cells);
              const std::vector<LocalIndex> nodes(first,
                                                  first + static_cast<std::ptrdiff_t>(n_cells));
              for (std::size_t e = 0; e < n_cells; ++e)
                first[static_cast<std::ptrdiff_t>(e)] = nodes[7 * e % n_cells];
            }
        const ElementPatches patches = ElementPatches::build(mesh, size);
        ASSERT_EQ(patches.n_patches, (n_cells + size - 1) / size);
        for (std::size_t p = 0; p < patches.n_patches; ++p)
          {
            const std::size_t first = patches.first_slot[p], end = patches.first_slot[p + 1];
            EXPECT_LE(end - first, patches.most_slots);
            std::set<LocalIndex> nodes;
            for (std::size_t k = 0; k < size && size * p + k < n_cells; ++k)
              {
                const std::size_t e =
                  patches.elements.empty() ? size * p + k : patches.elements[size * p + k];
                for (std::size_t a = 0; a < n; ++a)
                  {
                    nodes.insert(mesh.node(e, a));
                    const std::size_t slot = patches.slots[(p * n + a) * size + k];
                    ASSERT_EQ(patches.nodes[first + slot], mesh.node(e, a));
                  }
              }
            EXPECT_EQ(nodes.size(), end - first);

            // The sums have all places of a node, and long ones are before short ones.
            std::multiset<LocalIndex> summed;
            std::size_t last = n * size;
            for (std::size_t s = 0; s < nodes.size(); ++s)
              {
                const auto *const ends =
                  &patches.first_place[ElementPatches::begin_of_row(first, p) + s];
                const std::uint16_t *places = &patches.places[p * n * size];
                EXPECT_TRUE(std::is_sorted(places + ends[0], places + ends[1]));
                EXPECT_LE(ends[1] - ends[0], last);
                last = ends[1] - ends[0];
                for (std::size_t k = ends[0]; k < ends[1]; ++k)
                  {
                    const std::size_t slot = patches.slots[p * n * size + places[k]];
                    EXPECT_EQ(patches.nodes[first + slot], patches.nodes_of_sums[first + s]);
                    summed.insert(patches.nodes_of_sums[first + s]);
                  }
              }
            EXPECT_EQ(summed.size(), n * std::min(size, n_cells - size * p));
            EXPECT_EQ(std::set<LocalIndex>(summed.begin(), summed.end()), nodes);
          }
      }
}
} // namespace
} // namespace strut::test
