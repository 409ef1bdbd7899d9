// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The readers of Gmsh and Abaqus: groups, instances, and messages with line numbers.

#include <strut/base/exceptions.h>

#include <filesystem>
#include <random>
#include <regex>
#include <sstream>

#include "plugin/deck/mesh/file_mesh.h"
#include "plugin/deck/mesh/file_triangulation.h"
#include "plugin/deck/mesh/gmsh_binary.h"
#include "source/base/team.h"
#include "tests/plugin/mesh_measures.h"
#include "tests/plugin/mesh_texts.h"

using namespace strut;
using namespace strut::test;

namespace
{
using Sizes = std::map<std::string, std::size_t>;

Sizes sizes(const std::vector<FileMesh::Group> &groups)
{
  Sizes result;
  for (const FileMesh::Group &group : groups)
    result[group.name] = group.members.size();
  return result;
}

unsigned int id_of(const std::vector<FileMesh::Group> &groups, const std::string &name)
{
  for (const FileMesh::Group &group : groups)
    if (group.name == name)
      return group.id;
  ADD_FAILURE() << "no group " << name;
  return 0;
}

/// A cube of one element: nodes 1 to 8, as Abaqus numbers them.
const std::string cube =
  "*Node\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
  "*Element, type=C3D8\n1, 1,2,3,4,5,6,7,8\n";
const std::string nodes_22 =
  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n"
  "4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n$EndNodes\n";

/// A mesh of 5000 hexahedra in two groups, as text.
struct BarText
{
  static constexpr std::size_t n_cells = 5000, n_nodes = 6 * 6 * 201;

  std::string text(const bool is_41) const
  {
    std::ostringstream out;
    out << "$MeshFormat\n" << (is_41 ? "4.1" : "2.2") << " 0 8\n$EndMeshFormat\n";
    if (is_41)
      out << "$Entities\n0 0 0 2\n1 0 0 0 1 1 1 1 1 0\n2 0 0 0 1 1 1 1 2 0\n$EndEntities\n";
    out << "$Nodes\n";
    if (is_41)
      out << "1 " << n_nodes << " 1 " << n_nodes << "\n3 1 0 ";
    out << n_nodes << '\n';
    for (std::size_t n = 1; is_41 && n <= n_nodes; ++n)
      out << n << '\n';
    for (std::size_t n = 0; n < n_nodes; ++n)
      out << (is_41 ? "" : std::to_string(n + 1) + ' ') << 0.1 * static_cast<double>(n / 36) << ' '
          << 0.3 * static_cast<double>(n / 6 % 6) << ' ' << n % 6 << '\n';
    out << "$EndNodes\n$Elements\n";
    if (is_41)
      out << "2 " << n_cells << " 1 " << n_cells << '\n';
    else
      out << n_cells << '\n';
    for (std::size_t c = 0; c < n_cells; ++c)
      {
        const int group = c < n_cells / 2 ? 1 : 2;
        if (is_41 && c % (n_cells / 2) == 0)
          out << "3 " << group << " 5 " << n_cells / 2 << '\n';
        out << c + 1;
        if (!is_41)
          out << " 5 2 " << group << " 1";
        const std::size_t n = 36 * (c / 25) + 6 * (c / 5 % 5) + c % 5 + 1;
        for (const std::size_t step : {0, 36, 42, 6})
          out << ' ' << n + step;
        for (const std::size_t step : {0, 36, 42, 6})
          out << ' ' << n + step + 1;
        out << '\n';
      }
    out << "$EndElements\n";
    return out.str();
  }
};

/// The default number of threads in a scope.
struct NumberOfThreads
{
  explicit NumberOfThreads(const int n)
  {
    cpu::set_default_n_threads(n);
  }
  ~NumberOfThreads()
  {
    cpu::set_default_n_threads(before);
  }

  int before = cpu::default_n_threads();
};
} // namespace

