// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include <set>
#include <tuple>

#include "plugin/deck/mesh/coarse_mesh.h"
#include "plugin/deck/mesh/mesh_sets.h"
#include "plugin/deck/mesh/tag_numbers.h"
#include "source/mesh/faces.h"
#include "tests/plugin/mesh_measures.h"

using namespace strut;
using namespace strut::test;

namespace
{
using Place = std::array<double, 3>;

Place rounded(const dealii::Point<3> &point)
{
  Place place;
  for (unsigned int d = 0; d < 3; ++d)
    place[d] = std::round(1e9 * point[d]) * 1e-9 + 0.;
  return place;
}

Place face_centre(const CoarseMesh &mesh, const std::size_t cell, const unsigned int f)
{
  dealii::Point<3> sum;
  for (const unsigned int v : around_face[f])
    sum += mesh.vertex(cell, v);
  return rounded(sum / 4.);
}

/// Description of a coarse mesh that does not depend on the order of the vertices in its cells. For
/// each face of each cell, by places, it has the boundary id and the neighbouring cell.
auto faces_of(const CoarseMesh &mesh)
{
  std::map<std::pair<Place, Place>, std::tuple<std::uint32_t, std::uint32_t, Place>> faces;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (unsigned int f = 0; f < 6; ++f)
      {
        const std::uint32_t behind                                = mesh.neighbours[c][f];
        faces[{rounded(mesh.centre(c)), face_centre(mesh, c, f)}] = {
          mesh.names.materials[c],
          mesh.names.boundaries[c][f],
          behind == CoarseMesh::nobody ? Place{} : rounded(mesh.centre(behind))};
      }
  return faces;
}

/// The coordinates of the members of all sets.
auto places_of(const CoarseMesh &mesh, const MeshSets &sets)
{
  std::multimap<std::string, std::set<Place>> places;
  for (const MeshSets::Elements &set : sets.elements)
    {
      std::set<Place> &members = places.emplace(set.name + " cells", std::set<Place>())->second;
      for (const std::uint32_t cell : set.cells)
        members.insert(rounded(mesh.centre(cell)));
    }
  for (const MeshSets::Faces &set : sets.faces)
    {
      std::set<Place> &members = places.emplace(set.name + " faces", std::set<Place>())->second;
      for (const std::uint64_t face : set.faces)
        members.insert(face_centre(mesh, face / 6, face % 6));
    }
  for (const MeshSets::Nodes &set : sets.nodes)
    {
      std::set<Place> &members = places.emplace(set.name + " nodes", std::set<Place>())->second;
      for (const auto &[cell, bits] : set.corners)
        for (unsigned int v = 0; v < 8; ++v)
          if ((bits >> v & 1u) != 0)
            members.insert(rounded(mesh.vertex(cell, v)));
    }
  return places;
}

void expect_positive(const CoarseMesh &mesh)
{
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    {
      const auto edge = [&](const unsigned int v) { return mesh.vertex(c, v) - mesh.vertex(c, 0); };
      EXPECT_GT(dealii::cross_product_3d(edge(1), edge(2)) * edge(4), 0.);
      // normals point out
      for (unsigned int f = 0; f < 6; ++f)
        {
          const auto at = [&](const unsigned int k) { return mesh.vertex(c, around_face[f][k]); };
          EXPECT_GT(dealii::cross_product_3d(at(1) - at(0), at(2) - at(0)) *
                      (at(0) - mesh.centre(c)),
                    0.);
        }
    }
}
} // namespace

/// Sources of meshes without refinement.
class FlatMeshes : public MeshSources
{
protected:
  void expect_same(const std::string &name, const Entries &entries)
  {
    MeshSource &of                        = source(name, entries);
    of.deck_folder                        = STRUT_SOURCE_DIR "/tests/plugin";
    const std::optional<CoarseMesh> found = of.create_cells();
    ASSERT_TRUE(found.has_value()) << name;
    const auto sets = of.sets();
    dealii::Triangulation<3> triangulation;
    ASSERT_EQ(of.create(triangulation), 0u) << name;
    const CoarseMesh expected = coarse_mesh_of(triangulation);
    ASSERT_EQ(found->vertices.size(), expected.vertices.size());
    for (std::size_t v = 0; v < expected.vertices.size(); ++v)
      ASSERT_LT(found->vertices[v].distance(expected.vertices[v]), 1e-12);
    ASSERT_EQ(found->cells.size(), expected.cells.size());
    for (std::size_t c = 0; c < expected.cells.size(); ++c)
      ASSERT_LT(found->centre(c).distance(expected.centre(c)), 1e-12);
    EXPECT_EQ(faces_of(*found), faces_of(expected)) << name;
    expect_positive(*found);
    ASSERT_EQ(sets == nullptr, of.sets() == nullptr);
    if (sets != nullptr)
      {
        EXPECT_EQ(places_of(*found, *sets), places_of(expected, *of.sets())) << name;
      }
  }
};

