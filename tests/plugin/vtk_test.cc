// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The reader of VTK: groups by number, and messages with line numbers.
#include <deal.II/grid/tria.h>

#include "plugin/deck/mesh/file_mesh.h"
#include "plugin/deck/mesh/file_triangulation.h"
#include "tests/plugin/mesh_texts.h"

using namespace strut;
using namespace strut::test;

namespace
{
using SizesById = std::map<unsigned int, std::size_t>;

SizesById sizes_by_id(const std::vector<FileMesh::Group> &groups)
{
  SizesById result;
  for (const FileMesh::Group &group : groups)
    {
      EXPECT_EQ(group.name, "");
      result[group.id] = group.members.size();
    }
  return result;
}

/// A copy of a text in which one piece is replaced.
std::string with(std::string text, const std::string &old, const std::string &instead)
{
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), instead);
}

/// A cube of one hexahedron, and its bottom, as a text of 24 lines.
const std::string vtk =
  "# vtk DataFile Version 3.0\na cube\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n"
  "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n"
  "CELLS 2 14\n8 0 1 2 3 4 5 6 7\n4 0 1 2 3\n"
  "CELL_TYPES 2\n12\n9\n"
  "CELL_DATA 2\nSCALARS MaterialID int 1\nLOOKUP_TABLE default\n7\n3\n";
const std::string materials = vtk.substr(vtk.find("SCALARS"));
} // namespace

// The file of format 5.1 is as VTK 9.1 writes it: arrays of numbers and words, names of components,
// METADATA.
TEST(Vtk, CellsAndFacesAreInGroupsByMaterialId)
{
  for (const std::string file : {"box.vtk", "box-v5.vtk"})
    {
      const FileMesh mesh = read_vtk(file_contents(meshes + file));
      EXPECT_EQ(mesh.points.size(), 18u);
      EXPECT_EQ(sizes_by_id(mesh.cell_groups), (SizesById{{7, 4}}));
      EXPECT_EQ(sizes_by_id(mesh.face_groups), (SizesById{{1, 2}, {2, 2}}));
      EXPECT_EQ(mesh.lines_of_faces.front(), file == "box.vtk" ? 30u : 29u);
    }
  EXPECT_EQ(sizes_by_id(read_vtk(file_contents(meshes + "box-gmsh.vtk")).cell_groups), SizesById());
}