TEST(Abaqus, InstancesAreMovedTurnedAndNamed)
{
  const FileMesh mesh = read_abaqus(file_contents(meshes + "assembly.inp"));
  ASSERT_EQ(mesh.cells.size(), 4u);
  EXPECT_EQ(mesh.points.size(), 25u); // includes one reference point
  EXPECT_EQ(sizes(mesh.cell_groups),
            (Sizes{{"halves", 2},
                   {"left.body", 2},
                   {"left.far", 1},
                   {"right.body", 2},
                   {"right.far", 1},
                   {"left", 2},
                   {"right", 2}}));
  EXPECT_EQ(sizes(mesh.face_groups), (Sizes{{"inner", 1}, {"left.top", 2}, {"right.top", 2}}));
  EXPECT_EQ(sizes(mesh.node_groups),
            (Sizes{{"reference", 1},
                   {"wall", 4},
                   {"ends", 5},
                   {"corners", 4},
                   {"left.all", 12},
                   {"right.all", 12}}));
  for (const FileMesh::Group &group : mesh.cell_groups)
    for (const unsigned int cell : group.members)
      for (const unsigned int i : mesh.cells[cell])
        {
          const dealii::Point<3> &point = mesh.points[i];
          const bool in_right =
            point[0] >= 2. && point[0] <= 3. && point[1] >= -2. && point[1] <= 0.;
          EXPECT_TRUE(group.name != "right" || in_right) << point;
          EXPECT_TRUE(group.name != "right.far" || point[1] <= -1.) << point;
        }
}

// S1 to S6 in the order of Abaqus' manual, with normals that point out of the cube.
TEST(Abaqus, FacesOfElementsAreThoseOfTheManual)
{
  const double centres[6][3] = {
    {0.5, 0.5, 0.}, {0.5, 0.5, 1.}, {0.5, 0., 0.5}, {1., 0.5, 0.5}, {0.5, 1., 0.5}, {0., 0.5, 0.5}};
  for (unsigned int f = 0; f < 6; ++f)
    {
      const FileMesh mesh =
        read_abaqus(cube + "*Surface, name=SS5\n1, s" + std::to_string(f + 1) + "\n");
      ASSERT_EQ(mesh.faces.size(), 1u);
      EXPECT_EQ(id_of(mesh.face_groups, "SS5"), 5u);
      const auto &p = mesh.points;
      const auto &q = mesh.faces[0];
      const dealii::Tensor<1, 3> normal =
        dealii::cross_product_3d(p[q[1]] - p[q[0]], p[q[2]] - p[q[0]]);
      for (unsigned int d = 0; d < 3; ++d)
        {
          EXPECT_EQ((p[q[0]][d] + p[q[1]][d] + p[q[2]][d] + p[q[3]][d]) / 4., centres[f][d]);
          EXPECT_EQ(normal[d], 2. * (centres[f][d] - 0.5));
        }
    }
}

TEST(Abaqus, ShellsAreFacesAndCubitsNamesAreNumbers)
{
  const FileMesh mesh = read_abaqus(file_contents(meshes + "box-gmsh.inp"));
  EXPECT_EQ(sizes(mesh.cell_groups), (Sizes{{"Volume1", 4}, {"body", 4}}));
  EXPECT_EQ(sizes(mesh.face_groups),
            (Sizes{{"Surface17", 2}, {"Surface25", 2}, {"left", 2}, {"right", 2}}));
  EXPECT_EQ(id_of(read_abaqus(file_contents(meshes + "box.inp")).cell_groups, "EB7"), 7u);
}

// Converters give faces the types of plane models: meshio writes CAX4P.
TEST(Abaqus, TypesOfPlaneModelsAreFaces)
{
  for (const std::string type :
       {"CPS4", "CPE4R", "CAX4P", "CGAX4", "CPEG4", "S4R", "M3D4", "SFM3D4", "R3D4"})
    {
      const FileMesh mesh =
        read_abaqus(cube + "*Element, type=" + type + ", elset=bottom\n2, 1,4,3,2\n");
      EXPECT_EQ(sizes(mesh.face_groups), (Sizes{{"bottom", 1}})) << type;
      EXPECT_EQ(mesh.contents.carriers.size(), type[0] == 'C' || type == "SFM3D4" ? 0u : 1u)
        << type;
    }
}

