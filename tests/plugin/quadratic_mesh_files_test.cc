// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Mesh files of elements with nodes between vertices. The files are written here, in the orders of
// nodes that Gmsh, VTK and Abaqus document.

#include <strut/base/exceptions.h>

#include <set>
#include <sstream>

#include "plugin/deck/mesh/file_mesh.h"
#include "plugin/deck/mesh/file_triangulation.h"
#include "source/element/elements.h"
#include "source/mesh/faces.h"
#include "tests/plugin/mesh_measures.h"
#include "tests/plugin/mesh_texts.h"

using namespace strut;
using namespace strut::test;

namespace
{
/// A place in half edges of the lattice.
using Lattice = std::array<int, 3>;

/// An element in a format. The nodes after the vertices are pairs of vertices that have the node
/// between them; for faces and the centre of a hexahedron they are opposite vertices.
struct Written
{
  ElementType type;
  MeshFormat format;
  const char *name;    ///< name of the type in the file
  const char *middles; ///< pairs of vertices
  const char *face;    ///< name of its faces in the file
};

const char *const order_of_tet10      = "01 12 20 03 13 23";
const char *const order_of_tet10_gmsh = "01 12 20 03 23 13";
const char *const order_of_hex20      = "01 12 23 30 45 56 67 74 04 15 26 37";
const char *const order_of_hex20_gmsh = "01 03 04 12 15 23 26 37 45 47 56 67";
const char *const order_of_hex27      = "01 12 23 30 45 56 67 74 04 15 26 37 07 16 05 27 02 46 06";
const char *const order_of_hex27_gmsh = "01 03 04 12 15 23 26 37 45 47 56 67 02 05 07 16 27 46 06";
// centre, bottom, top, then around
const char *const order_of_hex27_abaqus =
  "01 12 23 30 45 56 67 74 04 15 26 37 06 02 46 05 16 27 07";

const Written written_meshes[] = {
  {type_of<Tet4>(), MeshFormat::gmsh, "4", "", "2"},
  {type_of<Tet4>(), MeshFormat::abaqus, "C3D4", "", "CPS3"},
  {type_of<Tet4>(), MeshFormat::vtk, "10", "", "5"},
  {type_of<Tet10>(), MeshFormat::gmsh, "11", order_of_tet10_gmsh, "9"},
  {type_of<Tet10>(), MeshFormat::abaqus, "C3D10", order_of_tet10, "CPS6"},
  {type_of<Tet10>(), MeshFormat::vtk, "24", order_of_tet10, "22"},
  {type_of<Tet10>(), MeshFormat::vtk, "71", order_of_tet10, "69"},
  {type_of<Hex8>(), MeshFormat::gmsh, "5", "", "3"},
  {type_of<Hex8>(), MeshFormat::abaqus, "C3D8R", "", "CPS4"},
  {type_of<Hex8>(), MeshFormat::vtk, "12", "", "9"},
  {type_of<Hex20>(), MeshFormat::gmsh, "17", order_of_hex20_gmsh, "16"},
  {type_of<Hex20>(), MeshFormat::abaqus, "C3D20", order_of_hex20, "CPS8"},
  {type_of<Hex20>(), MeshFormat::vtk, "25", order_of_hex20, "23"},
  {type_of<Hex27>(), MeshFormat::gmsh, "12", order_of_hex27_gmsh, "10"},
  {type_of<Hex27>(), MeshFormat::abaqus, "C3D27", order_of_hex27_abaqus, "M3D9"},
  {type_of<Hex27>(), MeshFormat::vtk, "29", order_of_hex27, "28"},
  {type_of<Hex27>(), MeshFormat::vtk, "72", order_of_hex27, "70"}};

/// The cells of a mesh file, with the faces at x = 0: nodes by place on the lattice, in the order
/// of the file.
struct Sketch
{
  Written of;
  std::vector<std::vector<Lattice>> cells, faces;
  std::map<Lattice, std::array<double, 3>> points;

