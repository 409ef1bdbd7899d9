// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>
#include <deal.II/base/numbers.h>

#include <deal.II/distributed/tria.h>

#include <strut/base/exceptions.h>

#include <filesystem>

#include "tests/plugin/mesh_measures.h"
#include "tests/plugin/mesh_texts.h"

using namespace strut;
using namespace strut::test;
using dealii::numbers::PI;

TEST_F(MeshSources, EveryFormatGivesTheSameBox)
{
  struct Case
  {
    const char *file, *format;
    bool has_boundaries;
  };
  const Case cases[] = {{"box-msh41.msh", "auto", true},
                        {"box-msh41.msh", "msh", true},
                        {"box-msh22.msh", "auto", true},
                        {"box.inp", "auto", false},
                        {"box.inp", "abaqus", false},
                        {"box-gmsh.inp", "auto", false},
                        {"box.vtk", "auto", true},
                        {"box.vtk", "vtk", true},
                        {"box-v5.vtk", "auto", true},
                        {"box-gmsh.vtk", "auto", false}};
  for (const auto &test : cases)
    {
      SCOPED_TRACE(std::string(test.file) + " as " + test.format);
      dealii::Triangulation<3> mesh;
      const std::string error = message_of<std::exception>([&] {
        EXPECT_EQ(
          source("file", {{"File name", meshes + test.file}, {"Format", test.format}}).create(mesh),
          0u);
      });
      EXPECT_EQ(error, "");
      if (!error.empty())
        continue;
      EXPECT_EQ(mesh.n_active_cells(), 4u);
      EXPECT_EQ(mesh.n_used_vertices(), 18u);
      Measures measures = measure(mesh);
      expect_close(measures.volume, 2., 1e-9);
      EXPECT_GT(measures.minimum_scaled_jacobian, 1. - 1e-9);
      if (test.has_boundaries)
        {
          EXPECT_EQ(measures.areas.size(), 3u);
          expect_close(measures.areas[1], 1., 1e-9);
          expect_close(measures.areas[2], 1., 1e-9);
          expect_close(measures.areas[0], 8., 1e-9);
          EXPECT_EQ(measures.volumes.count(7), 1u);
        }
    }
}

TEST_F(MeshSources, FilesAreScaledRefinedAndFoundBesideTheDeck)
{
  MeshSource &file =
    source("file", {{"File name", "meshes/box-msh41.msh"}, {"Scale", "0.5"}, {"Refinements", "1"}});
  file.deck_folder = STRUT_SOURCE_DIR "/tests/plugin";
  dealii::parallel::distributed::Triangulation<3> mesh(MPI_COMM_WORLD);
  EXPECT_EQ(file.create(mesh), 1u);
  mesh.refine_global(1);
  EXPECT_EQ(mesh.n_global_active_cells(), 32u);
  if (mesh.n_locally_owned_active_cells() == 32u)
    expect_close(measure(mesh).volume, 0.25, 1e-9);
}

TEST_F(MeshSources, ConnectingRodFromGmshHasItsRingsAndBores)
{
  dealii::Triangulation<3> mesh;
  source("file", {{"File name", STRUT_SOURCE_DIR "/prm/meshes/connecting-rod.msh"}}).create(mesh);
  EXPECT_GT(mesh.n_active_cells(), 2000u);
  const Measures measures = measure(mesh);
  EXPECT_GT(measures.minimum_determinant, 0.);
  EXPECT_GT(measures.minimum_scaled_jacobian, 0.4);
  // 48 and 40 chords around the bores.
  expect_close(measures.volume, 25. * (350. * 150. - PI * (30. * 30. + 17.5 * 17.5)), 1e-3);
  ASSERT_EQ(measures.volumes.size(), 3u);
  expect_close(measures.volumes.at(11), 25. * PI * (40. * 40. - 30. * 30.), 1e-2);
  expect_close(measures.volumes.at(12), 25. * PI * (25. * 25. - 17.5 * 17.5), 1e-2);
  ASSERT_EQ(measures.areas.size(), 6u);
  for (const unsigned int half : {0, 1})
    {
      expect_close(measures.areas.at(1 + half), 25. * PI * 30., 5e-3);
      expect_close(measures.areas.at(3 + half), 25. * PI * 17.5, 5e-3);
    }
  expect_close(measures.areas.at(5), 25. * 1000., 1e-9);

  unsigned int on_wrong_side = 0, off_circle = 0;
  for (const auto &cell : mesh.active_cell_iterators())
    for (const auto &face : cell->face_iterators())
      if (face->at_boundary() && face->boundary_id() <= 4)
        {
          const bool upper  = face->boundary_id() <= 2;
          const double y    = upper ? 275. : 50.;
          const double side = face->boundary_id() % 2 == 1 ? 1. : -1.;
          if (side * (face->center()[1] - y) <= 0.)
            ++on_wrong_side;
          for (const unsigned int v : face->vertex_indices())
            if (std::abs(std::hypot(face->vertex(v)[0], face->vertex(v)[1] - y) -
                         (upper ? 30. : 17.5)) > 1e-6)
              ++off_circle;
        }
  EXPECT_EQ(on_wrong_side, 0u);
  EXPECT_EQ(off_circle, 0u);
}

TEST_F(MeshSources, FilesMayBeginWithAByteOrderMark)
{
  for (const std::string name : {"box-msh41.msh", "box-msh22.msh", "box.inp", "box.vtk"})
    {
      const std::string file = testing::TempDir() + "marked-" + name;
      std::ofstream(file, std::ios::binary) << "\xEF\xBB\xBF" << file_contents(meshes + name);
      dealii::Triangulation<3> mesh;
      source("file", {{"File name", file}, {"Format", "auto"}}).create(mesh);
      EXPECT_EQ(mesh.n_active_cells(), 4u) << name;
    }
}

