// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Conversion of deal.II's levels to the hierarchy of meshes. Parents and children have the right
// places, supports of coarser meshes follow from finer ones, and the result does not depend on the
// ranks.
#include "source/mesh/element_centres.h"
#include "source/mesh/transfer_arrays.h"
#include "tests/fixtures/interpolation_lists.h"
#include "tests/plugin/mesh_levels.h"

#include <strut/base/exceptions.h>

namespace strut
{
namespace
{
using namespace test;

const std::vector<MeshCase> mesh_cases = {
  {"box", "box", {{"Size", "6,4,2"}, {"Elements", "12,8,4"}}, 0, true},
  {"one_coarse_cell", "box", {{"Size", "1,1,1"}, {"Elements", "4,4,4"}}, 0, true},
  {"hollow_cylinder",
   "hollow cylinder",
   {{"Elements radial", "4"}, {"Elements circumferential", "32"}, {"Elements axial", "8"}},
   0,
   false},
  {"gmsh_rod", "file", {{"File name", STRUT_SOURCE_DIR "/prm/meshes/connecting-rod.msh"}}, 1, true},
  {"gmsh_with_refinements",
   "file",
   {{"File name", STRUT_SOURCE_DIR "/tests/plugin/meshes/box-msh41.msh"}, {"Refinements", "2"}},
   0,
   true},
  {"ball", "ball", {}, 2, true}};

bool left_third(const dealii::Point<3> &x, const unsigned int c)
{
  return x[0] < 0.3 || (c == 1 && x[2] < 1e-9);
}

class ProblemMeshHierarchy : public testing::TestWithParam<MeshCase>
{
protected:
  static Levels on_all_ranks(const Supports &supports = left_third)
  {
    return {GetParam(), distributed(MPI_COMM_WORLD), MPI_COMM_WORLD, supports};
  }
};

TEST_P(ProblemMeshHierarchy, HasAMeshForEachRefinement)
{
  const Levels levels = on_all_ranks();
  ASSERT_EQ(levels.hierarchy.size(), levels.triangulation->n_global_levels() - 1);
  ASSERT_GT(levels.hierarchy.size(), 0u);
  std::size_t n_finer = levels.triangulation->n_global_active_cells();
  for (const CoarseLevel &level : levels.hierarchy)
    {
      EXPECT_EQ(8 * Communicator(MPI_COMM_WORLD).sum(level.mesh.n_elements), n_finer);
      n_finer /= 8;
    }
  EXPECT_EQ(n_finer, levels.triangulation->n_global_coarse_cells());
}

TEST_P(ProblemMeshHierarchy, ChildrenFillTheLatticeOfTheirParent)
{
  const Levels levels = on_all_ranks();
  for (std::size_t l = 0; l < levels.hierarchy.size(); ++l)
    {
      const ElementMesh &fine   = levels.finer_than(l);
      const ElementMesh &coarse = levels.hierarchy[l].mesh;
      const TransferArrays arrays(levels.hierarchy[l], 2);
      const LevelTransfer &transfer = *arrays;
      ASSERT_EQ(transfer.children.size(), 8 * coarse.n_elements);
      strut::test::expect_lists(fine, transfer);

      // vertices of the fine elements, including those of other ranks: 8 x 3 numbers each
      std::vector<double> vertices;
      for (std::size_t e = 0; e < fine.n_elements; ++e)
        for (unsigned int v = 0; v < 8; ++v)
          for (unsigned int d = 0; d < 3; ++d)
            vertices.push_back(
              Levels::place_of(fine, fine.connectivity[v * fine.n_elements + e])[d]);
      vertices = levels.with_ghosts(vertices, transfer.fine_elements, transfer.n_children, 24);

      std::set<LocalIndex> seen;
      for (std::size_t e = 0; e < coarse.n_elements; ++e)
        {
          std::array<std::array<double, 3>, 27> lattice{};
          std::array<bool, 27> known{};
          for (unsigned int c = 0; c < 8; ++c)
            {
              const LocalIndex child = transfer.children[c * coarse.n_elements + e];
              ASSERT_LT(child, transfer.n_children);
              EXPECT_TRUE(seen.insert(child).second);
              if (child < fine.n_elements)
                {
                  EXPECT_EQ(transfer.octants[child], c);
                }
              for (unsigned int v = 0; v < 8; ++v)
                {
                  const unsigned int at = (c & 1) + (v & 1) + 3 * ((c >> 1 & 1) + (v >> 1 & 1)) +
                                          9 * ((c >> 2) + (v >> 2));
                  for (unsigned int d = 0; d < 3; ++d)
                    {
                      const double x = vertices[24 * child + 3 * v + d];
                      if (known[at])
                        {
                          EXPECT_NEAR(lattice[at][d], x, 1e-9);
                        }
                      lattice[at][d] = x;
                    }
                  known[at] = true;
                }
            }
          for (unsigned int v = 0; v < 8; ++v)
            for (unsigned int d = 0; d < 3; ++d)
              EXPECT_NEAR(lattice[2 * (v & 1) + 6 * (v >> 1 & 1) + 18 * (v >> 2)][d],
                          Levels::place_of(coarse,
                                           coarse.connectivity[v * coarse.n_elements + e])[d],
                          1e-9);
        }
    }
}

TEST_P(ProblemMeshHierarchy, LinearFunctionsAreInterpolatedExactlyOnStraightMeshes)
{
  const Levels levels = on_all_ranks();
  for (std::size_t l = 0; l < levels.hierarchy.size(); ++l)
    {
      const ElementMesh &fine = levels.finer_than(l);
      const TransferArrays arrays(levels.hierarchy[l], 2);
      const LevelTransfer &transfer = *arrays;
      const std::size_t n           = fine.n_elements;
      const std::vector<double> x =
        levels.places(levels.hierarchy[l].mesh, transfer.coarse_nodes, transfer.n_coarse_nodes);
      for (std::size_t e = 0; e < n; ++e)
        for (unsigned int v = 0; v < 8; ++v)
          {
            const unsigned int c = transfer.octants[e];
            if (!GetParam().straight && v != c) // coarse nodes are nodes of the finer mesh, anyway
              continue;
            for (unsigned int d = 0; d < 3; ++d)
              {
                double sum = 0;
                for (unsigned int w = 0; w < 8; ++w)
                  {
                    double weight = 1;
                    for (unsigned int k = 0; k < 3; ++k)
                      {
                        const double at = 0.5 * ((c >> k & 1) + (v >> k & 1));
                        weight *= w >> k & 1 ? at : 1 - at;
                      }
                    sum += weight * x[3 * transfer.parent_nodes[transfer.parents[e]][w] + d];
                  }
                ASSERT_NEAR(sum, Levels::place_of(fine, fine.connectivity[v * n + e])[d], 1e-9);
              }
          }
    }
}

TEST_P(ProblemMeshHierarchy, GhostsAreTheNodesOfTheirOwners)
{
  const Levels levels = on_all_ranks();
  for (const CoarseLevel &level : levels.hierarchy)
    {
      const ElementMesh &mesh     = level.mesh;
      const std::vector<double> x = levels.places(mesh, mesh.node_halo, mesh.n_nodes);
      for (std::size_t node = 0; node < mesh.n_nodes; ++node)
        for (unsigned int d = 0; d < 3; ++d)
          ASSERT_NEAR(x[3 * node + d], Levels::place_of(mesh, node)[d], 1e-9);
    }
}

TEST_P(ProblemMeshHierarchy, RanksMakeNoDifference)
{
  const Levels levels = on_all_ranks();
  const Levels alone(GetParam(), serial(), MPI_COMM_SELF, left_third);
  ASSERT_EQ(levels.hierarchy.size(), alone.hierarchy.size());
  for (std::size_t l = 0; l < levels.hierarchy.size(); ++l)
    {
      const ElementMesh &mesh = levels.hierarchy[l].mesh, &expected = alone.hierarchy[l].mesh;
      EXPECT_EQ(levels.nodes(mesh), alone.nodes(expected));
      EXPECT_EQ(levels.elements(mesh), alone.elements(expected));
      EXPECT_EQ(levels.constrained(mesh), alone.constrained(expected));
      // ghosts are held as well as the nodes of others
      Keys here;
      for (const LocalIndex dof : mesh.constrained_dofs)
        here.insert(key(Levels::place_of(mesh, dof / 3), dof % 3));
      const auto all = levels.constrained(mesh);
      for (std::size_t dof = 0; dof < mesh.n_dofs(); ++dof)
        {
          const Key name = key(Levels::place_of(mesh, dof / 3), dof % 3);
          EXPECT_EQ(here.count(name), all.count(name));
        }
      EXPECT_EQ(mesh.constrained_values, std::vector<double>(mesh.constrained_dofs.size(), 0.));
      EXPECT_TRUE(std::is_sorted(mesh.constrained_dofs.begin(), mesh.constrained_dofs.end()));
    }
}

TEST_P(ProblemMeshHierarchy, OnOneRankThereAreNoGhostsAndFamiliesAreConsecutive)
{
  const Levels levels(GetParam(), serial(), MPI_COMM_SELF, left_third);
  for (std::size_t l = 0; l < levels.hierarchy.size(); ++l)
    {
      const TransferArrays arrays(levels.hierarchy[l], 1);
      const LevelTransfer &transfer = *arrays;
      EXPECT_TRUE(transfer.coarse_nodes.neighbours.empty());
      EXPECT_TRUE(transfer.fine_elements.neighbours.empty());
      EXPECT_EQ(transfer.n_coarse_nodes, levels.hierarchy[l].mesh.n_nodes);
      EXPECT_EQ(transfer.n_children, levels.finer_than(l).n_elements);
      const std::size_t n = levels.hierarchy[l].mesh.n_elements;
      for (std::size_t e = 0; e < n; ++e)
        for (std::size_t c = 0; c < 8; ++c)
          ASSERT_EQ(transfer.children[c * n + e], 8 * e + c);
    }
}

TEST(ProblemElementOrder, ThirtyTwoElementsAreABrick)
{
  const Levels levels(mesh_cases[0], serial(), MPI_COMM_SELF, left_third);
  const ElementMesh &mesh = levels.fine;
  const auto centres      = element_centres(mesh);
  ASSERT_EQ(mesh.n_elements % 32, 0u);
  for (std::size_t begin = 0; begin < mesh.n_elements; begin += 32)
    for (unsigned int d = 0; d < 3; ++d)
      {
        const auto first   = centres.begin() + d * mesh.n_elements + begin;
        const auto extents = std::minmax_element(first, first + 32);
        EXPECT_NEAR(*extents.second - *extents.first, d < 2 ? 3 * 0.5 : 0.5, 1e-12);
      }
}

INSTANTIATE_TEST_SUITE_P(Meshes,
                         ProblemMeshHierarchy,
                         testing::ValuesIn(mesh_cases),
                         [](const auto &info) { return info.param.name; });

const MeshCase &cube = mesh_cases[1];

/// The constrained DoFs of the finest coarse mesh of a cube of 4 x 4 x 4 cells, edges of length 1.
Keys coarse_constraints(const Supports &supports, const std::size_t level = 0)
{
  const Levels levels(cube, distributed(MPI_COMM_WORLD), MPI_COMM_WORLD, supports);
  return levels.constrained(levels.hierarchy.at(level).mesh);
}

TEST(ProblemCoarseConstraints, HeldFacesAreThoseOfTheFinerMesh)
{
  const Supports face = [](const auto &x, const unsigned int c) { return x[0] < 1e-9 && c != 1; };
  Keys expected;
  for (const double y : {0., 0.5, 1.})
    for (const double z : {0., 0.5, 1.})
      for (const unsigned int c : {0u, 2u})
        expected.insert(key({0., y, z}, c));
  EXPECT_EQ(coarse_constraints(face), expected);

  expected.clear();
  for (const double y : {0., 1.})
    for (const double z : {0., 1.})
      for (const unsigned int c : {0u, 2u})
        expected.insert(key({0., y, z}, c));
  EXPECT_EQ(coarse_constraints(face, 1), expected);
}

// A support between coarse nodes holds none of them; springs do (SupportSpringsTest).
TEST(ProblemCoarseConstraints, OnlyANodeAtTheSamePlaceIsHeld)
{
  const auto only = [](const dealii::Point<3> &place, const unsigned int component) -> Supports {
    return [=](const dealii::Point<3> &x, const unsigned int c) {
      return x.distance(place) < 1e-9 && c == component;
    };
  };
  EXPECT_EQ(coarse_constraints(only({0.5, 0., 1.}, 2)), keys({{0.5, 0., 1.}}, 2));
  EXPECT_TRUE(coarse_constraints(only({0.25, 0., 1.}, 1)).empty());
  EXPECT_TRUE(coarse_constraints(only({0.25, 0.75, 0.75}, 0)).empty());
  EXPECT_TRUE(coarse_constraints(only({0.5, 0.5, 0.5}, 0), 1).empty());
  EXPECT_EQ(coarse_constraints([](const auto &x, const unsigned int c) {
              return c == 0 && x[0] < 0.3 && x[1] < 1e-9 && x[2] < 1e-9;
            }),
            keys({{0., 0., 0.}}, 0));
}

TEST(ProblemMeshHierarchyLimits, AFlatMeshHasNone)
{
  const MeshCase flat = {"flat", "box", {{"Elements", "3,1,1"}}, 0, true};
  const Levels levels(flat, distributed(MPI_COMM_WORLD), MPI_COMM_WORLD, left_third);
  EXPECT_TRUE(levels.hierarchy.empty());
}

TEST(ProblemMeshHierarchyLimits, NoMoreLevelsThanAskedFor)
{
  const Levels levels(cube, distributed(MPI_COMM_WORLD), MPI_COMM_WORLD, left_third, 1);
  ASSERT_EQ(levels.hierarchy.size(), 1u);
  EXPECT_EQ(Communicator(MPI_COMM_WORLD).sum(levels.hierarchy[0].mesh.n_elements), 8u);
}

TEST(ProblemMeshHierarchyLimits, UnknownOwnersOfLevelsAreRefused)
{
  if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
    GTEST_SKIP() << "needs several ranks";
  EXPECT_CONTAINS(message_of<Error>([] {
                    Levels(cube,
                           std::make_unique<dealii::parallel::distributed::Triangulation<3>>(
                             MPI_COMM_WORLD),
                           MPI_COMM_WORLD,
                           left_third);
                  }),
                  "construct_multigrid_hierarchy");
}
} // namespace
} // namespace strut
