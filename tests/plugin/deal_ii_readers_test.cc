// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Triangulations from VTK files equal those that deal.II's GridIn makes. They have the same
// vertices and cells in the same order, with the same ids.
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_in.h>
#include <deal.II/grid/grid_out.h>
#include <deal.II/grid/tria.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <random>

#include "plugin/deck/mesh/file_mesh.h"
#include "plugin/deck/mesh/file_triangulation.h"
#include "tests/plugin/mesh_texts.h"

using namespace strut;
using namespace strut::test;

namespace
{
using Mesh = dealii::Triangulation<3>;

void expect_equal(const Mesh &mesh, const Mesh &reference)
{
  ASSERT_EQ(mesh.n_vertices(), reference.n_vertices());
  for (unsigned int v = 0; v < mesh.n_vertices(); ++v)
    EXPECT_EQ(mesh.get_vertices()[v], reference.get_vertices()[v]) << "vertex " << v;
  ASSERT_EQ(mesh.n_active_cells(), reference.n_active_cells());
  auto other = reference.begin_active();
  for (const auto &cell : mesh.active_cell_iterators())
    {
      EXPECT_EQ(cell->material_id(), other->material_id()) << cell;
      ASSERT_EQ(cell->n_vertices(), other->n_vertices()) << cell;
      for (const unsigned int v : cell->vertex_indices())
        EXPECT_EQ(cell->vertex_index(v), other->vertex_index(v)) << cell;
      for (const unsigned int f : cell->face_indices())
        {
          ASSERT_EQ(cell->at_boundary(f), other->at_boundary(f)) << cell;
          EXPECT_EQ(cell->face(f)->boundary_id(), other->face(f)->boundary_id()) << cell;
        }
      ++other;
    }
}

void expect_equal_readers(const std::string &text)
{
  Mesh reference, mesh;
  dealii::GridIn<3> reader(reference);
  std::istringstream in(text);
  reader.read_vtk(in);
  make_triangulation(read_vtk(text), mesh);
  expect_equal(mesh, reference);
}

std::string written(const Mesh &mesh)
{
  std::ostringstream out;
  dealii::GridOut().write_vtk(mesh, out);
  return out.str();
}

/// The text of a mesh with permuted vertices, and with cells that begin at any corner and have any
/// orientation, with random ids.
std::string shuffled(const Mesh &mesh, const unsigned int seed)
{
  std::mt19937 random(seed);
  std::vector<unsigned int> number(mesh.n_vertices());
  std::iota(number.begin(), number.end(), 0u);
  std::shuffle(number.begin(), number.end(), random);
  std::vector<unsigned int> vertex(number.size());
  for (unsigned int v = 0; v < number.size(); ++v)
    vertex[number[v]] = v;

  using Corners = std::array<unsigned int, 8>; // around the bottom, then around the top
  std::vector<Corners> cells;
  for (const auto &cell : mesh.active_cell_iterators())
    {
      Corners corners;
      const Corners order = {{0, 1, 3, 2, 4, 5, 7, 6}};
      for (unsigned int i = 0; i < 8; ++i)
        corners[i] = number[cell->vertex_index(order[i])];
      const Corners turns[] = {{{1, 2, 3, 0, 5, 6, 7, 4}}, {{4, 5, 1, 0, 7, 6, 2, 3}}};
      for (unsigned int turn = random() % 12; turn > 0; --turn)
        {
          const Corners before = corners;
          const Corners &how   = turns[random() % 2];
          for (unsigned int i = 0; i < 8; ++i)
            corners[i] = before[how[i]];
        }
      cells.push_back(corners);
    }
  std::vector<std::array<unsigned int, 4>> faces;
  for (const auto &face : mesh.active_face_iterators())
    if (face->at_boundary() && random() % 2 == 0)
      faces.push_back({{number[face->vertex_index(0)],
                        number[face->vertex_index(1)],
                        number[face->vertex_index(3)],
                        number[face->vertex_index(2)]}});

  std::ostringstream out;
  out.precision(17);
  const std::size_t n = cells.size() + faces.size();
  out << "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " << vertex.size()
      << " double\n";
  for (const unsigned int v : vertex)
    out << mesh.get_vertices()[v] << '\n';
  out << "CELLS " << n << ' ' << 9 * cells.size() + 5 * faces.size() << '\n';
  for (const Corners &cell : cells)
    {
      out << 8;
      for (const unsigned int i : cell)
        out << ' ' << i;
      out << '\n';
    }
  for (const auto &face : faces)
    {
      out << 4;
      for (const unsigned int i : face)
        out << ' ' << i;
      out << '\n';
    }
  out << "CELL_TYPES " << n << '\n';
  for (std::size_t i = 0; i < n; ++i)
    out << (i < cells.size() ? 12 : 9) << '\n';
  out << "CELL_DATA " << n << "\nSCALARS MaterialID int 1\nLOOKUP_TABLE default\n";
  for (std::size_t i = 0; i < n; ++i)
    out << random() % 4 << '\n';
  return out.str();
}

using Maker                                              = std::function<void(Mesh &)>;
const std::vector<std::pair<const char *, Maker>> makers = {
  {"a box", [](Mesh &mesh) { dealii::GridGenerator::hyper_cube(mesh, -1., 1., true); }},
  {"a box of 3 x 2 x 2",
   [](Mesh &mesh) {
     dealii::GridGenerator::subdivided_hyper_rectangle(
       mesh, {3, 2, 2}, dealii::Point<3>(0., 0.1, 0.2), dealii::Point<3>(3., 2., 1.), true);
   }},
  {"a ball",
   [](Mesh &mesh) {
     dealii::GridGenerator::hyper_ball(mesh);
     mesh.refine_global(1);
   }},
  {"a shell",
   [](Mesh &mesh) {
     dealii::GridGenerator::hyper_shell(mesh, dealii::Point<3>(), 0.5, 1., 12, true);
   }},
  {"a cylinder", [](Mesh &mesh) { dealii::GridGenerator::cylinder(mesh, 1., 2.); }},
  {"a torus", [](Mesh &mesh) { dealii::GridGenerator::torus(mesh, 2., 0.5); }}};
} // namespace

TEST(DealIIReaders, FilesOfTheTests)
{
  expect_equal_readers(file_contents(meshes + "box.vtk"));
}

// Files have boundary ids, edges with ids, and manifold ids on cells, faces and edges.
TEST(DealIIReaders, WhatDealIIWrites)
{
  for (const auto &[name, make] : makers)
    {
      SCOPED_TRACE(name);
      Mesh mesh;
      make(mesh);
      unsigned int id = 0;
      for (const auto &cell : mesh.active_cell_iterators())
        cell->set_material_id(id++ % 3);
      expect_equal_readers(written(mesh));
    }
}

// deal.II's reordering also depends on the numbers of the vertices.
TEST(DealIIReaders, CellsAndVerticesInAnyOrder)
{
  for (const auto &[name, make] : makers)
    for (unsigned int seed = 0; seed < 5; ++seed)
      {
        SCOPED_TRACE(std::string(name) + ", " + std::to_string(seed));
        Mesh mesh;
        make(mesh);
        expect_equal_readers(shuffled(mesh, seed));
      }
}

TEST(DealIIReaders, Tetrahedra)
{
  Mesh mesh;
  dealii::GridGenerator::subdivided_hyper_cube_with_simplices(mesh, 2);
  expect_equal_readers(written(mesh));
}