  /// Number of a node in the file, from 1.
  std::size_t number(const Lattice &at) const
  {
    return static_cast<std::size_t>(std::distance(points.begin(), points.find(at))) + 1;
  }
};

Lattice midway(const Lattice &a, const Lattice &b)
{
  return {{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2}};
}

void add_middles(const std::string &pairs, std::vector<Lattice> &nodes)
{
  std::istringstream words(pairs);
  for (std::string pair; words >> pair;)
    nodes.push_back(midway(nodes[static_cast<std::size_t>(pair[0] - '0')],
                           nodes[static_cast<std::size_t>(pair[1] - '0')]));
}

/// Nodes of the faces of Written: pairs of their own vertices.
std::string middles_of_face(const Written &of)
{
  return of.type.n_nodes == 10   ? "01 12 20"
         : of.type.n_nodes == 20 ? "01 12 23 30"
         : of.type.n_nodes == 27 ? "01 12 23 30 02"
                                 : "";
}

/// A box of 2 x 1 x 1 cubes, its vertices moved; nodes between vertices are in the middle of those.
/// @param mirrored  whether cells are inside out
Sketch sketch_of(const Written &of, const bool mirrored = false)
{
  Sketch sketch{of, {}, {}, {}};
  const bool of_tetrahedra = of.type.n_vertices == 4;
  for (const int x : {0, 2})
    {
      if (!of_tetrahedra)
        {
          std::vector<Lattice> nodes;
          for (const int z : {0, 2})
            for (const auto &[dx, dy] : {std::pair(0, 0), {2, 0}, {2, 2}, {0, 2}})
              nodes.push_back({{x + (mirrored ? 2 - dx : dx), dy, z}});
          add_middles(of.middles, nodes);
          sketch.cells.push_back(nodes);
          continue;
        }
      const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
      for (unsigned int p = 0; p < 6; ++p)
        {
          Lattice at = {{x, 0, 0}};
          std::vector<Lattice> nodes(1, at);
          for (const int d : orders[p])
            {
              at[static_cast<std::size_t>(d)] += 2;
              nodes.push_back(at);
            }
          const bool is_odd = p == 1 || p == 2 || p == 5;
          if (is_odd != mirrored)
            std::swap(nodes[1], nodes[2]);
          add_middles(of.middles, nodes);
          sketch.cells.push_back(nodes);
        }
    }
  std::vector<std::vector<Lattice>> faces = {{{{0, 0, 0}}, {{0, 0, 2}}, {{0, 2, 2}}, {{0, 2, 0}}}};
  if (of_tetrahedra)
    faces = {{{{0, 0, 0}}, {{0, 0, 2}}, {{0, 2, 2}}}, {{{0, 0, 0}}, {{0, 2, 2}}, {{0, 2, 0}}}};
  for (std::vector<Lattice> &nodes : faces)
    {
      add_middles(middles_of_face(of), nodes);
      sketch.faces.push_back(nodes);
    }

  const auto moved = [](const Lattice &at) {
    const double x = at[0] / 2., y = at[1] / 2., z = at[2] / 2.;
    return std::array<double, 3>{{x + 0.1 * y * z, y - 0.2 * x * z, z + 0.1 * x + 0.05 * x * y}};
  };
  // vertices first: others are means of the vertices around them
  for (const std::vector<Lattice> &nodes : sketch.cells)
    for (std::size_t v = 0; v < of.type.n_vertices; ++v)
      sketch.points[nodes[v]] = moved(nodes[v]);
  for (const std::vector<Lattice> &nodes : sketch.cells)
    for (std::size_t i = of.type.n_vertices; i < nodes.size(); ++i)
      {
        std::array<double, 3> sum{};
        double n = 0.;
        for (std::size_t a = 0; a < of.type.n_vertices; ++a)
          for (std::size_t b = 0; b < a; ++b)
            if (midway(nodes[a], nodes[b]) == nodes[i])
              {
                ++n;
                for (unsigned int d = 0; d < 3; ++d)
                  sum[d] += sketch.points[nodes[a]][d] / 2. + sketch.points[nodes[b]][d] / 2.;
              }
        for (unsigned int d = 0; d < 3; ++d)
          sketch.points[nodes[i]][d] = sum[d] / n;
      }
  return sketch;
}

/// The text of a mesh file. Cells are in the group 7 or "body", faces in 5 or "left".
std::string text_of(const Sketch &sketch, const std::string &version = "5.1")
{
  std::ostringstream out;
  out.precision(17);
  const Written &of    = sketch.of;
  const std::size_t n  = sketch.cells.size() + sketch.faces.size();
  std::size_t n_words  = 0;
  const auto put_nodes = [&](const std::vector<Lattice> &nodes, const char *const between_them) {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      {
        out << (i == 0 ? "" : between_them)
            << sketch.number(nodes[i]) - (of.format == MeshFormat::vtk ? 1 : 0);
        if (of.format == MeshFormat::abaqus && i % 14 == 13 && i + 1 < nodes.size())
          out << ",\n";
        else if (of.format == MeshFormat::abaqus && i + 1 < nodes.size())
          out << ", ";
      }
    out << '\n';
  };
  for (const auto *const all : {&sketch.faces, &sketch.cells})
    for (const auto &nodes : *all)
      n_words += nodes.size() + 1;

  if (of.format == MeshFormat::gmsh)
    out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 5 \"left\"\n3 7 "
           "\"body\"\n$EndPhysicalNames\n$Nodes\n"
        << sketch.points.size() << '\n';
  else if (of.format == MeshFormat::abaqus)
    out << "*Node\n";
  else
    out << "# vtk DataFile Version " << version << "\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS "
        << sketch.points.size() << " double\n";
  std::size_t number = 0;
  for (const auto &[at, x] : sketch.points)
    if (of.format == MeshFormat::abaqus)
      out << ++number << ", " << x[0] << ", " << x[1] << ", " << x[2] << '\n';
    else
      (of.format == MeshFormat::gmsh ? out << ++number << ' ' : out)
        << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';

  number = 0;
  if (of.format == MeshFormat::gmsh)
    {
      out << "$EndNodes\n$Elements\n" << n << '\n';
      for (const auto &nodes : sketch.faces)
        {
          out << ++number << ' ' << of.face << " 2 5 1 ";
          put_nodes(nodes, " ");
        }
      for (const auto &nodes : sketch.cells)
        {
          out << ++number << ' ' << of.name << " 2 7 1 ";
          put_nodes(nodes, " ");
        }
      out << "$EndElements\n";
    }
  else if (of.format == MeshFormat::abaqus)
    {
      out << "*Element, type=" << of.name << ", elset=body\n";
      for (const auto &nodes : sketch.cells)
        {
          out << ++number << ", ";
          put_nodes(nodes, "");
        }
      out << "*Element, type=" << of.face << ", elset=left\n";
      for (const auto &nodes : sketch.faces)
        {
          out << ++number << ", ";
          put_nodes(nodes, "");
        }
    }
  else
    {
      out << "CELLS " << n << ' ' << n_words << '\n';
      for (const auto *const all : {&sketch.faces, &sketch.cells})
        for (const auto &nodes : *all)
          {
            out << nodes.size() << ' ';
            put_nodes(nodes, " ");
          }
      out << "CELL_TYPES " << n << '\n';
      for (std::size_t i = 0; i < n; ++i)
        out << (i < sketch.faces.size() ? of.face : of.name) << '\n';
      out << "CELL_DATA " << n << "\nSCALARS MaterialID int 1\nLOOKUP_TABLE default\n";
      for (std::size_t i = 0; i < n; ++i)
        out << (i < sketch.faces.size() ? 5 : 7) << '\n';
    }
  return out.str();
}

FileMesh read_as(const MeshFormat format, const std::string &text)
{
  return format == MeshFormat::gmsh     ? read_gmsh(text)
         : format == MeshFormat::abaqus ? read_abaqus(text)
                                        : read_vtk(text);
}

/// Expects nodes at the means of the vertices around them. @param point  coordinates of a node
template <typename Point>
void expect_means(const ElementType &type, const Point &point, const double tolerance = 1e-14)
{
  with_element(type, [&](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    for (int node = Element::n_vertices; node < Element::n_nodes; ++node)
      {
        dealii::Point<3> sum;
        double n = 0.;
        for (int a = 0; a < Element::n_vertices; ++a)
          for (int b = 0; b < a; ++b)
            {
              bool is_between = true;
              for (int d = 0; d < 3; ++d)
                is_between = is_between && Element::position(a, d) + Element::position(b, d) ==
                                             2 * Element::position(node, d);
              if (is_between)
                {
                  ++n;
                  sum += point(static_cast<unsigned int>(a)) + point(static_cast<unsigned int>(b));
                }
            }
        EXPECT_LT((sum / (2. * n)).distance(point(static_cast<unsigned int>(node))), tolerance)
          << Element::name << ", node " << node;
      }
  });
}

void expect_means(const CoarseMesh &mesh, const double tolerance = 1e-14)
{
  const std::size_t n = mesh.type.n_nodes - mesh.type.n_vertices;
  ASSERT_EQ(mesh.middles.size(), n * mesh.cells.size());
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    expect_means(
      mesh.type,
      [&](const unsigned int node) {
        return mesh.vertices[node < mesh.type.n_vertices
                               ? mesh.cells[c][node]
                               : mesh.middles[n * c + node - mesh.type.n_vertices]];
      },
      tolerance);
}

const Written &find_written(const std::string &name)
{
  for (const Written &of : written_meshes)
    if (of.name == name)
      return of;
  throw Error("no type " + name);
}
} // namespace

