// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../../fixtures/assembly_meshes.h"
#include "../../fixtures/backends.h"
#include "../../fixtures/errors.h"
#include "source/comparison/assembly/assembly_operations.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace strut::test
{
namespace
{
/// The sets that stage 1 must find.
std::vector<std::set<LocalIndex>> neighbour_sets(const ElementMesh &mesh)
{
  std::vector<std::set<LocalIndex>> sets(mesh.n_nodes);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (std::size_t a = 0; a < mesh.type.n_nodes; ++a)
      for (std::size_t b = 0; b < mesh.type.n_nodes; ++b)
        sets[mesh.node(e, a)].insert(mesh.node(e, b));
  return sets;
}

/// Elements with random nodes, any number of them: a connectivity without a mesh, in which some
/// nodes have no element.
ElementMesh random_connectivity(const std::size_t n_nodes,
                                const std::size_t n_elements,
                                const unsigned int nodes_per_element,
                                const unsigned int seed)
{
  Random random(seed);
  ElementMesh mesh;
  mesh.n_nodes    = n_nodes;
  mesh.n_elements = n_elements;
  mesh.type       = {"of any number of nodes", nodes_per_element, nodes_per_element};
  mesh.connectivity.resize(nodes_per_element * n_elements);
  for (std::size_t e = 0; e < n_elements; ++e)
    {
      const auto nodes = random.permutation(n_nodes);
      for (std::size_t a = 0; a < nodes_per_element; ++a)
        mesh.connectivity[a * n_elements + e] = nodes[a];
    }
  return mesh;
}

/// Sizes around the widths of warps and blocks, in elements.
const std::vector<std::array<std::size_t, 3>> &sizes()
{
  static const std::vector<std::array<std::size_t, 3>> list = {
    {{1, 1, 1}}, {{31, 1, 1}}, {{4, 4, 2}}, {{1, 11, 3}}, {{1, 1, 257}}, {{7, 6, 5}}};
  return list;
}

std::vector<ElementMesh> connectivities()
{
  std::vector<ElementMesh> list;
  for (const auto &n : sizes())
    for (const ElementType &type : element_types())
      if (type != type_of<Hex20Irons>() && type != type_of<Tet10Curved>() &&
          (type == type_of<Hex8>() || n[2] < 257))
        list.push_back(make_assembly_mesh(type, n, 1));
  for (const std::size_t n_elements : {1, 31, 32, 33, 257})
    for (const unsigned int nodes_per_element : {1, 2, 6, 27})
      list.push_back(random_connectivity(
        nodes_per_element + n_elements / 2 + 3, n_elements, nodes_per_element, 7));
  list.push_back(random_connectivity(40, 257, 27, 8)); // lists too long for shared memory
  return list;
}

constexpr NeighbourSort all_sorts[] = {NeighbourSort::warp,
                                       NeighbourSort::segmented,
                                       NeighbourSort::pairs,
                                       NeighbourSort::sequential};

using NeighboursTest = PlaceTest;

TEST_P(NeighboursTest, EqualSets)
{
  for (const ElementMesh &mesh : connectivities())
    for (const NeighbourSort sort : all_sorts)
      {
        SCOPED_TRACE(::testing::Message()
                     << mesh.n_elements << " elements of " << mesh.type.n_nodes << " nodes");
        const ConnectivityArrays arrays(memory(), mesh);
        const NeighbourMatrix found = assembly_operations(backend()).find_neighbours(arrays, sort);
        const auto begin            = found.begin.to_host();
        const auto nodes            = found.nodes.to_host();
        const auto sets             = neighbour_sets(mesh);
        ASSERT_EQ(found.n_nodes, sets.size());
        ASSERT_EQ(begin.size(), sets.size() + 1);
        ASSERT_EQ(begin.back(), found.n_pairs);
        ASSERT_EQ(nodes.size(), found.n_pairs);
        std::size_t longest = 0;
        for (std::size_t node = 0; node < sets.size(); ++node)
          {
            longest = std::max(longest, sets[node].size());
            ASSERT_EQ(std::vector<LocalIndex>(nodes.begin() + static_cast<long>(begin[node]),
                                              nodes.begin() + static_cast<long>(begin[node + 1])),
                      std::vector<LocalIndex>(sets[node].begin(), sets[node].end()))
              << "node " << node;
          }
        EXPECT_EQ(found.longest_row, longest);
      }
}

// The element lists: each pair of element and node once, at its node, ascending.
TEST_P(NeighboursTest, ListTheElements)
{
  for (const ElementMesh &mesh : connectivities())
    {
      const ConnectivityArrays arrays(memory(), mesh);
      const NeighbourMatrix found = assembly_operations(backend()).find_neighbours(arrays);
      const auto begin            = found.incidence_begin.to_host();
      const auto incidences       = found.incidences.to_host();
      ASSERT_EQ(begin.back(), arrays.n_incidences());
      for (std::size_t node = 0; node < mesh.n_nodes; ++node)
        for (LocalIndex k = begin[node]; k < begin[node + 1]; ++k)
          {
            const LocalIndex n_local = mesh.type.n_nodes;
            ASSERT_EQ(mesh.node(incidences[k] / n_local, incidences[k] % n_local), node);
            if (k > begin[node])
              {
                ASSERT_GT(incidences[k], incidences[k - 1]);
              }
          }
    }
}

/// Rows and columns in the order of the values; for ELL with its padding, column by column.
struct Indices
{
  std::vector<std::uint64_t> row_begin;
  std::vector<LocalIndex> rows, columns;
};

Indices expected_indices(const std::vector<std::set<LocalIndex>> &sets,
                         const MatrixFormat format,
                         const std::size_t d)
{
  std::size_t longest = 0;
  for (const auto &set : sets)
    longest = std::max(longest, set.size());
  const std::size_t n_rows = d * sets.size();
  Indices indices;
  indices.row_begin.push_back(0);
  if (format == MatrixFormat::ell)
    indices.columns.resize(d * longest * n_rows);
  for (std::size_t row = 0; row < n_rows; ++row)
    {
      std::vector<LocalIndex> columns;
      for (const LocalIndex neighbour : sets[row / d])
        for (std::size_t j = 0; j < d; ++j)
          columns.push_back(static_cast<LocalIndex>(d * neighbour + j));
      indices.row_begin.push_back(indices.row_begin.back() + columns.size());
      indices.rows.insert(indices.rows.end(), columns.size(), static_cast<LocalIndex>(row));
      if (format == MatrixFormat::ell)
        for (std::size_t k = 0; k < d * longest; ++k)
          indices.columns[k * n_rows + row] =
            k < columns.size() ? columns[k] : static_cast<LocalIndex>(row);
      else
        indices.columns.insert(indices.columns.end(), columns.begin(), columns.end());
    }
  return indices;
}

using PatternTest = PlaceTest;

TEST_P(PatternTest, EqualsThatOfTheSets)
{
  for (const ElementMesh &mesh : connectivities())
    {
      const auto sets = neighbour_sets(mesh);
      const ConnectivityArrays arrays(memory(), mesh);
      const NeighbourMatrix neighbours = assembly_operations(backend()).find_neighbours(arrays);
      for (const int d : {1, 3, 4})
        for (const MatrixFormat format : {MatrixFormat::coo, MatrixFormat::csr, MatrixFormat::ell})
          {
            SCOPED_TRACE(::testing::Message()
                         << to_string(format) << ", " << d << " DoFs a node, " << mesh.n_elements
                         << " elements of " << mesh.type.n_nodes << " nodes");
            const SparsePattern pattern =
              assembly_operations(backend()).make_pattern(neighbours, format, d);
            const Indices expected = expected_indices(sets, format, static_cast<std::size_t>(d));
            EXPECT_EQ(pattern.n_entries, expected.rows.size());
            EXPECT_EQ(pattern.n_stored, expected.columns.size());
            EXPECT_EQ(pattern.columns.to_host(), expected.columns);
            EXPECT_EQ(pattern.rows.to_host(),
                      format == MatrixFormat::coo ? expected.rows : std::vector<LocalIndex>());
            EXPECT_EQ(pattern.row_begin.to_host(),
                      format == MatrixFormat::csr ? expected.row_begin
                                                  : std::vector<std::uint64_t>());
          }
    }
}

TEST_P(PatternTest, AllowsNoElements)
{
  ElementMesh mesh;
  for (const std::size_t n_nodes : {0, 5})
    {
      mesh.n_nodes = n_nodes;
      const ConnectivityArrays arrays(memory(), mesh);
      const NeighbourMatrix neighbours = assembly_operations(backend()).find_neighbours(arrays);
      EXPECT_EQ(neighbours.n_pairs, 0u);
      for (const MatrixFormat format : {MatrixFormat::coo, MatrixFormat::csr, MatrixFormat::ell})
        {
          const SparsePattern pattern =
            assembly_operations(backend()).make_pattern(neighbours, format, 3);
          EXPECT_EQ(pattern.n_stored, 0u);
          EXPECT_EQ(pattern.row_begin.to_host(),
                    std::vector<std::uint64_t>(format == MatrixFormat::csr ? 3 * n_nodes + 1 : 0));
        }
    }
}

// Reports times and bytes of a stage; its memory is freed.
TEST_P(PatternTest, ReportsItsSteps)
{
  const std::size_t before = memory().in_use();
  for (const NeighbourSort sort : all_sorts)
    {
      const ConnectivityArrays arrays(memory(),
                                      make_assembly_mesh(type_of<Hex8>(), {{6, 6, 6}}, 1));
      StageReport stage_1, stage_2;
      const NeighbourMatrix neighbours =
        assembly_operations(backend()).find_neighbours(arrays, sort, &stage_1);
      const SparsePattern pattern =
        assembly_operations(backend()).make_pattern(neighbours, MatrixFormat::csr, 3, &stage_2);
      for (const StageReport *report : {&stage_1, &stage_2})
        {
          EXPECT_FALSE(report->steps.empty());
          EXPECT_GT(report->seconds(), 0.);
          for (const StageReport::Step &step : report->steps)
            EXPECT_GT(step.bytes, 0.);
        }
      EXPECT_GE(stage_1.bytes, sizeof(LocalIndex) * static_cast<double>(neighbours.n_pairs));
      EXPECT_GE(stage_2.bytes, sizeof(LocalIndex) * static_cast<double>(pattern.n_entries));
    }
  EXPECT_EQ(memory().in_use(), before);
}

// Memory is asked for before it is taken, and the message says how much.
TEST_P(PatternTest, RefusesWhatDoesNotFit)
{
  EXPECT_NO_THROW(require_memory(memory(), 1e3, "a test"));
  expect_error<OutOfMemory>([&]() { require_memory(memory(), 1e18, "a test"); },
                            {"a test: 1000000000.0 GB needed"});
}

INSTANTIATE_TEST_SUITE_P(Core, NeighboursTest, at_all_places(), place_name);
INSTANTIATE_TEST_SUITE_P(Core, PatternTest, at_all_places(), place_name);

// Numbers that do not fit 32 bits are refused, with the number in the message, before the
// allocation.
TEST(AssemblySizes, RefuseWhatCannotBeNumbered)
{
  ElementMesh mesh;
  mesh.n_nodes    = 1000;
  mesh.n_elements = 600000000;
  expect_error([&]() { check(mesh); }, {"4800000000", "4294967295"});

  NeighbourMatrix neighbours;
  neighbours.n_nodes = 2000000000;
  expect_error([&]() { pattern_sizes(neighbours, MatrixFormat::csr, 3); }, {"6000000000"});
}

// More than 2^31 entries are counted as they are.
TEST(AssemblySizes, CountEntriesIn64Bits)
{
  NeighbourMatrix neighbours;
  neighbours.n_nodes          = 20000000;
  neighbours.n_pairs          = 27 * neighbours.n_nodes;
  neighbours.longest_row      = 30;
  const SparsePattern csr     = pattern_sizes(neighbours, MatrixFormat::csr, 3);
  const SparsePattern ell     = pattern_sizes(neighbours, MatrixFormat::ell, 3);
  const std::size_t n_entries = 4860000000;
  EXPECT_EQ(csr.n_entries, n_entries);
  EXPECT_EQ(csr.n_stored, n_entries);
  EXPECT_EQ(ell.n_stored, n_entries / 27 * 30);
  EXPECT_EQ(index_bytes(csr), 4. * 4.86e9 + 8. * (6e7 + 1.));

  // the last entry of the last row
  const std::uint64_t begin[] = {0, 27, std::uint64_t(1) << 40, (std::uint64_t(1) << 40) + 27};
  const EntryPlaces places    = {begin, 9, 3, false};
  EXPECT_EQ(places.block(2, 26) + 2 * places.row_stride(2) + 2,
            9 * ((std::size_t(1) << 40) + 27) - 1);
}

TEST(AssemblySizes, RefuseConnectivitiesThatAreNone)
{
  ElementMesh mesh = make_assembly_mesh(type_of<Tet4>(), {{2, 2, 2}}, 1);
  EXPECT_NO_THROW(check(mesh));
  ElementMesh wrong     = mesh;
  wrong.connectivity[5] = static_cast<LocalIndex>(wrong.n_nodes);
  expect_error([&]() { check(wrong); }, {"element 5 has the nodes"});
  wrong                 = mesh;
  wrong.connectivity[7] = wrong.connectivity[7 + wrong.n_elements];
  expect_error([&]() { check(wrong); }, {"element 7 has the nodes"});
  wrong.connectivity.pop_back();
  expect_error([&]() { check(wrong); }, {"array of the connectivity"});
  wrong = mesh;
  wrong.coordinates.pop_back();
  expect_error([&]() { check(wrong); }, {"array of coordinates"});

  mesh.constrained_dofs = {static_cast<LocalIndex>(3 * mesh.n_nodes)};
  expect_error([&]() { check(mesh); }, {"does not exist"});
  mesh.type = type_of<Tet10>();
  expect_error([&]() { check(mesh); }, {"elements of type tet10 with 10 nodes"});
}
} // namespace
} // namespace strut::test