TEST(Vtk, WhatIsWrongIsSaidWithItsLine)
{
  expect_messages(
    read_vtk,
    {{"<?xml version=\"1.0\"?>\n",
      "line 1: \"<?xml version=\"1.0\"?>\" where \"# vtk DataFile Version\" was to be, with which a legacy "
      "VTK file begins (XML files, .vtu, are not read"},
     {with(vtk, "ASCII", "BINARY"), "line 3: the file is binary; write it as ASCII"},
     {with(vtk, "ASCII", "ASCI"), "line 3: \"ASCI\" where ASCII was to be"},
     {with(vtk, "UNSTRUCTURED_GRID", "POLYDATA"),
      "line 4: the data set is \"POLYDATA\"; strut reads UNSTRUCTURED_GRID"},
     {with(vtk, "DATASET ", ""),
      "line 4: \"UNSTRUCTURED_GRID\" where DATASET UNSTRUCTURED_GRID was"},
     {vtk.substr(0, vtk.find("CELL_TYPES")),
      "there is no section CELL_TYPES: the file has no mesh, or"},
     {vtk.substr(0, vtk.find("CELLS")), "there is no section CELLS"},
     {vtk.substr(0, vtk.find("1 0 0\n1 1 0") + 3),
      "line 7: the file ends before a coordinate of point 1; it is cut off"},
     {with(vtk, "POINTS 8", "POINTS 9"),
      "line 14: \"CELLS\" is no finite number; a coordinate of point 8"},
     {with(vtk, "POINTS 8", "POINTS 7"),
      "line 13: \"0 1 1\" where a section was to be: the one before has more numbers than it announces"},
     {with(vtk, "POINTS 8", "POINTS 8888888888"),
      "line 5: the number of points is 8888888888, more than a file of this size can have"},
     {with(vtk, "POINTS 8 double", "POINTS"),
      "line 5: \"POINTS\" where a line of the form \"POINTS number type\" was to be"},
     {with(vtk, "0 1 1\n", "0 1 1 1\n"),
      "line 13: \"1\" after the last of 8 points: there are more than"},
     {with(vtk, "0 1 1\n", "0 1 inf\n"),
      "line 13: \"inf\" is no finite number; a coordinate of point 7"},
     {with(vtk, "CELLS 2 14", "CELLS 2 13"), "line 16: CELLS announces 13 numbers; there are 14"},
     {with(vtk, "CELLS 2", "CELLS 3"),
      "line 17: \"CELL_TYPES\" is no whole number; the number of points of "
      "cell 2"},
     {with(vtk, "CELLS 2", "CELLS 1"), "line 15: CELLS announces 14 numbers; there are 9"},
     {with(vtk, "6 7\n", "6 8\n"), "line 15: there is no point 8; the 8 points are counted from 0"},
     {with(vtk, "4 0 1 2 3\n", "4 0 1 2\n"),
      "line 17: \"CELL_TYPES\" is no whole number; a point of cell 1"},
     {with(vtk, "4 0 1 2 3\n", "-4 0 1 2 3\n"), "line 16: the number of points of cell 1 is -4"},
     {with(vtk, "12\n9\n", "9\n12\n"),
      "line 18: a cell of type 9 has 4 points; cell 0 in line 15 has 8"},
     {with(vtk, "CELL_TYPES 2", "CELL_TYPES 1"),
      "line 17: CELL_TYPES announces 1 cells; CELLS has 2"},
     {with(vtk, "CELL_DATA 2", "CELL_DATA 1"), "line 20: CELL_DATA announces 1 cells; CELLS has 2"},
     {with(vtk, "7\n3\n", "7\n"),
      "line 23: the file ends before the MaterialID of cell 1; it is cut off"},
     {with(vtk, "7\n3\n", "7\n3\n3\n"),
      "line 25: \"3\" where a section was to be: the one before has more"},
     {with(vtk, "7\n3\n", "-1\n3\n"),
      "line 23: the MaterialID of cell 0 is \"-1\"; ids are whole numbers "
      "from 0 to 4294967294"},
     {with(vtk, "7\n3\n", "7\n-2\n"),
      "line 24: the MaterialID of cell 1 is \"-2\"; ids are whole numbers "
      "from 0 to 4294967294, or -1 for none"},
     {with(vtk, "7\n3\n", "7.5\n3\n"), "line 23: the MaterialID of cell 0 is \"7.5\""},
     {with(vtk, "7\n3\n", "nan\n3\n"),
      "line 23: \"nan\" is no finite number; the MaterialID of cell 0"},
     {with(vtk, "int 1", "int 2"), "line 21: MaterialID has one number per cell; found 2"},
     {vtk + materials, "line 26: MaterialID is there twice"},
     {with(vtk, "CELL_DATA 2\n", ""), "line 22: \"7\" where a section was to be"},
     {with(vtk, "CELL_DATA", "CELL_DATE"),
      "line 20: \"CELL_DATE 2\" where a section was to be: this one is "
      "not known here"},
     {vtk + "SCALARS p float\nLOOKUP_TABLE default\n1\nVECTORS v float\n",
      "line 28: \"VECTORS\" where number 2 of 2 was to be: there are fewer than announced"},
     {vtk + "POINTS 0 float\n", "line 25: the section POINTS is there twice"}});
}

TEST(Vtk, OffsetsAreChecked)
{
  const std::size_t at    = vtk.find("CELLS");
  const std::string begin = vtk.substr(0, at), end = vtk.substr(vtk.find("CELL_TYPES"));
  const std::string types = "OFFSETS vtktypeint64\n";
  const std::string cells = "CONNECTIVITY vtktypeint64\n0 1 2 3 4 5 6 7 0 1\n2 3\n";
  const FileMesh mesh     = read_vtk(begin + "CELLS 3 12\n" + types + "0 8\n12\n" + cells + end);
  EXPECT_EQ(sizes_by_id(mesh.cell_groups), (SizesById{{7, 1}}));
  EXPECT_EQ(sizes_by_id(mesh.face_groups), (SizesById{{3, 1}}));
  EXPECT_EQ(mesh.lines_of_faces, std::vector<std::size_t>{19});
  expect_messages(
    read_vtk,
    {{begin + "CELLS 3 12\n" + types + "0 13 12\n" + cells + end,
      "line 16: offset 2 is 12; the first is 0, and none is less than the one before"},
     {begin + "CELLS 3 12\n" + types + "1 8 12\n" + cells + end,
      "line 16: offset 0 is 1; the first is 0"},
     {begin + "CELLS 3 11\n" + types + "0 8 12\n" + cells + end,
      "line 16: the last offset must be 11, the length of CONNECTIVITY that CELLS announces"},
     {begin + "CELLS 3 13\n" + types + "0 8 13\n" + cells + end,
      "line 20: \"CELL_TYPES\" is no whole number; a point of cell 1"},
     {begin + "CELLS 3 11\n" + types + "0 8 11\n" + cells + end,
      "line 19: \"3\" after the last of 11 points of cells: there are more than announced"},
     {begin + "CELLS 3 12\n" + types + "0 8 12\n" + end,
      "line 17: \"CELL_TYPES 2\" where CONNECTIVITY was to be"},
     {begin + "CELLS 3 12\n" + types + "0 8 12\n", "line 16: the file ends before CONNECTIVITY"}});
}