/// Mesh files for callers that take cells of all types.
class QuadraticFiles : public MeshSources
{
protected:
  MeshSource &file(const std::string &text,
                   const Entries &entries                 = {},
                   const MeshSource::AllowedCells allowed = MeshSource::AllowedCells::all)
  {
    const std::string name = testing::TempDir() + "quadratic-mesh.txt";
    std::ofstream(name) << text;
    Entries all = {{"File name", name},
                   {"Scale", "1"},
                   {"Refinements", "0"},
                   {"Merge nodes", "false"}};
    all.insert(all.end(), entries.begin(), entries.end());
    MeshSource &result   = source("file", all);
    result.allowed_cells = allowed;
    last_                = &result;
    return result;
  }

  std::string message(const std::string &text, const Entries &entries = {})
  {
    return message_of<EntryError>([&] { file(text, entries).create_cells(); });
  }

  MeshSource *last_ = nullptr;
};

TEST(MeshFileOrders, MiddlesAreBetweenTheirVertices)
{
  for (const Written &of : written_meshes)
    {
      SCOPED_TRACE(std::string(of.type.name) + " as " + of.name);
      const Sketch sketch = sketch_of(of);
      const FileMesh mesh = read_as(of.format, text_of(sketch));
      EXPECT_EQ(mesh.type, of.type);
      ASSERT_EQ(mesh.cells.size(), sketch.cells.size());
      ASSERT_EQ(mesh.middles.size(), mesh.n_middles() * mesh.cells.size());
      EXPECT_EQ(mesh.points.size(), sketch.points.size());
      EXPECT_EQ(mesh.faces.size(), sketch.faces.size());
      for (std::size_t c = 0; c < mesh.cells.size(); ++c)
        expect_means(of.type, [&](const unsigned int node) {
          return mesh.points[node < of.type.n_vertices
                               ? mesh.cells[c][node]
                               : mesh.middles[mesh.n_middles() * c + node - of.type.n_vertices]];
        });
    }
}