TEST(Abaqus, NodesAreInASystem)
{
  const auto first_of = [](const std::string &system) {
    std::string text = cube;
    text.replace(text.find("1,0,0,0"), 7, "1,1,2,3");
    return read_abaqus("*System\n" + system + text).points[0];
  };
  const dealii::Point<3> by_origin(11, 22, 33), by_axis(8, 21, 33), by_three(12, 23, 31),
    by_none(1, 2, 3);
  EXPECT_LT(first_of("10, 20, 30\n").distance(by_origin), 1e-12);
  EXPECT_LT(first_of("10, 20, 30, 10, 25, 30\n").distance(by_axis), 1e-12);
  // axes y, z, x
  EXPECT_LT(first_of("9, 22, 29, 9, 30, 29\n9, 22, 31\n").distance(by_three), 1e-12);
  EXPECT_LT(first_of("10, 20, 30\n*System\n").distance(by_none), 1e-12);
}

TEST(Abaqus, WhatIsWrongIsSaidWithItsLine)
{
  const std::map<std::string, std::string> cases = {
    {cube + "2, 1,2,3,4,5,6,7\n",
     "line 12: an element C3D8 has a number and 8 nodes; found 8 numbers"},
    {cube + "2, 1,2,3,4,5,6,7,9\n", "line 12: there is no node 9"},
    {cube + "*Elset, elset=a\n7\n", "line 13: there is no element 7"},
    {cube + "*Elset, elset=a\nb\n",
     "line 13: \"b\" is neither the number of an element nor a set of elements"},
    {cube + "*Nset, nset=a, generate\n5, 1\n", "line 13: a range of numbers must go up"},
    {cube + "*Surface, name=a\n1, S7\n",
     "line 13: the face \"S7\" of element 1; its faces are S1 to S6"},
    {cube + "*Surface, name=a\n1,\n",
     "line 13: a surface of \"1\" without its faces: in Abaqus that is what is free of them"},
    {cube + "*Instance, name=a, part=b\n", "line 12: *INSTANCE outside of *ASSEMBLY"},
    {cube + "*Assembly\n*Instance, name=a, part=b\n*End Instance\n",
     "line 13: there is no part \"b\""},
    {cube + "*Ngen\n1, 5\n", "line 12: *NGEN makes nodes or elements out of others"},
    {cube + "*System\n1, 2, 3, 4\n", "line 12: *SYSTEM has one, two or three points"},
    {cube + "*System\n0, 0, 0, 1, 0, 0\n2, 0, 0\n",
     "line 12: the points of *SYSTEM are on one line"},
    {cube + "*Include\n", "line 12: *INCLUDE names no file"},
    {"*Part, name=a\n" + cube, "line 1: the part or instance that begins here never ends"},
    {"*Node, system=C\n", "line 1: nodes in cylindrical or spherical coordinates"},
    {"*Node\n1, 0, 0, 0\n1, 1, 0, 0\n", "line 3: node 1 is there twice"},
    {"*Node\n1, 0, nan, 0\n", "line 2: \"nan\" is no finite number"},
    {"*Node\n1, 0, 1e999, 0\n", "line 2: \"1e999\" is no finite number"},
    {"*Heading\n", "there is no *ELEMENT with data"}};
  expect_messages(read_abaqus, cases);
}

// Sets that contain each other end, and small numbers are zero.
TEST(Abaqus, OddButLegal)
{
  const FileMesh mesh =
    read_abaqus("** a comment\n*NODE , NSET = \"all nodes\"\n" + cube.substr(6) +
                "*ELSET, ELSET=a\n1, b\n*ELSET, ELSET=B\nA,\n*NODE PRINT\n U,\n"
                "*NSET, NSET=of a, ELSET=a\n");
  EXPECT_EQ(sizes(mesh.cell_groups), (Sizes{{"a", 1}}));
  EXPECT_EQ(sizes(mesh.node_groups), (Sizes{{"all nodes", 8}, {"of a", 8}}));
  EXPECT_EQ(
    read_abaqus("*Node\n1, 1D-400, +1.5d0\n2, 0,0,0\n" + cube.substr(cube.find("3,1,1"))).points[0],
    dealii::Point<3>(0., 1.5, 0.));
}