// A blank title, lower case, numbers on lines of any length, faces before solids, ids as real
// numbers, lines, voxels, and data that is not read.
TEST(Vtk, OddButLegal)
{
  const FileMesh mesh = read_vtk(
    "# vtk DataFile Version 2.0\n\nascii\ndataset unstructured_grid\n"
    "points 12 float\n"
    "0 0 0 1 0 0 1 1 0\n0 1 0 0 0 1 1 0 1\n1 1 1 0 1\n1 0 0 2 1 0 2 0 1 2 1 1 2\n\ncells 5 31\n"
    "2 0 1\n4 0 1 2 3 4 1 2\n3 0 8 0 1 2 3 4 5 6 7 8 4 5 7 6 8 9\n10 11\n"
    "CELL_TYPES 5\n3 9 9 12\n11\n"
    "POINT_DATA 12\nLOOKUP_TABLE colours 1\n0 0.5 1 1\n"
    "CELL_DATA 5\nSCALARS ManifoldID int 1\nLOOKUP_TABLE default\n-1 -1 -1 -1 5\n"
    "COLOR_SCALARS c 2\n0 0 0 0 0 0 0 0 0 1\nTENSORS6 t float\n"
    "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 nan -inf 0 0 0\n"
    "SCALARS materialid float\n-1 -1 3. +2 4e0\n");
  EXPECT_EQ(sizes_by_id(mesh.cell_groups), (SizesById{{2, 1}, {4, 1}}));
  EXPECT_EQ(sizes_by_id(mesh.face_groups), (SizesById{{3, 1}}));
  EXPECT_EQ(mesh.lines_of_faces, (std::vector<std::size_t>{13, 13}));
  EXPECT_EQ(mesh.lines_of_cells, (std::vector<std::size_t>{14, 14}));
  dealii::Triangulation<3> triangulation;
  make_triangulation(mesh, triangulation);
  EXPECT_EQ(triangulation.n_active_cells(), 2u);
  EXPECT_EQ(triangulation.n_vertices(), 12u);
}

// A blank line ends METADATA, but not where a component has no name.
TEST(Vtk, NamesOfComponentsMayBeBlank)
{
  const std::string names = "METADATA\nCOMPONENT_NAMES\n\nvy\n\n\n";
  const FileMesh mesh =
    read_vtk(with(vtk, materials, "VECTORS v float\n0 0 0\n0 0 0\n" + names + materials));
  EXPECT_EQ(sizes_by_id(mesh.cell_groups), (SizesById{{7, 1}}));
  EXPECT_EQ(sizes_by_id(mesh.face_groups), (SizesById{{3, 1}}));
}

// Quadrilaterals between two cells are surfaces inside of the mesh; deal.II refuses them.
TEST(Vtk, FacesMayBeInside)
{
  FileMesh mesh = read_vtk(
    "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 12 double\n"
    "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 0 0 2 1 0 2 1 1 2 0 1 2\n"
    "CELLS 3 23\n8 0 1 2 3 4 5 6 7\n8 4 5 6 7 8 9 10 11\n4 4 5 6 7\nCELL_TYPES 3\n12\n12\n9\n"
    "CELL_DATA 3\nSCALARS MaterialID int 1\nLOOKUP_TABLE default\n1\n2\n5\n");
  dealii::Triangulation<3> triangulation;
  const MeshSets sets = make_triangulation(mesh, triangulation);
  ASSERT_EQ(sets.faces.size(), 1u);
  EXPECT_EQ(sets.faces[0].id, 5u);
  EXPECT_TRUE(sets.faces[0].has_interior);
  // its normal is that of the quadrilateral: up, out of the first cell
  EXPECT_EQ(sets.faces[0].faces.size(), 1u);
  EXPECT_EQ(sets.faces[0].faces[0] / 6, 0u);
}
