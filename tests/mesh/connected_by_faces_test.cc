// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/connected_by_faces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "../fixtures/adapted_box.h"
#include "../fixtures/box_mesh.h"

namespace strut::test
{
namespace
{
/// Reference by sets of nodes of the faces: the least number spreads until none changes.
std::vector<LocalIndex> least_by_spreading(const ElementMesh &mesh,
                                           const std::vector<std::uint8_t> &counts)
{
  const auto node = [&](const std::size_t e, const std::size_t v) {
    return mesh.connectivity[v * mesh.n_elements + e];
  };
  std::map<std::set<LocalIndex>, std::vector<std::size_t>> at_face;
  std::vector<std::vector<std::size_t>> around(mesh.n_nodes);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (counts[e] != 0)
      {
        for (std::size_t d = 0; d < 3; ++d)
          for (std::size_t side = 0; side < 2; ++side)
            {
              std::set<LocalIndex> face;
              for (std::size_t v = 0; v < 8; ++v)
                if ((v >> d & 1) == side)
                  face.insert(node(e, v));
              at_face[face].push_back(e);
            }
        for (std::size_t v = 0; v < 8; ++v)
          around[node(e, v)].push_back(e);
      }
  std::vector<std::vector<std::size_t>> together;
  for (const auto &[face, elements] : at_face)
    together.push_back(elements);
  const AffineRows &rows = mesh.dependent;
  for (std::size_t k = 0; k < rows.dofs.size(); ++k)
    for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
      {
        const auto &at_node = around[rows.dofs[k] / 3], &at_master = around[rows.masters[j] / 3];
        if (!at_node.empty() && !at_master.empty())
          together.push_back({at_node.front(), at_master.front()});
      }
  std::vector<LocalIndex> least(mesh.n_elements);
  std::iota(least.begin(), least.end(), LocalIndex(0));
  for (bool changes = true; changes;)
    {
      changes = false;
      for (const std::vector<std::size_t> &elements : together)
        {
          LocalIndex of_all = least[elements[0]];
          for (const std::size_t e : elements)
            of_all = std::min(of_all, least[e]);
          for (const std::size_t e : elements)
            {
              changes  = changes || least[e] != of_all;
              least[e] = of_all;
            }
        }
    }
  return least;
}

void compare_on_random_designs(const ElementMesh &mesh)
{
  std::mt19937 random(11);
  for (const unsigned int share : {0u, 1u, 3u, 6u, 9u, 10u}) // tenths
    {
      std::vector<std::uint8_t> counts(mesh.n_elements);
      for (std::uint8_t &of_element : counts)
        of_element = random() % 10 < share ? 1 : 0;
      const std::vector<LocalIndex> expected = least_by_spreading(mesh, counts);
      for (const int n_threads : {1, 4})
        EXPECT_EQ(connected_by_faces(mesh, counts, n_threads), expected) << share << " tenths";
    }
}

/// Rotates the elements in every other block of this size, as in a mesh of macro cells.
void turn_blocks(BoxMesh &box, const std::size_t size)
{
  ElementMesh &mesh = box.mesh;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const auto &at          = box.element_at[e];
      const std::size_t block = at[0] / size + 5 * (at[1] / size) + 7 * (at[2] / size);
      const auto &rotation    = cube_rotations()[11 * block % 24];
      std::array<LocalIndex, 8> nodes;
      for (std::size_t v = 0; v < 8; ++v)
        nodes[v] = mesh.connectivity[static_cast<std::size_t>(rotation[v]) * mesh.n_elements + e];
      for (std::size_t v = 0; v < 8; ++v)
        mesh.connectivity[v * mesh.n_elements + e] = nodes[v];
    }
}

// More elements than one thread would take alone.
TEST(ConnectedByFaces, AreThoseOfABruteForceCount)
{
  compare_on_random_designs(make_box(BoxOptions::regular({{0, 0, 0}})).mesh);
  compare_on_random_designs(make_box(BoxOptions::regular({{1, 1, 1}})).mesh);
  compare_on_random_designs(make_box(BoxOptions::regular({{20, 14, 11}})).mesh);
  for (const unsigned int seed : {1u, 2u})
    compare_on_random_designs(make_box(BoxOptions::wild({{13, 15, 14}}, seed)).mesh);
  BoxMesh turned = make_box(BoxOptions::regular({{16, 15, 14}}));
  turn_blocks(turned, 4);
  compare_on_random_designs(turned.mesh);
}

// A few rows tie nodes of a distorted box. Hanging nodes connect large and small elements. A row
// joins two blocks without a common node.
TEST(ConnectedByFaces, TiesConnect)
{
  BoxMesh box = make_box(BoxOptions::wild({{13, 15, 14}}, 5));
  std::mt19937 random(3);
  AffineRows &rows = box.mesh.dependent;
  std::set<LocalIndex> dofs;
  while (dofs.size() < 40)
    dofs.insert(static_cast<LocalIndex>(random() % box.mesh.n_dofs()));
  rows.dofs.assign(dofs.begin(), dofs.end());
  rows.offsets = {0};
  for (std::size_t k = 0; k < rows.dofs.size(); ++k)
    {
      for (std::size_t j = 0; j < 1 + random() % 4; ++j)
        {
          rows.masters.push_back(static_cast<std::uint32_t>(random() % box.mesh.n_dofs()));
          rows.weights.push_back(0.25);
        }
      rows.offsets.push_back(static_cast<std::uint32_t>(rows.masters.size()));
      rows.values.push_back(0.);
    }
  compare_on_random_designs(box.mesh);
  const AdaptedBox adapted(9, [&](double, double, double) { return random() % 3 == 0; });
  compare_on_random_designs(adapted.mesh);

  ElementMesh apart;
  apart.n_elements = 2;
  apart.n_nodes = apart.n_owned_nodes = 16;
  for (LocalIndex v = 0; v < 8; ++v)
    for (LocalIndex e = 0; e < 2; ++e)
      apart.connectivity.push_back(8 * e + v);
  const std::vector<std::uint8_t> both = {1, 1};
  EXPECT_EQ(connected_by_faces(apart, both, 1), (std::vector<LocalIndex>{0, 1}));
  apart.dependent.dofs    = {3};
  apart.dependent.offsets = {0, 1};
  apart.dependent.masters = {3 * 12};
  apart.dependent.weights = {1.};
  apart.dependent.values  = {0.};
  EXPECT_EQ(connected_by_faces(apart, both, 1), (std::vector<LocalIndex>{0, 0}));
}
} // namespace
} // namespace strut::test
