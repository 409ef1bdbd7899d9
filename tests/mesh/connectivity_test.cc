// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/box_mesh.h"
#include "source/mesh/colouring.h"
#include "source/mesh/element_centres.h"
#include "source/mesh/node_to_element.h"
#include "source/mesh/ordering.h"

#include <strut/base/exceptions.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
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

// Compares with the colours of the plain algorithm: breadth first, each element asks all elements
// around its nodes.
TEST(Colouring, IsGreedyBreadthFirst)
{
  for (const BoxMesh &box : boxes())
    {
      const ElementMesh &mesh = box.mesh;
      const auto node         = [&](const std::size_t e, const std::size_t v) {
        return mesh.connectivity[v * mesh.n_elements + e];
      };
      const auto meet = [&](const std::size_t a, const LocalIndex of_other) {
        for (std::size_t v = 0; v < 8; ++v)
          if (node(a, v) == of_other)
            return true;
        return false;
      };
      std::vector<std::size_t> order, colour_of(mesh.n_elements, 0);
      const auto add = [&](const std::size_t e) {
        if (std::find(order.begin(), order.end(), e) == order.end())
          order.push_back(e);
      };
      std::size_t next = 0;
      for (std::size_t first = 0; first < mesh.n_elements; ++first)
        for (add(first); next < order.size(); ++next)
          for (std::size_t v = 0; v < 8; ++v)
            for (std::size_t e = 0; e < mesh.n_elements; ++e)
              if (meet(e, node(order[next], v)))
                add(e);
      for (std::size_t i = 0; i < order.size(); ++i)
        {
          std::set<std::size_t> taken;
          for (std::size_t k = 0; k < i; ++k)
            for (std::size_t v = 0; v < 8; ++v)
              if (meet(order[i], node(order[k], v)))
                taken.insert(colour_of[order[k]]);
          while (taken.count(colour_of[order[i]]) > 0)
            ++colour_of[order[i]];
        }

      const Colouring colouring = Colouring::greedy(mesh);
      for (std::size_t colour = 0; colour < colouring.n_colours(); ++colour)
        for (LocalIndex k = colouring.begin[colour]; k < colouring.begin[colour + 1]; ++k)
          EXPECT_EQ(colour_of[colouring.elements[k]], colour) << colouring.elements[k];
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

// The map of some elements has those entries of the whole map that are theirs. It is large enough
// for several blocks of rows.
TEST(NodeToElement, OfSomeElementsHasTheirEntriesAlone)
{
  const ElementMesh mesh    = make_box(BoxOptions::wild({{60, 45, 30}}, 3)).mesh;
  const NodeToElement whole = NodeToElement::build(mesh, 1);
  std::mt19937 random(7);
  for (const unsigned int share : {0u, 3u, 10u}) // tenths
    {
      std::vector<std::uint8_t> is_in(mesh.n_elements);
      for (std::uint8_t &of_element : is_in)
        of_element = random() % 10 < share ? 1 : 0;
      const NodeToElement map       = NodeToElement::of_elements(mesh, is_in, 3);
      std::vector<LocalIndex> begin = {0}, entries;
      for (std::size_t node = 0; node < mesh.n_nodes; ++node)
        {
          for (LocalIndex k = whole.begin[node]; k < whole.begin[node + 1]; ++k)
            if (is_in[whole.entries[k] / 8] != 0)
              entries.push_back(whole.entries[k] / 8);
          begin.push_back(static_cast<LocalIndex>(entries.size()));
        }
      EXPECT_EQ(map.begin, begin);
      EXPECT_EQ(map.entries, entries);

      std::vector<LocalIndex> list;
      for (LocalIndex e = 0; e < mesh.n_elements; ++e)
        if (is_in[e] != 0)
          list.push_back(e);
      NodeToElement of_list = NodeToElement::of_list(mesh, list, 3);
      EXPECT_EQ(of_list.begin, begin);
      for (LocalIndex &entry : of_list.entries)
        entry = list[entry];
      EXPECT_EQ(of_list.entries, entries);
    }
}

// More vertices of elements than 32 bits can number are refused before they are read.
TEST(NodeToElement, RefusesMoreThanItCanNumber)
{
  ElementMesh mesh;
  mesh.n_elements = std::size_t(1) << 29;
  EXPECT_THROW(NodeToElement::build(mesh), Error);
}
} // namespace
} // namespace strut::test
