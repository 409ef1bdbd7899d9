// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Macro meshes that strut refines equal deal.II's refined meshes. They have the same elements in
// the same order, the same nodes with the same numbers and places, and the same levels.
#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/manifold_lib.h>

#include <strut/base/exceptions.h>

#include <functional>
#include <stdexcept>

#include "plugin/deck/problem/mesh_maker.h"
#include "plugin/element_mesh/cell_order.h"
#include "plugin/element_mesh/element_mesh_builder.h"
#include "plugin/element_mesh/mesh_hierarchy_builder.h"
#include "source/mesh/element_centres.h"
#include "source/mesh/macro_mesh.h"
#include "source/mesh/transfer_arrays.h"
#include "source/solvers/multigrid/background.h"
#include "tests/plugin/mesh_measures.h"

namespace strut
{
namespace
{
using namespace test;
using Triangulation = dealii::Triangulation<3>;

/// A coarse mesh, its number of refinements, and its size.
struct MacroCase
{
  std::string name;
  std::function<void(Triangulation &)> create;
  unsigned int n_refinements;

  friend void PrintTo(const MacroCase &c, std::ostream *out)
  {
    *out << c.name;
  }
};

/// The coarse mesh of a source.
auto of_source(const std::string &name, const Entries &entries)
{
  return [=](Triangulation &triangulation) { create_mesh(name, entries, triangulation); };
}

/// Bends and shears the coarse mesh: no edge is parallel to an axis.
void twist(Triangulation &triangulation)
{
  dealii::GridTools::transform(
    [](const dealii::Point<3> &x) {
      return dealii::Point<3>(x[0] + 0.07 * x[1] * x[2] - 0.02 * x[2],
                              x[1] + 0.05 * std::sin(x[0]) + 0.1 * x[2],
                              x[2] - 0.06 * x[0] * x[1] + 0.03 * std::cos(2. * x[1]));
    },
    triangulation);
}

std::vector<MacroCase> macro_cases()
{
  std::vector<MacroCase> cases = {
    {"box", of_source("box", {{"Size", "3,2,1"}, {"Elements", "24,16,8"}}), 3},
    {"flat_box", of_source("box", {{"Size", "3,2,1"}, {"Elements", "3,5,2"}}), 0},
    {"one_cell", of_source("box", {{"Size", "1,2,3"}, {"Elements", "1,1,1"}}), 4},
    {"l_beam", of_source("l beam", {{"Cells per fifth", "1"}, {"Layers", "1"}}), 2},
    {"michell",
     of_source("michell",
               {{"Elements along arc", "8"},
                {"Elements from arc", "2"},
                {"Elements to far side", "3"},
                {"Layers", "1"}}),
     3},
    {"connecting_rod", of_source("connecting rod", entries_of_rod("8")), 2},
    {"hollow_cylinder",
     of_source(
       "hollow cylinder",
       {{"Elements radial", "1"}, {"Elements circumferential", "8"}, {"Elements axial", "1"}}),
     3},
    {"gmsh_rod",
     of_source("file", {{"File name", STRUT_SOURCE_DIR "/prm/meshes/connecting-rod.msh"}}),
     1},
    {"ball", [](Triangulation &mesh) { dealii::GridGenerator::hyper_ball(mesh); }, 3},
    {"ball_of_one_manifold",
     [](Triangulation &mesh) {
       dealii::GridGenerator::hyper_ball(mesh);
       mesh.set_all_manifold_ids(1);
       mesh.set_all_manifold_ids_on_boundary(0);
       dealii::TransfiniteInterpolationManifold<3> inside;
       inside.initialize(mesh);
       mesh.set_manifold(1, inside);
     },
     2},
    {"twisted_ball",
     [](Triangulation &mesh) {
       dealii::GridGenerator::hyper_ball(mesh);
       mesh.reset_all_manifolds();
       twist(mesh);
     },
     2},
    // along an edge there are more elements than in a block
    {"twisted_cells_of_blocks",
     [](Triangulation &mesh) {
       dealii::GridGenerator::subdivided_hyper_rectangle(mesh, {2, 1, 1}, {0, 0, 0}, {2, 1, 1});
       twist(mesh);
     },
     5},
    {"bent_cell_of_blocks",
     [](Triangulation &mesh) {
       dealii::GridGenerator::hyper_cube(mesh, 1., 2.);
       mesh.set_all_manifold_ids(1);
       mesh.set_manifold(1, dealii::CylindricalManifold<3>(2));
     },
     5}};
  for (unsigned int turns = 0; turns < 4; ++turns)
    cases.push_back(
      {"moebius_" + std::to_string(turns),
       [=](Triangulation &mesh) { dealii::GridGenerator::moebius(mesh, 9, turns, 5., 0.8); },
       2});
  for (unsigned int bits = 0; bits < 16; ++bits)
    cases.push_back({"orientation_" + std::to_string(bits),
                     [=](Triangulation &mesh) {
                       dealii::GridGenerator::non_standard_orientation_mesh(
                         mesh, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0);
                       twist(mesh);
                     },
                     2});
  return cases;
}

/// Compares deal.II's refined mesh with ours.
class MacroMeshes : public testing::TestWithParam<MacroCase>
{
protected:
  void SetUp() override
  {
    GetParam().create(refined_);
    refined_.refine_global(GetParam().n_refinements);
    dof_handler_.distribute_dofs(fe_);
    expected_ = build_element_mesh(dof_handler_, MPI_COMM_SELF);

    GetParam().create(maker_.triangulation());
    mesh_ = maker_.make_mesh(GetParam().n_refinements, nullptr);
  }