// Every format gives one box, with cells that are inside out and others.
TEST(MeshFileOrders, CellsAreTurnedWithTheirMiddles)
{
  for (const Written &of : written_meshes)
    for (const bool mirrored : {false, true})
      {
        SCOPED_TRACE(std::string(of.type.name) + " as " + of.name + (mirrored ? ", mirrored" : ""));
        const FileCells made   = make_cells(read_as(of.format, text_of(sketch_of(of, mirrored))));
        const CoarseMesh &mesh = made.coarse;
        EXPECT_EQ(mesh.type, of.type);
        expect_means(mesh);
        ASSERT_EQ(made.sets.elements.size(), 1u);
        EXPECT_EQ(made.sets.elements[0].cells.size(), mesh.cells.size());
        std::size_t n_left = 0, n_boundary = 0;
        const unsigned int id = of.format == MeshFormat::abaqus ? 1 : 5;
        for (std::size_t c = 0; c < mesh.cells.size(); ++c)
          for (unsigned int f = 0; f < 6; ++f)
            {
              n_boundary += mesh.names.boundaries[c][f] != CoarseCells::interior ? 1 : 0;
              if (mesh.names.boundaries[c][f] != id)
                continue;
              ++n_left;
              ASSERT_LT(f, n_faces(of.type));
              for (unsigned int k = 0; k < 3; ++k)
                EXPECT_NEAR(mesh.vertex(c,
                                        of.type.n_vertices == 4 ? around_triangle[f][k]
                                                                : around_face[f][k])[0],
                            0.05,
                            0.06);
            }
        EXPECT_EQ(n_left, of.type.n_vertices == 4 ? 2u : 1u);
        EXPECT_EQ(n_boundary, of.type.n_vertices == 4 ? 20u : 10u);
      }
}