TEST_F(FlatMeshes, AreThoseOfTheTriangulation)
{
  expect_same("box", {{"Size", "3,2,1"}, {"Elements", "3,5,2"}});
  expect_same("box", {{"Size", "3,2,1"}, {"Elements", "1,1,1"}});
  expect_same("l beam", {{"Cells per fifth", "3"}, {"Layers", "2"}});
  expect_same("hollow cylinder",
              {{"Elements radial", "3"},
               {"Elements circumferential", "13"},
               {"Elements axial", "2"}});
  expect_same("michell",
              {{"Elements along arc", "12"},
               {"Elements from arc", "3"},
               {"Elements to far side", "5"},
               {"Layers", "1"}});
  expect_same("connecting rod", entries_of_rod("10"));
  expect_same("file", {{"File name", STRUT_SOURCE_DIR "/prm/meshes/connecting-rod.msh"}});
  for (const char *const name : {"box-msh22.msh",
                                 "box-msh41.msh",
                                 "box.inp",
                                 "box.vtk",
                                 "interior-face.inp",
                                 "part-alone.inp"})
    expect_same("file", {{"File name", std::string("meshes/") + name}});
}

TEST_F(FlatMeshes, OfABoxHaveTheNumbersOfTheTriangulation)
{
  MeshSource &box        = source("box", {{"Size", "0.7,2.1,1.3"}, {"Elements", "3,5,7"}});
  const CoarseMesh found = box.create_cells().value();
  dealii::Triangulation<3> triangulation;
  box.create(triangulation);
  const CoarseMesh expected = coarse_mesh_of(triangulation);
  EXPECT_EQ(found.vertices, expected.vertices); // equal to the last bit
  EXPECT_EQ(found.cells, expected.cells);
  EXPECT_EQ(found.neighbours, expected.neighbours);
  EXPECT_EQ(found.names.boundaries, expected.names.boundaries);
  EXPECT_EQ(found.names.materials, expected.names.materials);
}

TEST_F(FlatMeshes, AreNotThereWhereTheMeshIsRefined)
{
  EXPECT_FALSE(source("box", {{"Elements", "4,2,6"}}).create_cells().has_value());
  EXPECT_FALSE(
    source("l beam", {{"Cells per fifth", "2"}, {"Layers", "2"}}).create_cells().has_value());
  EXPECT_FALSE(
    source("file",
           {{"File name", STRUT_SOURCE_DIR "/prm/meshes/connecting-rod.msh"}, {"Refinements", "1"}})
      .create_cells()
      .has_value());
}

TEST(TagNumbers, NearAndFar)
{
  TagNumbers numbers;
  std::map<long, unsigned int> expected;
  const auto insert = [&](const long tag) {
    const auto number = static_cast<unsigned int>(expected.size());
    EXPECT_EQ(numbers.insert(tag, number), expected.emplace(tag, number).second) << tag;
  };
  for (const long tag : {4000000000000000l, 0l, 1000000l, 5l, 5l, 1000000l, 4000000000000000l})
    insert(tag);
  for (long tag = 100000; tag > 3; --tag) // vertices that were far apart are near in the end
    insert(tag);
  insert(1000000);
  insert(1000001);
  EXPECT_EQ(numbers.size(), expected.size());
  for (const auto &[tag, number] : expected)
    ASSERT_EQ(numbers(tag), number) << tag;
  for (const long tag : {-1l, 1l, 2l, 3l, 100001l, 999999l, 1000002l, 3999999999999999l})
    EXPECT_EQ(numbers(tag), TagNumbers::none) << tag;
}
