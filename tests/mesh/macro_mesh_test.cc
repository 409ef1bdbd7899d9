// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Refinement of macro meshes. Neighbours agree about their common nodes in any orientation, places
// are those of the lattice, and levels match. tests/plugin/macro_mesh_test.cc compares with
// deal.II's refinement.
#include "../fixtures/box_mesh.h"
#include "../fixtures/interpolation_lists.h"
#include "source/mesh/element_centres.h"
#include "source/mesh/macro_mesh.h"
#include "source/mesh/macro_nodes.h"
#include "source/mesh/transfer_arrays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace strut
{
namespace
{
using Point = MacroMesh::Point;
using Cells = std::vector<std::array<LocalIndex, 8>>;

/// Vertices of the edges of a cell: along y at the four places of (x, z), along x at those of
/// (y, z), along z at those of (x, y).
constexpr unsigned int edge_of_cell[12][2] = {
  {0, 2}, {1, 3}, {0, 1}, {2, 3}, {4, 6}, {5, 7}, {4, 5}, {6, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

/// A macro mesh whose edges and faces have the orientation of the first cell that contains them.
MacroMesh macro_mesh(const std::vector<Point> &vertices, const Cells &cells)
{
  static constexpr unsigned int of_face[6][4] = {
    {0, 2, 4, 6}, {1, 3, 5, 7}, {0, 4, 1, 5}, {2, 6, 3, 7}, {0, 1, 2, 3}, {4, 5, 6, 7}};
  static constexpr unsigned int of_edge[4][2] = {{0, 2}, {1, 3}, {0, 1}, {2, 3}};
  MacroMesh macro;
  macro.vertices = vertices;
  std::map<std::set<LocalIndex>, LocalIndex> edges, faces;
  for (const auto &corners : cells)
    {
      MacroMesh::Cell cell;
      cell.vertices = corners;
      for (unsigned int f = 0; f < 6; ++f)
        {
          MacroMesh::Face face;
          for (unsigned int v = 0; v < 4; ++v)
            face.vertices[v] = corners[of_face[f][v]];
          for (unsigned int e = 0; e < 4; ++e)
            {
              MacroMesh::Edge edge;
              edge.vertices = {{face.vertices[of_edge[e][0]], face.vertices[of_edge[e][1]]}};
              const auto [known, is_new] =
                edges.emplace(std::set<LocalIndex>(edge.vertices.begin(), edge.vertices.end()),
                              macro.edges.size());
              if (is_new)
                macro.edges.push_back(edge);
              face.edges[e] = known->second;
            }
          const auto [known, is_new] =
            faces.emplace(std::set<LocalIndex>(face.vertices.begin(), face.vertices.end()),
                          macro.faces.size());
          if (is_new)
            macro.faces.push_back(face);
          cell.faces[f] = known->second;
        }
      for (unsigned int e = 0; e < 12; ++e)
        cell.edges[e] = edges.at({corners[edge_of_cell[e][0]], corners[edge_of_cell[e][1]]});
      macro.cells.push_back(cell);
    }
  return macro;
}

/// Two unit cubes side by side along x.
std::vector<Point> two_cubes()
{
  std::vector<Point> vertices;
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 3; ++x)
        vertices.push_back({{double(x), double(y), double(z)}});
  return vertices;
}

const Cells cubes_side_by_side = {{{0, 1, 3, 4, 6, 7, 9, 10}}, {{1, 2, 4, 5, 7, 8, 10, 11}}};

Point place(const ElementMesh &mesh, const LocalIndex node)
{
  return {{mesh.coordinates[node],
           mesh.coordinates[mesh.n_nodes + node],
           mesh.coordinates[2 * mesh.n_nodes + node]}};
}

/// Vertex v of an element.
Point vertex(const ElementMesh &mesh, const std::size_t e, const std::size_t v)
{
  return place(mesh, mesh.connectivity[v * mesh.n_elements + e]);
}

TEST(MacroMesh, ACubeIsCutIntoTheElementsOfALattice)
{
  const std::vector<Point> vertices = two_cubes();
  const MacroMesh macro             = macro_mesh(vertices, {{{0, 1, 3, 4, 6, 7, 9, 10}}});
  const ElementMesh mesh            = refine(macro, {0}, 3, 2);
  ASSERT_EQ(mesh.n_elements, 512u);
  EXPECT_EQ(mesh.n_nodes, 729u);
  EXPECT_EQ(mesh.n_owned_nodes, 729u);
  LocalIndex n_met = 0;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (std::size_t v = 0; v < 8; ++v)
      {
        const LocalIndex node = mesh.connectivity[v * mesh.n_elements + e];
        ASSERT_LE(node, n_met); // nodes are numbered by first touch
        n_met = std::max(n_met, node + 1);
        for (std::size_t d = 0; d < 3; ++d)
          {
            const std::size_t at = (e >> d & 1) + 2 * (e >> (3 + d) & 1) + 4 * (e >> (6 + d) & 1);
            ASSERT_EQ(vertex(mesh, e, v)[d], 0.125 * double(at + (v >> d & 1)));
            ASSERT_EQ(mesh.centre(e)[d], 0.125 * (double(at) + 0.5));
          }
      }
}

TEST(MacroMesh, NeighboursShareNodesWhateverTheirOrientations)
{
  const std::vector<Point> vertices = two_cubes();
  constexpr std::size_t n           = 4;
  ASSERT_EQ(test::cube_rotations().size(), 24u);
  for (const auto &first : test::cube_rotations())
    for (const auto &second : test::cube_rotations())
      {
        Cells cells(2);
        for (unsigned int v = 0; v < 8; ++v)
          {
            cells[0][v] = cubes_side_by_side[0][first[v]];
            cells[1][v] = cubes_side_by_side[1][second[v]];
          }
        const ElementMesh mesh = refine(macro_mesh(vertices, cells), {1, 0}, 2, 1);
        ASSERT_EQ(mesh.n_nodes, (2 * n + 1) * (n + 1) * (n + 1));
        std::set<Point> places;
        for (LocalIndex node = 0; node < mesh.n_nodes; ++node)
          places.insert(place(mesh, node));
        ASSERT_EQ(places.size(), mesh.n_nodes); // no node twice
        for (std::size_t e = 0; e < mesh.n_elements; ++e)
          for (std::size_t d = 0; d < 3; ++d) // cubes of a quarter, right-handed
            {
              Point edge[3];
              for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t c = 0; c < 3; ++c)
                  edge[i][c] =
                    vertex(mesh, e, std::size_t(1) << (d + i) % 3)[c] - vertex(mesh, e, 0)[c];
              const double triple =
                edge[0][0] * (edge[1][1] * edge[2][2] - edge[1][2] * edge[2][1]) +
                edge[0][1] * (edge[1][2] * edge[2][0] - edge[1][0] * edge[2][2]) +
                edge[0][2] * (edge[1][0] * edge[2][1] - edge[1][1] * edge[2][0]);
              ASSERT_EQ(triple, 1. / 64.);
            }
      }
}

TEST(MacroMesh, LevelsAreTheMeshesOfFewerRefinements)
{
  const MacroMesh macro = macro_mesh(two_cubes(), cubes_side_by_side);
  ElementMesh fine      = refine(macro, {0, 1}, 3, 2);
  for (LocalIndex node = 0; node < fine.n_nodes; ++node)
    if (place(fine, node)[0] == 0.)
      fine.constrained_dofs.push_back(3 * node + 1);
  fine.constrained_values.assign(fine.constrained_dofs.size(), 5.);

  const MeshHierarchy levels = coarser_meshes(fine, 3, 2);
  ASSERT_EQ(levels.size(), 3u);
  for (unsigned int l = 0; l < 3; ++l)
    {
      const ElementMesh &mesh    = levels[l].mesh;
      const ElementMesh expected = refine(macro, {0, 1}, 2 - l, 1);
      EXPECT_EQ(mesh.connectivity, expected.connectivity);
      EXPECT_EQ(mesh.coordinates, expected.coordinates);
      EXPECT_EQ(element_centres(mesh), element_centres(expected));
      std::vector<LocalIndex> held;
      for (LocalIndex node = 0; node < mesh.n_nodes; ++node)
        if (place(mesh, node)[0] == 0.)
          held.push_back(3 * node + 1);
      EXPECT_EQ(mesh.constrained_dofs, held);
      EXPECT_EQ(mesh.constrained_values, std::vector<double>(held.size(), 0.));

      const ElementMesh &finer = l == 0 ? fine : levels[l - 1].mesh;
      const TransferArrays arrays(levels[l], 2);
      const LevelTransfer &transfer = *arrays;
      EXPECT_TRUE(levels[l].transfer.is_in_order);
      EXPECT_TRUE(levels[l].transfer.octants.empty() && levels[l].transfer.parents.empty() &&
                  levels[l].transfer.children.empty() && levels[l].transfer.parent_nodes.empty());
      for (std::size_t e = 0; e < finer.n_elements; ++e)
        {
          const std::size_t c = transfer.octants[e];
          ASSERT_EQ(transfer.children[c * mesh.n_elements + e / 8], e);
          ASSERT_EQ(place(mesh, transfer.parent_nodes[transfer.parents[e]][c]),
                    vertex(finer, e, c));
        }
    }
}

// Between the levels many lists are equal up to a constant, and on finer meshes more of them.
TEST(MacroMesh, LevelsShareThePatternsOfTheirLists)
{
  for (const std::vector<std::uint32_t> &order : {std::vector<std::uint32_t>{0, 1}, {1, 0}})
    {
      const ElementMesh fine     = refine(macro_mesh(two_cubes(), cubes_side_by_side), order, 5, 2);
      const MeshHierarchy levels = coarser_meshes(fine, 5, 2);
      double share               = 1.;
      for (std::size_t l = levels.size(); l-- > 0;)
        {
          const double finer =
            test::expect_lists(l == 0 ? fine : levels[l - 1].mesh, *TransferArrays(levels[l], 2));
          EXPECT_LE(finer, share);
          share = finer;
        }
      EXPECT_LT(share, 0.25);
    }
}

// Names by bits are those by coordinates.
TEST(MacroMesh, NamesOfAnElementAreThoseOfItsVertices)
{
  const MacroMesh macro = macro_mesh(two_cubes(), cubes_side_by_side);
  for (const unsigned int n_refinements : {0u, 1u, 2u, 4u, 19u})
    {
      const std::vector<std::uint32_t> order = {1, 0};
      const MacroNodes nodes(macro, order, n_refinements);
      const std::uint64_t n    = std::uint64_t(2) << (3 * n_refinements);
      const std::uint64_t step = n < 10000 ? 1 : n / 9973; // some, from both ends
      for (std::uint64_t e = 0; e < n; e += step)
        for (unsigned int v = 0; v < 8; ++v)
          {
            EXPECT_EQ(nodes.names(e)[v], nodes.name(e, v)) << n_refinements << " " << e;
            EXPECT_EQ(nodes.names(n - 1 - e)[v], nodes.name(n - 1 - e, v));
          }
    }
}
} // namespace
} // namespace strut