// Before version 5.1, VTK exchanged two upright lines of Lagrange hexahedra.
TEST(MeshFileOrders, LagrangeHexahedraDependOnTheVersion)
{
  Written old = find_written("72");
  old.middles = "01 12 23 30 45 56 67 74 04 15 37 26 07 16 05 27 02 46 06";
  for (const std::string version : {"2.0", "4.2", "5.0"})
    expect_means(make_cells(read_vtk(text_of(sketch_of(old), version))).coarse);
  EXPECT_THROW(make_cells(read_vtk(text_of(sketch_of(old), "5.1"))), MeshFileError);
}

TEST(MeshFileOrders, WrongOrdersAreFound)
{
  for (const auto &[name, middles] : {std::pair("11", order_of_tet10),
                                      std::pair("24", order_of_tet10_gmsh),
                                      std::pair("17", order_of_hex20),
                                      std::pair("C3D20", order_of_hex20_gmsh),
                                      std::pair("12", order_of_hex27),
                                      std::pair("29", order_of_hex27_gmsh)})
    {
      Written of = find_written(name);
      of.middles = middles;
      EXPECT_THROW(make_cells(read_as(of.format, text_of(sketch_of(of)))), MeshFileError) << name;
    }
}

TEST(MeshFileOrders, TetrahedraWithCurvedLinesHaveATypeOfTheirOwn)
{
  for (const double by : {1e-10, 1e-6, 0.05})
    {
      Sketch sketch = sketch_of(find_written("11"));
      sketch.points[{{1, 0, 0}}][1] += by;
      const CoarseMesh mesh = make_cells(read_gmsh(text_of(sketch))).coarse;
      EXPECT_STREQ(mesh.type.name, by < 1e-8 ? "tet10" : "tet10-curved");
    }
}

TEST_F(QuadraticFiles, AreCellsOfADeck)
{
  for (const Written &of : written_meshes)
    {
      SCOPED_TRACE(std::string(of.type.name) + " as " + of.name);
      MeshSource &source = file(text_of(sketch_of(of)), {{"Scale", "3"}});
      const auto cells   = source.create_cells();
      ASSERT_TRUE(cells.has_value());
      EXPECT_EQ(cells->type, of.type);
      ASSERT_NE(source.sets(), nullptr);
      EXPECT_EQ(source.sets()->faces.size(), 1u);
      EXPECT_EQ(source.note(), "");
    }
}

