// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../../../fixtures/assembly_meshes.h"
#include "../../../fixtures/errors.h"
#include "cuda/comparison/assembly/shared_nz_lists.h"
#include "source/comparison/assembly/assembly_operations.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
/// The lists of a box of 2 x 2 x 2 elements, in whose middle eight meet.
cuda::SharedNzLists lists_of(const ElementType &type, const std::size_t capacity)
{
  const ElementMesh mesh = make_assembly_mesh(type, {{2, 2, 2}}, 1);
  const auto backend     = make_cpu_backend(1);
  const ConnectivityArrays arrays(backend->memory(), mesh);
  const NeighbourMatrix neighbours = assembly_operations(*backend).find_neighbours(arrays);
  return {{type,
           mesh.n_nodes,
           mesh.n_elements,
           mesh.connectivity,
           neighbours.begin.to_host(),
           neighbours.nodes.to_host(),
           neighbours.incidence_begin.to_host(),
           neighbours.incidences.to_host()},
          capacity};
}

// The message says which types need less memory.
TEST(SharedNzListsTest, RefuseNodesOfTooManyElementsByType)
{
  expect_error([]() { lists_of(type_of<Hex27>(), 5); },
               {"8 elements of type hex27, and with 'SharedNZ'",
                "holds the matrices of 5",
                "single precision",
                "more elements of the types hex8, hex20, hex20-14, tet4, tet10"});
  expect_error([]() { lists_of(type_of<Hex8>(), 7); },
               {"8 elements of type hex8", "more elements of the types tet4."});
}

// With room for all elements there is one group, which has each of them once.
TEST(SharedNzListsTest, HaveEachElementOnceInOneGroup)
{
  for (const ElementType &type : {type_of<Hex8>(), type_of<Hex27>()})
    {
      const cuda::SharedNzLists lists = lists_of(type, 8);
      EXPECT_EQ(lists.first_node.size(), 2u);
      EXPECT_EQ(lists.elements.size(), 8u);
      EXPECT_EQ(lists.contributions.size(), 8u * type.n_nodes * type.n_nodes);
    }
}
} // namespace
} // namespace strut::test
