// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/operators/coloured_storage.h"

#include "../../../fixtures/box_mesh.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

// Host code of the CUDA backend: needs the toolkit to be built, no device to be tested.
namespace strut::test
{
namespace
{
using cuda::ColouredStorage;
using cuda::ColourRange;

/// The nodes of the elements of a range, with repetitions.
std::vector<LocalIndex>
nodes_of(const ElementMesh &mesh, const ColouredStorage &storage, const ColourRange &range)
{
  std::vector<LocalIndex> nodes;
  for (std::size_t s = range.begin; s < range.end; ++s)
    for (std::size_t v = 0; v < 8; ++v)
      nodes.push_back(mesh.connectivity[v * mesh.n_elements + storage.elements[s]]);
  return nodes;
}

// The operator relies on this, for many parts and sections. Every element occurs once, no node
// occurs twice in a colour, and no node is in two parts. The first element at a node, in the order
// of the launches, is marked.
TEST(ColouredStorage, KeepsWhatTheLaunchesRelyOn)
{
  for (const BoxOptions &options : {BoxOptions::regular({{7, 6, 5}}),
                                    BoxOptions::wild({{6, 5, 5}}, 3),
                                    BoxOptions::regular({{1, 1, 1}})})
    for (const std::size_t n_parts : {1, 2, 3})
      for (const std::size_t section_bytes :
           {std::size_t(100), std::size_t(2000), std::size_t(1) << 30})
        {
          const ElementMesh mesh = make_box(options).mesh;
          const ColouredStorage storage(mesh, n_parts, section_bytes, 48);
          ASSERT_EQ(storage.parts.size(), n_parts);
          ASSERT_EQ(std::set<LocalIndex>(storage.elements.begin(), storage.elements.end()).size(),
                    mesh.n_elements);
          ASSERT_EQ(storage.elements.size(), mesh.n_elements);

          // the ranges follow each other without gap
          std::vector<ColourRange> all;
          for (const auto &part : storage.parts)
            all.insert(all.end(), part.begin(), part.end());
          all.insert(all.end(), storage.cut.begin(), storage.cut.end());
          std::size_t next = 0;
          for (const ColourRange &range : all)
            {
              EXPECT_EQ(range.begin, next);
              EXPECT_GT(range.end, range.begin);
              next                                = range.end;
              const std::vector<LocalIndex> nodes = nodes_of(mesh, storage, range);
              EXPECT_EQ(std::set<LocalIndex>(nodes.begin(), nodes.end()).size(), nodes.size());
            }
          EXPECT_EQ(next, mesh.n_elements);

          std::set<LocalIndex> of_earlier_parts;
          for (const auto &part : storage.parts)
            {
              std::set<LocalIndex> mine;
              for (const ColourRange &range : part)
                for (const LocalIndex node : nodes_of(mesh, storage, range))
                  mine.insert(node);
              for (const LocalIndex node : mine)
                EXPECT_EQ(of_earlier_parts.count(node), 0u);
              of_earlier_parts.insert(mine.begin(), mine.end());
            }

          const std::vector<LocalIndex> connectivity = storage.connectivity(mesh);
          std::vector<int> n_first(mesh.n_nodes, 0);
          std::vector<bool> seen(mesh.n_nodes, false);
          for (std::size_t s = 0; s < mesh.n_elements; ++s)
            for (std::size_t v = 0; v < 8; ++v)
              {
                const LocalIndex entry = connectivity[8 * s + v];
                const LocalIndex node  = entry & ~ColouredStorage::first_at_node;
                const bool first       = (entry & ColouredStorage::first_at_node) != 0;
                EXPECT_EQ(node, mesh.connectivity[v * mesh.n_elements + storage.elements[s]]);
                EXPECT_EQ(first, !seen[node]);
                seen[node] = true;
                n_first[node] += first;
              }
          for (const int n : n_first)
            EXPECT_EQ(n, 1);
        }
}
} // namespace
} // namespace strut::test