// A box that Gmsh meshed with hexahedra of 27 nodes.
TEST_F(QuadraticFiles, OfGmshAreRead)
{
  const CoarseMesh mesh = file(file_contents(meshes + "second-order.msh")).create_cells().value();
  EXPECT_EQ(mesh.type, type_of<Hex27>());
  EXPECT_EQ(mesh.cells.size(), 4u);
  EXPECT_EQ(mesh.vertices.size(), 75u);
  expect_means(mesh, 1e-10);
  EXPECT_EQ(last_->sets()->faces.size(), 2u);
}

// The middle of a line of a named curve is in its set of nodes.
TEST_F(QuadraticFiles, CurvesOfGmshHaveMiddles)
{
  const Sketch sketch = sketch_of(find_written("11"));
  std::string text    = text_of(sketch);
  const auto put      = [&](const std::string &old, const std::string &instead) {
    text.replace(text.find(old), old.size(), instead);
  };
  put("$PhysicalNames\n2\n", "$PhysicalNames\n3\n1 9 \"edge\"\n");
  put("$Elements\n14\n",
      "$Elements\n15\n100 8 2 9 1 " + std::to_string(sketch.number({{0, 0, 0}})) + " " +
        std::to_string(sketch.number({{0, 0, 2}})) + " " +
        std::to_string(sketch.number({{0, 0, 1}})) + "\n");
  file(text).create_cells();
  ASSERT_EQ(last_->sets()->nodes.size(), 1u);
  EXPECT_EQ(last_->sets()->nodes[0].name, "edge");
  EXPECT_EQ(last_->sets()->nodes[0].count, 3u);
  EXPECT_FALSE(last_->sets()->nodes[0].middles.empty());
}

TEST_F(QuadraticFiles, AreNotRefined)
{
  const std::string text = text_of(sketch_of(find_written("C3D10")));
  for (const std::string refinements : {"0", "1"})
    {
      dealii::Triangulation<3> mesh;
      const auto error = thrown<EntryError>([&] {
        file(text, {{"Refinements", refinements}}).create(mesh);
      });
      ASSERT_TRUE(error);
      EXPECT_EQ(error->entry, refinements == "0" ? "Additional refinements" : "Refinements");
      EXPECT_CONTAINS(std::string(error->what()),
                      "has 12 second-order tetrahedra (first: C3D10 in line ");
      EXPECT_CONTAINS(std::string(error->what()), "Leave this entry out, and make a finer mesh");
    }
}

// Nodes between vertices may be alone in a set of nodes.
TEST_F(QuadraticFiles, SetsOfNodesHaveMiddles)
{
  for (const std::string name : {"C3D10", "C3D20", "C3D27"})
    {
      const Sketch sketch = sketch_of(find_written(name));
      std::string text =
        text_of(sketch) + "*Nset, nset=between\n" + std::to_string(sketch.number({{0, 0, 1}})) +
        ", " + std::to_string(sketch.number({{0, 0, 2}})) + "\n*Nset, nset=of shells, elset=left\n";
      const CoarseMesh mesh = file(text).create_cells().value();
      const auto sets       = last_->sets();
      ASSERT_EQ(sets->nodes.size(), 2u);
      EXPECT_EQ(sets->nodes[0].count, 2u);
      EXPECT_EQ(sets->nodes[0].n_without_cells, 0u);
      EXPECT_EQ(sets->nodes[1].count, name == "C3D20" ? 8u : 9u);
      SetSelection selection;
      selection.add(*sets, sets->nodes[0]);
      std::set<unsigned int> points;
      const std::size_t n = mesh.type.n_nodes - mesh.type.n_vertices;
      for (std::uint32_t c = 0; c < mesh.cells.size(); ++c)
        {
          for (unsigned int v = 0; v < mesh.type.n_vertices; ++v)
            if (selection.has_node({c, {{0, 0, 0}}, 1}, v))
              points.insert(mesh.cells[c][v]);
          for (unsigned int m = 0; m < n; ++m)
            if (selection.has_middle(c, m))
              points.insert(mesh.middles[n * c + m]);
        }
      ASSERT_EQ(points.size(), 2u);
      for (const unsigned int point : points)
        EXPECT_LT(std::abs(mesh.vertices[point][0]) + std::abs(mesh.vertices[point][1]), 1e-14);
    }
}