TEST(Gmsh, BothFormatsHaveTheSameGroups)
{
  for (const std::string file : {"box-msh22.msh", "box-msh41.msh"})
    {
      const FileMesh mesh = read_gmsh(file_contents(meshes + file));
      EXPECT_EQ(mesh.points.size(), 18u);
      EXPECT_EQ(sizes(mesh.cell_groups), (Sizes{{"body", 4}}));
      EXPECT_EQ(sizes(mesh.face_groups), (Sizes{{"left", 2}, {"right", 2}}));
      EXPECT_EQ(id_of(mesh.cell_groups, "body"), 7u);
      EXPECT_EQ(id_of(mesh.face_groups, "right"), 2u);
    }
}

// Gmsh wrote each mesh twice, as text and binary.
const char *const written_twice[] = {"box-22", "box-41", "second-order-22", "tetrahedra-41"};

std::string bytes_of(const std::string &name)
{
  return file_contents(meshes + "text-and-binary/" + name + ".msh");
}

TEST(Gmsh, BinaryIsTheSameMesh)
{
  for (const std::string name : written_twice)
    {
      SCOPED_TRACE(name);
      const std::string text = bytes_of(name), bytes = bytes_of(name + "-binary");
      EXPECT_FALSE(is_binary_gmsh(text));
      ASSERT_TRUE(is_binary_gmsh(bytes));
      const FileMesh expected = read_gmsh(text), mesh = read_gmsh(gmsh_text(bytes));
      EXPECT_EQ(mesh.points, expected.points);
      EXPECT_EQ(mesh.cells, expected.cells);
      EXPECT_EQ(mesh.middles, expected.middles);
      EXPECT_EQ(mesh.faces, expected.faces);
      for (const auto groups : {&FileMesh::cell_groups, &FileMesh::face_groups})
        {
          ASSERT_EQ((mesh.*groups).size(), (expected.*groups).size());
          for (std::size_t g = 0; g < (mesh.*groups).size(); ++g)
            {
              EXPECT_EQ((mesh.*groups)[g].id, (expected.*groups)[g].id);
              EXPECT_EQ((mesh.*groups)[g].name, (expected.*groups)[g].name);
              EXPECT_EQ((mesh.*groups)[g].members, (expected.*groups)[g].members);
            }
        }
    }
}

TEST(Gmsh, BinaryThatIsCutOffIsRefused)
{
  for (const std::string name : written_twice)
    {
      const std::string bytes = bytes_of(name + "-binary");
      for (std::size_t n = bytes.find('\n') + 8; n + 1 < bytes.size(); ++n)
        EXPECT_THROW(read_gmsh(gmsh_text(bytes.substr(0, n))), MeshFileError)
          << n << " bytes of " << name;
    }
}

// Whatever stands in the file, it is read or refused.
TEST(Gmsh, BinaryWithWrongBytes)
{
  std::mt19937 random(1);
  for (const std::string name : written_twice)
    for (int i = 0; i < 500; ++i)
      {
        std::string bytes = bytes_of(name + "-binary");
        for (int k = 0; k < 1 + i % 3; ++k)
          bytes[random() % bytes.size()] = static_cast<char>(random());
        try
          {
            read_gmsh(gmsh_text(bytes));
          }
        catch (const MeshFileError &)
          {}
      }
}

// With Mesh.SaveParametric, the dimension and tag of an entity, and parameters on it, follow the
// coordinates.
TEST(Gmsh, NodesMayHaveParameters)
{
  std::string text = nodes_22 + "$Elements\n1\n1 5 2 1 1 1 2 3 4 5 6 7 8\n$EndElements\n";
  for (const std::string name : {"$Nodes", "$EndNodes"})
    text.replace(text.find(name), name.size(), name.substr(0, name.size() - 5) + "ParametricNodes");
  text.replace(text.find("2 1 0 0\n"), 8, "2 1 0 0 2 7 0.5 0.25\n");
  text.replace(text.find("3 1 1 0\n"), 8, "3 1 1 0 0 3\n");
  const FileMesh mesh = read_gmsh(text);
  ASSERT_EQ(mesh.points.size(), 8u);
  EXPECT_EQ(mesh.points[1], dealii::Point<3>(1., 0., 0.));
  EXPECT_EQ(mesh.points[2], dealii::Point<3>(1., 1., 0.));
}