// Files without hexahedra are refused with a remedy that applies to them.
TEST_F(MeshSources, RefusalsSayWhatHelps)
{
  const std::string box = file_contents(meshes + "box.inp");
  const auto message    = [&](const std::string &beginning, const std::string &elements) {
    const std::string file = testing::TempDir() + "refused.inp";
    std::ofstream(file, std::ios::binary) << beginning << box << "\n*Element, type=" << elements;
    dealii::Triangulation<3> mesh;
    return message_of<EntryError>([&] { source("file", {{"File name", file}}).create(mesh); });
  };
  const std::map<std::string, std::string> cases = {
    {"SC8R\n1000, 1,2,3,4,5,6,7,8\n", "are hexahedra here if their type is C3D8"},
    {"COH3D8\n1000, 1,2,3,4,5,6,7,8\n", "Take cohesive elements out of the file"},
    {"AC3D8\n1000, 1,2,3,4,5,6,7,8\n", "give them the type of those: C3D8 in Abaqus"}};
  for (const auto &[elements, said] : cases)
    {
      const std::string found = message("", elements);
      EXPECT_CONTAINS(found, said);
      EXPECT_LACKS(found, "ecombine");
    }
  EXPECT_CONTAINS(message("", "C3D4\n1000, 1,2,3,5\n"), "ecombine");
  EXPECT_CONTAINS(message("\xFF\xFE", "C3D8\n"), "is in UTF-16");
  EXPECT_CONTAINS(message("", "C3D8\n1000, 1,2,3,4,5,6,7,7\n"),
                  "Collapsed hexahedra are wedges, pyramids or tetrahedra");
}

TEST_F(MeshSources, FilesThatAreNoMeshOfHexahedraAreRefused)
{
  const std::string loop = testing::TempDir() + "loop.msh";
  std::filesystem::remove(loop);
  std::filesystem::create_symlink(loop, loop);
  const std::string ucd = testing::TempDir() + "box.ucd";
  std::ofstream(ucd) << "# a comment\n8 1 0 0 0\n1 0 0 0\n";
  const std::string cut_off_binary = testing::TempDir() + "cut-off-binary.msh",
                    twice_binary   = testing::TempDir() + "twice-binary.msh";
  std::string bytes                = file_contents(meshes + "text-and-binary/box-41-binary.msh");
  std::ofstream(cut_off_binary, std::ios::binary) << bytes.substr(0, bytes.size() - 40);
  bytes = file_contents(meshes + "text-and-binary/box-22-binary.msh");
  // A node is its tag, an integer of four bytes, and three coordinates.
  const std::size_t first_node = bytes.find("$Nodes\n18\n") + 10;
  bytes.replace(first_node + 4 + 3 * 8, 4, bytes.substr(first_node, 4));
  std::ofstream(twice_binary, std::ios::binary) << bytes;
  struct Case
  {
    std::string file;
    const char *format;
    std::vector<std::string> said;
  };
  const Case cases[] = {
    {"", "auto", {"found nothing"}},
    {"no-such.msh", "auto", {"there is no such file", "no-such.msh", "working directory"}},
    {meshes, "auto", {"is a folder"}},
    {loop, "auto", {"is a symbolic link that leads back to itself", "name the mesh file"}},
    {meshes + "tetrahedra.msh", "auto", {"tetrahedra", "hexahedra only", "ecombine"}},
    {meshes + "wedges.msh", "auto", {"4 wedges", "hexahedra only", "ecombine"}},
    {meshes + "wedge.vtk", "auto", {"1 wedges (first: line 28) beside 3 hexahedra"}},
    {meshes + "second-order.msh", "auto", {"4 second-order hexahedra", "ElementOrder = 1"}},
    {meshes + "flat.msh", "auto", {"two-dimensional mesh of 2 quadrilaterals", "xtrude"}},
    {cut_off_binary, "auto", {"$Elements at byte ", "cut off"}},
    {twice_binary,
     "auto",
     {"line 13: the tag 1 belongs to a node before, too (the file is binary;"}},
    {meshes + "cut-off.msh", "auto", {"cut off"}},
    {meshes + "inverted.msh",
     "auto",
     {"out of 4", "Jacobian", "of line 38, with its centre at (0.5, 0.5, 1)"}},
    {meshes + "box-msh41.msh", "vtk", {"as vtk", "line 1: \"$MeshFormat\""}},
    {meshes + "box-msh41.msh", "abaqus", {"as abaqus", "*ELEMENT"}},
    {meshes + "box.vtk", "msh", {"as msh", "$MeshFormat"}},
    {STRUT_SOURCE_DIR "/CMakeLists.txt", "auto", {"does not begin as", "set Format"}},
    // Nastran's comments begin with '$' as Gmsh's sections do
    {meshes + "cube.bdf", "auto", {"does not begin as", "Gmsh .msh", "Abaqus .inp", ".bdf"}},
    {ucd, "auto", {"an AVS UCD file", "with meshio", "\"avsucd\""}}};
  for (const auto &test : cases)
    {
      SCOPED_TRACE(test.file + " as " + test.format);
      dealii::Triangulation<3> mesh;
      const auto error = thrown<EntryError>([&] {
        source("file", {{"File name", test.file}, {"Format", test.format}}).create(mesh);
      });
      if (!error)
        {
          ADD_FAILURE() << "no error";
          continue;
        }
      const std::string message = error->what();
      EXPECT_EQ(error->path, (std::vector<std::string>{"Mesh", "File"}));
      EXPECT_EQ(error->entry, "File name");
      for (const auto &part : test.said)
        EXPECT_CONTAINS(message, part);
      EXPECT_LACKS(message, "\n");
      RecordProperty("message", message);
    }
}