// Surfaces of Abaqus name faces of second-order elements as those of linear ones.
TEST(Abaqus, SurfacesOfSecondOrderElements)
{
  const unsigned int tet[4][3] = {{1, 2, 3}, {1, 4, 2}, {2, 4, 3}, {3, 4, 1}};
  const unsigned int hex[6][4] = {
    {1, 2, 3, 4}, {5, 8, 7, 6}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 8, 4}, {4, 8, 5, 1}};
  for (const std::string name : {"C3D4", "C3D10", "C3D8R", "C3D20", "C3D27"})
    {
      const Sketch sketch = sketch_of(find_written(name));
      const bool is_tet   = sketch.of.type.n_vertices == 4;
      for (unsigned int f = 0; f < (is_tet ? 4u : 6u); ++f)
        {
          const FileMesh mesh =
            read_abaqus(text_of(sketch) + "*Surface, name=s\n1, S" + std::to_string(f + 1) + "\n");
          std::set<unsigned int> found, expected;
          for (const unsigned int point : mesh.faces.back())
            if (point != FileMesh::none)
              found.insert(point + 1);
          for (unsigned int k = 0; k < (is_tet ? 3u : 4u); ++k)
            expected.insert(static_cast<unsigned int>(
              sketch.number(sketch.cells[0][(is_tet ? tet[f][k] : hex[f][k]) - 1])));
          EXPECT_EQ(found, expected) << name << " S" << f + 1;
        }
    }
}

TEST_F(QuadraticFiles, VariantsOfAbaqusAreNoted)
{
  for (const auto &[type, variant] : {std::pair("C3D10", "C3D10M"),
                                      std::pair("C3D10", "C3D10HS"),
                                      std::pair("C3D20", "C3D20R"),
                                      std::pair("C3D20", "C3D20RH")})
    {
      Written of         = find_written(type);
      of.name            = variant;
      MeshSource &source = file(text_of(sketch_of(of)));
      ASSERT_TRUE(source.create_cells().has_value());
      EXPECT_CONTAINS(source.note(), std::string("elements of type ") + variant + " (first: line ");
      EXPECT_CONTAINS(source.note(),
                      std::string(") are computed as ") + type +
                        ": quadratic displacements with full integration");
    }
}

TEST_F(QuadraticFiles, CellsOfOneTypeAreNeeded)
{
  const auto abaqus = [](const std::string &name, const std::string &more) {
    return text_of(sketch_of(find_written(name))) + "*Element, type=" + more;
  };
  const std::string taken =
    "; cells of one kind are needed, hexahedra of 8, 20 or 27 nodes or tetrahedra of 4 or 10. ";
  const std::string mixed = message(abaqus("C3D10", "C3D4\n1000, 1,2,3,4\n"));
  EXPECT_CONTAINS(mixed, "12 second-order tetrahedra (first: C3D10 in line ");
  EXPECT_CONTAINS(mixed, "), 1 tetrahedra (first: C3D4 in line ");
  EXPECT_CONTAINS(mixed, taken + "In Gmsh: without Recombine all cells are tetrahedra");
  const std::string of_8_and_20 = message(abaqus("C3D20", "C3D8\n1000, 1,2,3,4,5,6,7,8\n"));
  EXPECT_CONTAINS(of_8_and_20, "has 1 hexahedra (first: C3D8 in line ");
  EXPECT_CONTAINS(of_8_and_20, "), 2 second-order hexahedra of 20 nodes (first: C3D20 in line ");
  EXPECT_CONTAINS(message(abaqus("C3D8R", "C3D6\n1000, 1,2,3,4,5,6\n")),
                  "2 hexahedra (first: C3D8R in line ");
  EXPECT_CONTAINS(message(abaqus("C3D20", "C3D15\n1000, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n")),
                  "1 second-order wedges or pyramids (first: C3D15 in line ");
  EXPECT_CONTAINS(message(file_contents(meshes + "wedges.msh")), "has 4 wedges; cells of one kind");
  EXPECT_CONTAINS(message(abaqus("C3D8R", "AC3D16\n1000, 1,2,3,4,5,6,7,8\n")),
                  "1 cells of the unknown type AC3D16");
  EXPECT_CONTAINS(message(file_contents(meshes + "flat.msh")),
                  "has no solids: it is a two-dimensional mesh of 2 quadrilaterals");

  // who takes linear cells
  dealii::Triangulation<3> mesh;
  for (const auto allowed : {MeshSource::AllowedCells::hexahedra, MeshSource::AllowedCells::linear})
    EXPECT_CONTAINS(message_of<EntryError>([&] {
                      file(text_of(sketch_of(find_written("C3D10"))), {}, allowed).create(mesh);
                    }),
                    "; strut takes linear hexahedra only. In Gmsh: recombine");
}

