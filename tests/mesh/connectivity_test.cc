// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/box_mesh.h"
#include "source/mesh/colouring.h"
#include "source/mesh/element_centres.h"
#include "source/mesh/node_to_element.h"
#include "source/mesh/ordering.h"

#include <gtest/gtest.h>

#include <set>

namespace strut::test
{
namespace
{
std::vector<BoxMesh> boxes()
{
  std::vector<BoxMesh> result;
  result.push_back(make_box(BoxOptions::regular({{0, 0, 0}})));
  result.push_back(make_box(BoxOptions::regular({{1, 1, 1}})));
  result.push_back(make_box(BoxOptions::regular({{6, 5, 4}})));
  for (const unsigned int seed : {1u, 2u, 3u})
    result.push_back(make_box(BoxOptions::wild({{7, 3, 5}}, seed)));
  return result;
}

// Every element has one colour; elements of a colour have no node in common; ascending in each.
TEST(Colouring, IsValid)
{
  for (const BoxMesh &box : boxes())
    {
      const ElementMesh &mesh   = box.mesh;
      const Colouring colouring = Colouring::greedy(mesh);
      EXPECT_EQ(colouring.begin.front(), 0u);
      EXPECT_EQ(colouring.begin.back(), mesh.n_elements);
      std::set<LocalIndex> elements;
      for (std::size_t colour = 0; colour < colouring.n_colours(); ++colour)
        {
          std::set<LocalIndex> nodes;
          EXPECT_LT(colouring.begin[colour], colouring.begin[colour + 1]) << "an empty colour";
          for (LocalIndex k = colouring.begin[colour]; k < colouring.begin[colour + 1]; ++k)
            {
              const LocalIndex e = colouring.elements.at(k);
              EXPECT_TRUE(elements.insert(e).second) << "element " << e << " has two colours";
              EXPECT_TRUE(k == colouring.begin[colour] || colouring.elements[k - 1] < e);
              for (std::size_t v = 0; v < 8; ++v)
                EXPECT_TRUE(nodes.insert(mesh.connectivity[v * mesh.n_elements + e]).second)
                  << "two elements of colour " << colour << " share a node";
            }
        }
      EXPECT_EQ(elements.size(), mesh.n_elements);
    }
}

// Eight elements meet at an inner node, so a box needs eight colours. The greedy choice finds them,
// whether the elements are in lexicographic order or along a space-filling curve.
TEST(Colouring, NeedsEightColoursOnABox)
{
  const ElementMesh mesh = make_box(BoxOptions::regular({{16, 15, 14}})).mesh;
  EXPECT_EQ(Colouring::greedy(mesh).n_colours(), 8u);

  const auto order          = hilbert_order(element_centres(mesh), mesh.n_elements);
  ElementMesh along_a_curve = mesh;
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      along_a_curve.connectivity[v * mesh.n_elements + e] =
        mesh.connectivity[v * mesh.n_elements + order[e]];
  EXPECT_EQ(Colouring::greedy(along_a_curve).n_colours(), 8u);
}

// The entries of a node are the (element, vertex) pairs whose node it is, ascending, all of them.
TEST(NodeToElement, IsTheReverseOfTheConnectivity)
{
  for (const BoxMesh &box : boxes())
    {
      const ElementMesh &mesh = box.mesh;
      const NodeToElement map = NodeToElement::build(mesh);
      ASSERT_EQ(map.begin.size(), mesh.n_nodes + 1);
      ASSERT_EQ(map.begin.front(), 0u);
      ASSERT_EQ(map.begin.back(), 8 * mesh.n_elements);
      ASSERT_EQ(map.entries.size(), 8 * mesh.n_elements);
      for (std::size_t node = 0; node < mesh.n_nodes; ++node)
        for (LocalIndex k = map.begin[node]; k < map.begin[node + 1]; ++k)
          {
            const std::size_t e = map.entries[k] / 8, v = map.entries[k] % 8;
            ASSERT_EQ(mesh.connectivity[v * mesh.n_elements + e], node);
            if (k > map.begin[node])
              {
                ASSERT_LT(map.entries[k - 1], map.entries[k]);
              }
          }
    }
}
} // namespace
} // namespace strut::test