TEST(Gmsh, AVolumeTwiceInAGroupIsInItOnce)
{
  std::string text           = file_contents(meshes + "box-msh41.msh");
  const std::string in_group = "1 0 0 0 2 1 1 1 7 ";
  const std::size_t at       = text.find(in_group);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, in_group.size(), "1 0 0 0 2 1 1 2 7 7 ");
  EXPECT_EQ(sizes(read_gmsh(text).cell_groups), (Sizes{{"body", 4}}));
}

// Format 2 writes an element of two physical groups twice. Twice in one group is an error of the
// file.
TEST(Gmsh, ElementsOfTwoGroupsAreOneElement)
{
  const auto elements = [](const std::string &lines, const int n) {
    return nodes_22 + "$Elements\n" + std::to_string(n) + "\n" + lines + "$EndElements\n";
  };
  const FileMesh mesh =
    read_gmsh(elements("1 5 2 3 1 1 2 3 4 5 6 7 8\n2 5 2 4 1 1 2 3 4 5 6 7 8\n", 2));
  ASSERT_EQ(mesh.cells.size(), 1u);
  ASSERT_EQ(mesh.cell_groups.size(), 2u);
  EXPECT_EQ(mesh.cell_groups[0].members, std::vector<unsigned int>{0});
  EXPECT_EQ(mesh.cell_groups[1].members, std::vector<unsigned int>{0});
  EXPECT_EQ(
    read_gmsh(elements("1 5 2 3 1 1 2 3 4 5 6 7 8\n2 5 2 3 1 1 2 3 4 5 6 7 8\n", 2)).cells.size(),
    2u);
}

// Lines of one form are parsed ahead, by all threads. A blank line after each line prevents that.
TEST(Gmsh, LinesAheadAreReadAsOneByOne)
{
  const BarText bar;
  for (const bool is_41 : {false, true})
    {
      const std::string text = bar.text(is_41);
      const FileMesh one     = read_gmsh(std::regex_replace(text, std::regex("\n"), "\n\n"));
      std::vector<CoarseMesh> coarse;
      for (const int n_threads : {1, 3})
        {
          const NumberOfThreads threads(n_threads);
          FileMesh mesh = read_gmsh(text);
          ASSERT_EQ(mesh.cells.size(), BarText::n_cells);
          EXPECT_EQ(mesh.points, one.points);
          EXPECT_EQ(mesh.cells, one.cells);
          EXPECT_EQ(mesh.contents.list(3), one.contents.list(3));
          for (std::size_t c = 0; c < mesh.cells.size(); ++c)
            ASSERT_EQ(2 * mesh.lines_of_cells[c] - 1, one.lines_of_cells[c]);
          ASSERT_EQ(mesh.cell_groups.size(), 2u);
          for (std::size_t g = 0; g < 2; ++g)
            EXPECT_EQ(mesh.cell_groups[g].members, one.cell_groups[g].members);
          coarse.push_back(make_cells(std::move(mesh)).coarse);
        }
      EXPECT_EQ(coarse[0].vertices, coarse[1].vertices);
      EXPECT_EQ(coarse[0].cells, coarse[1].cells);
      EXPECT_EQ(coarse[0].neighbours, coarse[1].neighbours);
      EXPECT_EQ(coarse[0].names.boundaries, coarse[1].names.boundaries);
      EXPECT_EQ(coarse[0].names.materials, coarse[1].names.materials);
    }
}