  static void expect_equal_places(const std::vector<double> &found,
                                  const std::vector<double> &expected)
  {
    ASSERT_EQ(found.size(), expected.size());
    const auto [lowest, highest] = std::minmax_element(expected.begin(), expected.end());
    double difference            = 0.;
    for (std::size_t i = 0; i < found.size(); ++i)
      difference = std::max(difference, std::abs(found[i] - expected[i]));
    EXPECT_LE(difference, 1e-13 * (*highest - *lowest));
  }

  Triangulation refined_;
  dealii::FESystem<3> fe_{dealii::FE_Q<3>(1), 3};
  dealii::DoFHandler<3> dof_handler_{refined_};
  ElementMesh expected_;
  MeshMaker maker_{MPI_COMM_SELF};
  DeckMesh mesh_;
};

TEST_P(MacroMeshes, AreTheMeshesThatDealIIRefines)
{
  const ElementMesh &mesh = mesh_.elements;
  ASSERT_EQ(mesh.n_elements, expected_.n_elements);
  EXPECT_EQ(mesh.n_nodes, expected_.n_nodes);
  EXPECT_EQ(mesh.n_owned_nodes, expected_.n_owned_nodes);
  EXPECT_EQ(mesh.connectivity, expected_.connectivity);
  EXPECT_EQ(mesh.flags, expected_.flags);
  expect_equal_places(mesh.coordinates, expected_.coordinates);
  expect_equal_places(element_centres(mesh), element_centres(expected_));
  ASSERT_EQ(mesh.volumes.size(), expected_.volumes.size());
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    ASSERT_NEAR(mesh.volumes[e], expected_.volumes[e], 1e-10 * expected_.volumes[e]);
}

TEST_P(MacroMeshes, HaveItsLevels)
{
  std::vector<LocalIndex> dofs;
  for (std::size_t i = 0; i < expected_.n_dofs(); ++i)
    if (expected_.coordinates[i / 3] < 0.3)
      dofs.push_back(static_cast<LocalIndex>(i));
  const std::vector<double> values(dofs.size(), 2.);
  set_constraints(dofs, values, MPI_COMM_SELF, expected_);
  set_constraints(dofs, values, MPI_COMM_SELF, mesh_.elements);

  MeshHierarchy expected = build_mesh_hierarchy(dof_handler_, expected_, MPI_COMM_SELF);
  add_background(Communicator(), expected_, expected, 1); // done as for the meshes of decks
  const MeshHierarchy found = maker_.make_hierarchy(mesh_.elements);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t l = 0; l < found.size(); ++l)
    {
      const ElementMesh &mesh = found[l].mesh, &same = expected[l].mesh;
      EXPECT_EQ(mesh.n_elements, same.n_elements);
      EXPECT_EQ(mesh.n_nodes, same.n_nodes);
      EXPECT_EQ(mesh.n_owned_nodes, same.n_owned_nodes);
      EXPECT_EQ(mesh.connectivity, same.connectivity);
      expect_equal_places(mesh.coordinates, same.coordinates);
      expect_equal_places(element_centres(mesh), element_centres(same));
      EXPECT_EQ(mesh.constrained_dofs, same.constrained_dofs);
      EXPECT_EQ(mesh.constrained_values, same.constrained_values);

      const TransferArrays arrays(found[l], 2), other_arrays(expected[l], 2);
      const LevelTransfer &transfer = *arrays, &other = *other_arrays;
      EXPECT_EQ(transfer.octants, other.octants);
      EXPECT_EQ(transfer.parents, other.parents);
      EXPECT_EQ(transfer.parent_nodes, other.parent_nodes);
      EXPECT_EQ(transfer.n_coarse_nodes, other.n_coarse_nodes);
      EXPECT_EQ(transfer.children, other.children);
      EXPECT_EQ(transfer.n_children, other.n_children);
    }
}

TEST_P(MacroMeshes, KnowTheirMaterialsAndBoundaries)
{
  const std::vector<CellPlace> cells = order_active_cells(refined_);
  const auto n_levels                = static_cast<unsigned int>(refined_.n_levels());
  std::size_t n_faces                = 0;
  for (std::size_t e = 0; e < cells.size(); ++e)
    {
      const Triangulation::cell_iterator cell(&refined_, cells[e].level, cells[e].index);
      ASSERT_EQ(mesh_.material_id(e), cell->material_id());
      ASSERT_EQ(mesh_.place(e).n, 1u << (n_levels - 1));
      for (const unsigned int f : cell->face_indices())
        {
          ASSERT_EQ(mesh_.at_boundary(e, f), cell->at_boundary(f));
          if (cell->at_boundary(f))
            {
              ASSERT_EQ(mesh_.boundary_id(e, f), cell->face(f)->boundary_id());
              ASSERT_LT(n_faces, mesh_.named_faces().size());
              const DeckMesh::Face &face = mesh_.named_faces()[n_faces++];
              ASSERT_EQ(face.element, e);
              ASSERT_EQ(face.number, f);
              ASSERT_LT(mesh_.face_centre(face).distance(cell->face(f)->center()), 1e-12);
            }
        }
    }
  EXPECT_EQ(n_faces, mesh_.named_faces().size());
}

TEST_P(MacroMeshes, AreTheSameForAnyNumberOfThreads)
{
  Triangulation coarse;
  GetParam().create(coarse);
  const MacroMesh macro = build_macro_mesh(coarse);
  std::vector<std::uint32_t> backwards(macro.cells.size());
  for (std::size_t c = 0; c < backwards.size(); ++c)
    backwards[c] = static_cast<std::uint32_t>(backwards.size() - 1 - c);
  const ElementMesh one   = refine(macro, backwards, GetParam().n_refinements, 1);
  const ElementMesh three = refine(macro, backwards, GetParam().n_refinements, 3);
  EXPECT_EQ(one.n_nodes, three.n_nodes);
  EXPECT_EQ(one.connectivity, three.connectivity);
  EXPECT_EQ(one.coordinates, three.coordinates);
  EXPECT_EQ(element_centres(one), element_centres(three));
}

INSTANTIATE_TEST_SUITE_P(Cases,
                         MacroMeshes,
                         testing::ValuesIn(macro_cases()),
                         [](const auto &info) { return info.param.name; });

TEST(MacroMesh, HandsOnWhatAManifoldThrows)
{
  Triangulation ball;
  dealii::GridGenerator::hyper_ball(ball);
  MacroMesh macro = build_macro_mesh(ball);
  macro.new_point =
    [](std::uint32_t, std::size_t, const MacroMesh::Point *, const double *) -> MacroMesh::Point {
    throw std::domain_error("no such point");
  };
  EXPECT_THROW(refine(macro, {0, 1, 2, 3, 4, 5, 6}, 2, 2), std::domain_error);
}

TEST(MacroMesh, RefusesMoreElementsThanItCanNumber)
{
  Triangulation cube;
  dealii::GridGenerator::hyper_cube(cube);
  const MacroMesh macro = build_macro_mesh(cube);
  EXPECT_THROW(refine(macro, {0}, 11, 1), Error);
  cube.refine_global(1);
  EXPECT_THROW(build_macro_mesh(cube), Error);
}
} // namespace
} // namespace strut
