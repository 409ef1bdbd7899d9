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
                    const auto places =
                      patches.places.begin() + static_cast<std::ptrdiff_t>(p * n * size);
                    const auto of_slot = places + patches.first_place[first + slot + p];
                    const auto after   = places + patches.first_place[first + slot + p + 1];
                    EXPECT_TRUE(std::is_sorted(of_slot, after));
                    EXPECT_EQ(std::count(of_slot, after, size * a + k), 1);
                  }
              }
            EXPECT_EQ(nodes.size(), end - first);
          }
      }
}
} // namespace
} // namespace strut::test
