// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/box_mesh.h"
#include "source/base/inverse_map.h"
#include "source/mesh/identical_elements.h"
#include "source/mesh/patches.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace strut::test
{
namespace
{
std::vector<BoxMesh> boxes_with_full_patches()
{
  std::vector<BoxMesh> list;
  for (const auto &n : std::vector<std::array<std::size_t, 3>>{
         {0, 0, 0}, {1, 1, 1}, {31, 1, 1}, {4, 4, 2}, {1, 1, 257}, {9, 10, 12}, {24, 20, 21}})
    {
      list.push_back(make_box(BoxOptions::regular(n)));
      list.push_back(make_box(BoxOptions::wild(n, 3)));
    }
  return list;
}

std::size_t number(const Patches &patches, const std::size_t position)
{
  return patches.elements.empty() ? position : patches.elements[position];
}

// Every element is in one patch, and its slots lead to its nodes. Every slot belongs to an element,
// and a patch has each node once.
TEST(Patches, HaveEveryElementOnce)
{
  for (const BoxMesh &box : boxes_with_full_patches())
    {
      const ElementMesh &mesh = box.mesh;
      const Patches patches   = Patches::build(mesh);
      std::vector<int> seen(mesh.n_elements);
      std::size_t next_element = 0, next_slot = 0;
      for (const Patches::Patch &patch : patches.patches)
        {
          ASSERT_EQ(patch.first_element, next_element);
          ASSERT_EQ(patch.first_slot, next_slot);
          ASSERT_GE(patch.n_elements, 1);
          ASSERT_LE(patch.n_elements, Patches::max_elements);
          ASSERT_LE(patch.n_slots, Patches::max_nodes);
          next_element += patch.n_elements;
          next_slot += patch.n_slots;
          ASSERT_LE(next_slot, patches.nodes.size());
          EXPECT_EQ(std::set<LocalIndex>(patches.nodes.begin() + patch.first_slot,
                                         patches.nodes.begin() + static_cast<long>(next_slot))
                      .size(),
                    patch.n_slots);

          std::set<int> used;
          for (std::size_t p = patch.first_element; p < next_element; ++p)
            {
              const std::size_t e = number(patches, p);
              ++seen[e];
              for (std::size_t v = 0; v < 8; ++v)
                {
                  const int s = patches.vertices[patch.first_vertices + p - patch.first_element][v];
                  ASSERT_LT(s, patch.n_slots);
                  used.insert(s);
                  EXPECT_EQ(patches.nodes[patch.first_slot + static_cast<std::size_t>(s)],
                            mesh.connectivity[v * mesh.n_elements + e]);
                }
            }
          EXPECT_EQ(used.size(), patch.n_slots);
        }
      EXPECT_EQ(next_element, mesh.n_elements);
      EXPECT_EQ(next_slot, patches.nodes.size());
      EXPECT_EQ(seen, std::vector<int>(mesh.n_elements, 1));
    }
}

// Of small meshes all patches are examined. Orders along the curve are recognized.
TEST(Patches, AreForeseenInNumberOfSlots)
{
  for (const BoxMesh &box : boxes_with_full_patches())
    {
      const Patches patches = Patches::build(box.mesh);
      const auto n_slots    = static_cast<double>(patches.nodes.size());
      const auto n_elements = static_cast<double>(box.mesh.n_elements);
      const auto foreseen   = Patches::slots_per_element(box.mesh);
      if (foreseen)
        {
          EXPECT_TRUE(patches.elements.empty());
          EXPECT_NEAR(*foreseen * n_elements, n_slots, 1e-6);
        }
      else
        EXPECT_TRUE(n_elements == 0. || !patches.elements.empty() || n_slots > 4.5 * n_elements);
    }
  const BoxMesh large = make_box(BoxOptions::regular({{120, 60, 40}}));
  EXPECT_NEAR(Patches::slots_per_element(large.mesh).value() *
                static_cast<double>(large.mesh.n_elements),
              static_cast<double>(Patches::build(large.mesh).nodes.size()),
              0.02 * static_cast<double>(large.mesh.n_elements));
}

// The mark says what it means; elements of one orientation never meet.
TEST(Patches, KnowWhereVerticesMeet)
{
  for (const BoxMesh &box : boxes_with_full_patches())
    {
      const Patches patches = Patches::build(box.mesh);
      for (const Patches::Patch &patch : patches.patches)
        {
          bool meet = false;
          for (std::size_t v = 0; v < 8; ++v)
            {
              std::set<int> slots;
              for (std::size_t p = 0; p < patch.n_elements; ++p)
                meet |= !slots.insert(patches.vertices[patch.first_vertices + p][v]).second;
            }
          EXPECT_EQ(patch.vertices_meet != 0, meet);
          EXPECT_FALSE(meet && !box.options.rotate_elements);
        }
    }
}

// A block of 4 x 4 x 2 elements has 75 nodes. Elements in random order are first ordered along a
// curve.
TEST(Patches, ShareNodes)
{
  EXPECT_EQ(Patches::build(make_box(BoxOptions::regular({{4, 4, 2}})).mesh).nodes.size(), 75u);
  const BoxMesh box     = make_box(BoxOptions::wild({{24, 20, 21}}, 3));
  const Patches patches = Patches::build(box.mesh);
  EXPECT_EQ(patches.elements.size(), box.mesh.n_elements);
  EXPECT_LT(static_cast<double>(patches.nodes.size()),
            3.2 * static_cast<double>(box.mesh.n_elements));
}

// Blocks of a regular mesh share their vertices, for any numbering of nodes and elements.
TEST(Patches, ShareVertices)
{
  const BoxOptions options = BoxOptions::regular({{64, 32, 32}});
  for (const BoxOptions &of_mesh : {options, options.shuffled()})
    {
      const BoxMesh box     = make_box(of_mesh);
      const Patches patches = Patches::build(box.mesh);
      EXPECT_LT(8 * patches.vertices.size(), box.mesh.n_elements) << patches.vertices.size();
    }
}

// In a block along the curve, eight neighbouring threads find their nodes in eight banks, so few
// must wait.
TEST(Patches, SpreadOverBanks)
{
  // along the curve they are put in blocks
  const BoxMesh box = make_box(BoxOptions::regular({{16, 16, 16}}).shuffled());
  for (const std::size_t n_banks : {8u, 16u})
    {
      const Patches patches  = Patches::build(box.mesh, n_banks);
      std::size_t n_requests = 0, n_waiting = 0;
      for (const Patches::Patch &patch : patches.patches)
        for (std::size_t first = 0; first < patch.n_elements; first += n_banks)
          for (std::size_t v = 0; v < 8; ++v)
            {
              std::vector<std::set<int>> in_bank(n_banks);
              std::size_t longest = 0;
              for (std::size_t p = first;
                   p < std::min<std::size_t>(first + n_banks, patch.n_elements);
                   ++p)
                {
                  const int slot = patches.vertices[patch.first_vertices + p][v];
                  auto &bank     = in_bank[static_cast<std::size_t>(slot) % n_banks];
                  bank.insert(slot);
                  longest = std::max(longest, bank.size());
                }
              ++n_requests;
              n_waiting += longest - 1;
            }
      EXPECT_LT(static_cast<double>(n_waiting), 0.8 * static_cast<double>(n_requests));
    }
}

// Differences of coordinates within a patch are those of the mesh, also far from the origin.
TEST(Patches, KeepShapesFarFromTheOrigin)
{
  BoxMesh box           = make_box(BoxOptions::wild({{9, 10, 12}}, 3));
  const double far      = 1e6;
  const Patches patches = Patches::build(box.mesh);
  for (double &x : box.mesh.coordinates)
    x += far;
  const auto X      = patches.coordinates<double>(box.mesh, 4);
  const auto single = patches.coordinates<float>(box.mesh, 3);
  ASSERT_EQ(X.size(), 4 * patches.nodes.size());
  ASSERT_EQ(single.size(), 3 * patches.nodes.size());
  for (const Patches::Patch &patch : patches.patches)
    for (std::size_t s = patch.first_slot; s < patch.first_slot + patch.n_slots; ++s)
      {
        const Position first = box.position(patches.nodes[patch.first_slot]);
        const Position here  = box.position(patches.nodes[s]);
        for (std::size_t d = 0; d < 3; ++d)
          {
            EXPECT_NEAR(X[4 * s + d] - X[4 * patch.first_slot + d], here[d] - first[d], 1e-9);
            EXPECT_LE(std::abs(X[4 * s + d]), 2.);
            EXPECT_EQ(single[3 * s + d], static_cast<float>(X[4 * s + d]));
          }
        EXPECT_EQ(X[4 * s + 3], 0.);
      }
}

// No node is in two patches of a colour, and each patch has one colour. The last box has several
// ranges of patches.
TEST(Patches, HaveColoursThatShareNothing)
{
  std::vector<BoxMesh> boxes = boxes_with_full_patches();
  boxes.push_back(make_box(BoxOptions::regular({{48, 40, 36}})));
  for (const BoxMesh &box : boxes)
    {
      const Patches patches = Patches::build(box.mesh);
      const auto colours    = patches.colours(box.mesh.n_nodes);
      std::vector<int> seen(patches.patches.size());
      ASSERT_EQ(colours.begin.back(), patches.patches.size());
      for (std::size_t c = 0; c + 1 < colours.begin.size(); ++c)
        {
          EXPECT_LT(colours.begin[c], colours.begin[c + 1]);
          std::set<LocalIndex> nodes;
          for (LocalIndex k = colours.begin[c]; k < colours.begin[c + 1]; ++k)
            {
              const LocalIndex p = colours.entries[k];
              ++seen[p];
              const Patches::Patch &patch = patches.patches[p];
              for (std::size_t s = patch.first_slot; s < patch.first_slot + patch.n_slots; ++s)
                EXPECT_TRUE(nodes.insert(patches.nodes[s]).second);
            }
        }
      EXPECT_EQ(seen, std::vector<int>(patches.patches.size(), 1));
    }
}

// Patches around one node have a colour each, however many they are.
TEST(Patches, HaveAsManyColoursAsMeetInANode)
{
  constexpr LocalIndex n = 40;
  Patches patches;
  std::vector<LocalIndex> all;
  for (LocalIndex p = 0; p < n; ++p)
    {
      Patches::Patch patch;
      patch.first_slot = 2 * p;
      patch.n_slots    = 2;
      patches.patches.push_back(patch);
      patches.nodes.insert(patches.nodes.end(), {0, p + 1});
      all.push_back(p);
    }
  const auto colours = patches.colours(n + 1);
  EXPECT_EQ(colours.entries, all);
  EXPECT_EQ(colours.begin.size(), n + 1);
}

// The slots of a node are those that have it, ascending.
TEST(Patches, KnowTheSlotsOfANode)
{
  for (const BoxMesh &box : boxes_with_full_patches())
    {
      const Patches patches = Patches::build(box.mesh);
      const InverseMap map(patches.nodes, box.mesh.n_nodes);
      ASSERT_EQ(map.begin.size(), box.mesh.n_nodes + 1);
      ASSERT_EQ(map.entries.size(), patches.nodes.size());
      for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
        for (LocalIndex k = map.begin[node]; k < map.begin[node + 1]; ++k)
          {
            EXPECT_EQ(patches.nodes[map.entries[k]], node);
            EXPECT_TRUE(k == map.begin[node] || map.entries[k - 1] < map.entries[k]);
          }
    }
}

// One vertex elsewhere, or an element turned, is found; a mesh of copies has none.
TEST(IdenticalElements, AreToldFromOthers)
{
  BoxMesh box = make_box(BoxOptions::regular({{5, 4, 3}}));
  EXPECT_EQ(find_unequal_element(box.mesh).element, 0u);
  EXPECT_TRUE(are_equal_elements(box.mesh));
  box.mesh.coordinates[box.mesh.n_nodes - 1] +=
    1e-6; // the last node belongs to the last element alone
  EXPECT_EQ(find_unequal_element(box.mesh).element, 59u);
  EXPECT_EQ(find_unequal_element(box.mesh).vertex, 7);
  EXPECT_FALSE(are_equal_elements(box.mesh));
  EXPECT_FALSE(are_equal_elements(make_box(BoxOptions::regular({{0, 0, 0}})).mesh));
  EXPECT_EQ(find_unequal_element(make_box(BoxOptions::regular({{0, 0, 0}})).mesh).element, 0u);
}

// Finds a deviating element anywhere, also in a mesh that was equal before, and among the elements
// that are checked first.
TEST(IdenticalElements, OneOfManyIsFound)
{
  BoxMesh box       = make_box(BoxOptions::regular({{50, 50, 41}}));
  ElementMesh &mesh = box.mesh;
  EXPECT_TRUE(are_equal_elements(mesh));
  for (const std::size_t e : {std::size_t(1),
                              std::size_t(1022),
                              std::size_t(2500),
                              mesh.n_elements / 1000 | 1,
                              mesh.n_elements - 1})
    {
      double &x       = mesh.coordinates[mesh.connectivity[7 * mesh.n_elements + e]];
      const double at = std::exchange(x, x + 1e-6);
      EXPECT_FALSE(are_equal_elements(mesh)) << e;
      EXPECT_FALSE(are_similar_elements(mesh)) << e;
      for (int time = 0; time < 2; ++time) // the second time it is known
        {
          EXPECT_EQ(find_unequal_element(mesh).element, e);
          EXPECT_EQ(find_unequal_element(mesh).vertex, 7);
        }
      x = at;
    }
  EXPECT_TRUE(are_equal_elements(mesh));
  EXPECT_TRUE(are_similar_elements(mesh));
}

// More large meshes than are kept in mind.
TEST(IdenticalElements, ManyLargeMeshesAreToldApart)
{
  BoxMesh box       = make_box(BoxOptions::regular({{50, 50, 41}}));
  ElementMesh &mesh = box.mesh;
  for (int round = 0; round < 2; ++round)
    for (std::size_t e = 1; e < 21; ++e)
      {
        double &x       = mesh.coordinates[mesh.connectivity[7 * mesh.n_elements + e]];
        const double at = std::exchange(x, x + 1e-6);
        EXPECT_EQ(find_unequal_element(mesh).element, e);
        x = at;
      }
}
} // namespace
} // namespace strut::test