TEST_F(QuadraticFiles, WhatIsWrongIsSaid)
{
  // a middle is missing
  std::string text = text_of(sketch_of(find_written("C3D10")));
  text.erase(text.find("\n*Element, type=CPS6"));
  text.erase(text.rfind(','));
  EXPECT_CONTAINS(message(text), "an element C3D10 has a number and 10 nodes; found 10 numbers");
  text += ", 0\n";
  EXPECT_CONTAINS(message(text), "there is no node 0");

  // a middle is far off its line
  Sketch sketch = sketch_of(find_written("C3D20"));
  sketch.points[{{1, 0, 0}}][0] += 0.6;
  EXPECT_CONTAINS(message(text_of(sketch)),
                  "1 inverted or flat hexahedra out of 2 (Jacobian determinant not positive at a "
                  "quadrature point); the first is that of line ");
  EXPECT_CONTAINS(message(text_of(sketch)), "or with straight lines: in Gmsh");

  // a middle is beyond a quarter of its line: the element is folded at a vertex alone
  sketch = sketch_of(find_written("C3D20"));
  sketch.points[{{1, 0, 0}}][0] += 0.3;
  EXPECT_EQ(message(text_of(sketch)), "");
  EXPECT_CONTAINS(last_->note(), "NOTE: 1 of 2 elements are folded near a node");

  // flat tetrahedra
  sketch = sketch_of(find_written("C3D4"));
  for (auto &[at, x] : sketch.points)
    x[2] = 0.;
  EXPECT_CONTAINS(message(text_of(sketch)), "12 inverted or flat tetrahedra out of 12");

  // two nodes in the middle of a common line
  sketch                         = sketch_of(find_written("C3D20"));
  sketch.points[{{2, 0, 100}}]   = sketch.points[{{2, 0, 1}}];
  const std::vector<Lattice> all = sketch.cells[1];
  for (Lattice &at : sketch.cells[1])
    if (at == Lattice{{2, 0, 1}})
      at = {{2, 0, 100}};
  EXPECT_CONTAINS(message(text_of(sketch)),
                  "two elements have different nodes in the middle of their common line: those of "
                  "lines ");
  EXPECT_EQ(message(text_of(sketch), {{"Merge nodes", "true"}}), "");
  EXPECT_CONTAINS(last_->note(), "1 nodes of the file were at the places of others");

  // a middle of one element is a vertex of the other
  sketch.cells[1] = all;
  for (Lattice &at : sketch.cells[1])
    if (at == Lattice{{4, 0, 0}})
      at = {{1, 0, 0}};
  EXPECT_CONTAINS(message(text_of(sketch)),
                  "a node is a vertex of one element and between vertices of another");
}