TEST(Gmsh, WhatIsWrongInLinesAheadIsSaidWithTheirLine)
{
  const BarText bar;
  const auto changed = [&](const bool is_41, const std::string &from, const std::string &to) {
    std::string text = bar.text(is_41);
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  expect_messages(
    read_gmsh,
    {{changed(false, "\n4000 ", "\n3999 "),
      "line 4005: the tag 3999 belongs to a node before, too"},
     {changed(false, "\n4000 ", "\n0 "), "line 4005: a node with the tag 0; tags are positive"},
     {changed(false, "\n4000 ", "\n4000 x"), "line 4005: \"x"},
     {changed(false, "\n4000 5 2 2 1 ", "\n4000 5 2 2 1 0 "), "an element of type 5 has 8 nodes"},
     {changed(false, "\n4000 5 2 2 1 ", "\n4000 5 2 2 1 -"), "there is no node -"},
     {changed(true, "\n4000 5753 ", "\n3999 5753 "),
      "the tag 3999 belongs to an element before, too"},
     {changed(false, "\n7236\n", "\n7235\n"), "the section has more lines than it announces"},
     {changed(false, "\n7236\n", "\n7237\n"), "the section has fewer lines than it announces"}});
}

// The manual of Gmsh allows them anywhere.
TEST(Gmsh, CommentsMayComeFirst)
{
  EXPECT_EQ(read_gmsh("$Comments\nby hand\n$EndComments\n" + nodes_22 +
                      "$Elements\n1\n1 5 2 3 1 1 2 3 4 5 6 7 8\n$EndElements\n"
                      "$Comments\nthe end\n$EndComments\n")
              .cells.size(),
            1u);
}

TEST(Gmsh, WhatIsWrongIsSaidWithItsLine)
{
  const std::map<std::string, std::string> cases = {
    {"1 2\n", "line 1: \"1 2\" where $MeshFormat was to be"},
    {"$Nodes\n", "line 1: the file must begin with $MeshFormat"},
    {"$Comments\n$EndComments\n$Nodes\n", "line 3: the file must begin with $MeshFormat"},
    {"$MeshFormat\n4 0 8\n", "line 2: the format is of version 4; strut reads 2 and 4.1"},
    {"$MeshFormat\n4.1 1 8\n", "line 2: the file type is 1"},
    {nodes_22, "there is no $Elements section"},
    {nodes_22 + "1 2\n", "line 15: \"1 2\" is outside of all sections"},
    {nodes_22 + "$Elements\n1\n", "line 16: the file ends before an element; it is cut off"},
    {nodes_22 + "$Elements\n1\n1 5 2 1 1 1 2 3 4 5 6 7 9\n", "line 17: there is no node 9"},
    {nodes_22 + "$Elements\n1\n1 5 90 1 1 1 2 3 4 5 6 7 8\n", "line 17: an element of 90 tags"},
    {nodes_22 + "$Elements\n1\n1 5 2 1 1 1 2 3 4 5 6 7\n",
     "line 17: an element of type 5 has 8 nodes; found 7"},
    {nodes_22 + "$Elements\n99999999999999\n1 15 0 1\n$EndElements\n",
     "has fewer lines than it announces"},
    {nodes_22 + "$Comment\n", "line 15: the section $Comment never ends"}};
  expect_messages(read_gmsh, cases);
}

// Most of them a fuzzer made: each is refused with the message beside it, and names its line.
TEST_F(MeshSources, BrokenFilesAreRefused)
{
  std::ifstream list(meshes + "broken/messages.txt");
  std::map<std::string, std::string> messages;
  for (std::string line; std::getline(list, line);)
    if (const std::size_t colon = line.find(": "); colon != std::string::npos)
      messages[line.substr(0, colon)] = line.substr(colon + 2);
  std::size_t n = 0;
  for (const auto &file : std::filesystem::directory_iterator(meshes + "broken"))
    {
      if (file.path().extension() == ".txt")
        continue;
      ++n;
      const std::string name = file.path().filename();
      dealii::Triangulation<3> mesh;
      const std::string begin   = "\" as ",
                        message = message_of<EntryError>([&] {
                          source("file", {{"File name", file.path()}}).create(mesh);
                        });
      if (message.empty())
        ADD_FAILURE() << name << ": no error";
      else
        EXPECT_EQ(message.substr(message.find(begin) + begin.size()), messages[name]) << name;
    }
  EXPECT_EQ(n, messages.size());
}
