// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>
#include <deal.II/base/numbers.h>

#include <deal.II/distributed/tria.h>

#include <strut/base/exceptions.h>

#include "tests/plugin/mesh_measures.h"
#include "tests/plugin/thesis_meshes.h"

using namespace strut;
using namespace strut::test;
using dealii::numbers::PI;

namespace
{
std::string text(const unsigned int number)
{
  return std::to_string(number);
}

Entries entries(const MichellSize &size)
{
  return {{"Elements along arc", text(size.along_arc)},
          {"Elements from arc", text(size.from_arc)},
          {"Elements to far side", text(size.to_far_side)},
          {"Layers", text(size.layers)}};
}

Entries entries(const ConnectingRodSize &size)
{
  return {{"Elements across", text(size.across)},
          {"Elements upper ring", text(size.upper_ring)},
          {"Elements upper field", text(size.upper_field)},
          {"Elements lower ring", text(size.lower_ring)},
          {"Elements lower field", text(size.lower_field)},
          {"Elements between", text(size.between)},
          {"Layers", text(size.layers)}};
}

/// Element counts for a coarse Michell plate and connecting rod, times 2^fineness.
Entries small_michell(const unsigned int fineness)
{
  return entries(MichellSize{16u << fineness, 4u << fineness, 6u << fineness, 1u << fineness, 0});
}

Entries small_rod(const unsigned int fineness)
{
  const auto n = [fineness](const unsigned int count) { return count << fineness; };
  return entries(ConnectingRodSize{n(8), n(1), n(3), n(1), n(3), n(3), n(1), 0});
}

Entries small_cylinder(const unsigned int fineness)
{
  return {{"Elements radial", text(3u << fineness)},
          {"Elements circumferential", text(12u << fineness)},
          {"Elements axial", text(2u << fineness)}};
}

bool has_vertex(const dealii::Triangulation<3> &mesh, const dealii::Point<3> &point)
{
  for (const auto &vertex : mesh.get_vertices())
    if (vertex.distance(point) < 1e-9)
      return true;
  return false;
}

/// The mesh as the programs make it: coarse mesh, then refinement.
dealii::Triangulation<3> built(const MeshSource &source)
{
  dealii::Triangulation<3> mesh;
  mesh.refine_global(source.create(mesh));
  return mesh;
}
} // namespace

TEST_F(MeshSources, StandInTheSubsectionMesh)
{
  auto &prm = dealii::ParameterAcceptor::prm;
  for (const auto &source : sources_)
    {
      EXPECT_TRUE(prm.subsection_path_exists({"Mesh", source->title})) << source->title;
      EXPECT_FALSE(source->boundaries().empty());
    }
}

TEST_F(MeshSources, CantileverOfTheThesisHasItsCounts)
{
  for (unsigned int i = 0; i < 2; ++i)
    {
      const auto &size = cantilever_sizes[i];
      const auto mesh  = built(
        source("box", {{"Elements", text(size.x) + "," + text(size.y) + "," + text(size.z)}}));
      EXPECT_EQ(mesh.n_active_cells(), size.elements);
      EXPECT_EQ(mesh.n_used_vertices(), size.nodes);
    }
}

TEST_F(MeshSources, LBeamOfTheThesisHasItsCounts)
{
  for (unsigned int i = 0; i < 2; ++i)
    {
      const auto &size = l_beam_sizes[i];
      const auto mesh  = built(
        source("l beam",
               {{"Cells per fifth", text(size.cells_per_fifth)}, {"Layers", text(size.layers)}}));
      EXPECT_EQ(mesh.n_active_cells(), size.elements);
      EXPECT_EQ(mesh.n_used_vertices(), size.nodes);
    }
  // The larger ones by the same arithmetic.
  for (const auto &size : l_beam_sizes)
    {
      const std::size_t n = size.cells_per_fifth, k = size.layers;
      EXPECT_EQ(16 * n * n * k, size.elements);
      EXPECT_EQ(((5 * n + 1) * (2 * n + 1) + 3 * n * (2 * n + 1)) * (k + 1), size.nodes);
    }
}

TEST_F(MeshSources, MichellAndRodReachTheThesisWithinTwoPercent)
{
  const auto count = [](const MeshSource &source) {
    dealii::Triangulation<3> mesh;
    const unsigned int refinements = source.create(mesh);
    EXPECT_GE(refinements, 2u);
    return static_cast<double>(mesh.n_active_cells()) * std::pow(8., refinements);
  };
  for (const auto &size : michell_sizes)
    expect_close(count(source("michell", entries(size))), size.elements, 0.02);
  for (const auto &size : connecting_rod_sizes)
    expect_close(count(source("connecting rod", entries(size))), size.elements, 0.02);
}

TEST_F(MeshSources, RefineAsOftenAsTheirCountsCanBeHalved)
{
  const auto refinements = [](const MeshSource &source) {
    dealii::Triangulation<3> mesh;
    return source.create(mesh);
  };
  EXPECT_EQ(refinements(source("box", {{"Elements", "5,3,2"}})), 0u);
  EXPECT_EQ(refinements(source("box", {{"Elements", "120,60,60"}})), 2u); // CB4
  EXPECT_EQ(refinements(source("box", {{"Elements", "160,80,80"}})), 4u); // CB5
  EXPECT_EQ(refinements(source("l beam", {{"Cells per fifth", "16"}, {"Layers", "8"}})), 3u);
  EXPECT_EQ(refinements(source("l beam", {{"Cells per fifth", "3"}, {"Layers", "4"}})), 0u);
  // down to eight elements around the tube
  EXPECT_EQ(refinements(source("hollow cylinder",
                               {{"Elements radial", "8"},
                                {"Elements circumferential", "32"},
                                {"Elements axial", "16"}})),
            2u);
  for (unsigned int i = 0; i < 5; ++i)
    {
      EXPECT_EQ(refinements(source("michell", entries(michell_sizes[i]))), i < 4 ? 2u : 3u);
      EXPECT_EQ(refinements(source("connecting rod", entries(connecting_rod_sizes[i]))),
                i < 4 ? 2u : 3u);
    }
}

TEST_F(MeshSources, DecksOfMultigridHaveFiveLevelsAndASmallCoarsestMesh)
{
  const auto check = [](const MeshSource &source, const unsigned int n_elements) {
    dealii::Triangulation<3> mesh;
    EXPECT_EQ(source.create(mesh), 4u);
    EXPECT_EQ(4096 * mesh.n_active_cells(), n_elements);
    EXPECT_LT(3 * mesh.n_used_vertices(), 1600u);
    for (const auto &cell : mesh.active_cell_iterators())
      {
        std::array<dealii::Point<3>, 8> x;
        for (unsigned int v = 0; v < 8; ++v)
          x[v] = cell->vertex(v);
        EXPECT_GT(minimum_scaled_jacobian(x), 0.5);
      }
  };
  check(source("michell", entries(MichellSize{256, 80, 128, 32, 0})),
        1179648); // prm/multigrid/mc.prm
  check(source("connecting rod", entries(ConnectingRodSize{64, 16, 32, 16, 32, 64, 32, 0})),
        917504); // prm/multigrid/cr.prm
}

TEST_F(MeshSources, BoxHasItsVolumeAndFaces)
{
  dealii::Triangulation<3> mesh;
  const auto &box = source("box", {{"Size", "3, 2, 0.5"}, {"Elements", "12, 8, 4"}});
  EXPECT_EQ(box.create(mesh), 2u);
  mesh.refine_global(2);
  EXPECT_EQ(mesh.n_active_cells(), 12u * 8u * 4u);
  const Measures measures = measure(mesh);
  expect_close(measures.volume, 3., 1e-12);
  expect_close(measures.minimum_scaled_jacobian, 1., 1e-12);
  const double areas[] = {1., 1., 1.5, 1.5, 6., 6.};
  ASSERT_EQ(measures.areas.size(), 6u);
  for (unsigned int id = 0; id < 6; ++id)
    expect_close(measures.areas.at(id), areas[id], 1e-12);
}

TEST_F(MeshSources, LBeamHasItsVolumeAndFaces)
{
  const auto mesh =
    built(source("l beam", {{"Cells per fifth", "4"}, {"Layers", "2"}, {"Element size", "0.5"}}));
  // Side 10, legs 4 wide, 1 thick.
  const Measures measures = measure(mesh);
  expect_close(measures.volume, 64., 1e-12);
  expect_close(measures.minimum_scaled_jacobian, 1., 1e-12);
  const double areas[] = {10., 4., 10., 4., 64., 64., 6., 6.};
  ASSERT_EQ(measures.areas.size(), 8u);
  for (unsigned int id = 0; id < 8; ++id)
    expect_close(measures.areas.at(id), areas[id], 1e-12);
  // The notch is at the upper right.
  EXPECT_TRUE(has_vertex(mesh, {0., 10., 0.}));
  EXPECT_TRUE(has_vertex(mesh, {10., 0., 0.}));
  EXPECT_FALSE(has_vertex(mesh, {10., 10., 0.}));
}

TEST_F(MeshSources, CurvedMeshesConvergeToTheirVolume)
{
  struct Case
  {
    const char *name;
    Entries (*entries)(unsigned int);
    double volume;
  };
  const Case cases[] = {{"michell", small_michell, 0.5 * (20. - 0.5 * PI)},
                        {"connecting rod",
                         small_rod,
                         25. * (350. * 150. - PI * (30. * 30. + 17.5 * 17.5))},
                        {"hollow cylinder", small_cylinder, 2. * PI * (4. - 1.)}};
  for (const auto &test : cases)
    {
      SCOPED_TRACE(test.name);
      double error[3];
      for (unsigned int fineness = 0; fineness < 3; ++fineness)
        {
          const auto mesh = built(source(test.name, test.entries(fineness)));
          error[fineness] = std::abs(measure(mesh).volume - test.volume) / test.volume;
        }
      // Chords instead of arcs: second order. 12 chords leave out 4.5 percent of a disk.
      EXPECT_LT(error[0], 0.05);
      EXPECT_NEAR(error[0] / error[1], 4., 0.4);
      EXPECT_NEAR(error[1] / error[2], 4., 0.4);
    }
}

TEST_F(MeshSources, MichellHasItsFacesAndALineToTheLoad)
{
  const auto mesh         = built(source("michell", small_michell(2)));
  const Measures measures = measure(mesh);
  // Left out by the chords of 64 segments: 1e-4 of the arc, 4e-4 of the half disk.
  ASSERT_EQ(measures.areas.size(), 7u);
  expect_close(measures.areas.at(0), 0.5 * PI, 2e-4);
  expect_close(measures.areas.at(1), 2., 1e-12);
  expect_close(measures.areas.at(2), 1., 1e-12);
  expect_close(measures.areas.at(3), 2.5, 1e-12);
  expect_close(measures.areas.at(4), 2.5, 1e-12);
  expect_close(measures.areas.at(5), 20. - 0.5 * PI, 2e-4);
  expect_close(measures.areas.at(6), 20. - 0.5 * PI, 2e-4);
  for (unsigned int layer = 0; layer <= 4; ++layer)
    EXPECT_TRUE(has_vertex(mesh, {5., 0., 0.125 * layer}));

  double deviation = 0.;
  for (const auto &cell : mesh.active_cell_iterators())
    for (const auto &face : cell->face_iterators())
      if (face->at_boundary() && face->boundary_id() == 0)
        for (const unsigned int v : face->vertex_indices())
          deviation =
            std::max(deviation, std::abs(std::hypot(face->vertex(v)[0], face->vertex(v)[1]) - 1.));
  EXPECT_LT(deviation, 1e-12);
}

TEST_F(MeshSources, ShortMichellPlateIsAMeshToo)
{
  Entries all = small_michell(1);
  all.push_back({"Length", "1.6"});
  const auto mesh = built(source("michell", all));
  expect_close(measure(mesh).volume, 0.5 * (1.6 * 4. - 0.5 * PI), 5e-3);
  EXPECT_GT(measure(mesh).minimum_scaled_jacobian, 0.3);
}

TEST_F(MeshSources, RodHasItsRingsBoresAndDiameters)
{
  const auto mesh         = built(source("connecting rod", small_rod(2)));
  const Measures measures = measure(mesh);
  // 128 chords around each bore: 1e-4 of the circle, 4e-4 of the disk.
  ASSERT_EQ(measures.areas.size(), 10u);
  for (const unsigned int half : {0, 1})
    {
      expect_close(measures.areas.at(half), 25. * PI * 30., 1e-3);
      expect_close(measures.areas.at(2 + half), 25. * PI * 17.5, 1e-3);
      expect_close(measures.areas.at(4 + half), 25. * 350., 1e-12);
      expect_close(measures.areas.at(6 + half), 25. * 150., 1e-12);
      expect_close(measures.areas.at(8 + half), 350. * 150. - PI * (30. * 30. + 17.5 * 17.5), 1e-3);
    }
  ASSERT_EQ(measures.volumes.size(), 3u);
  expect_close(measures.volumes.at(1), 25. * PI * (40. * 40. - 30. * 30.), 2e-3);
  expect_close(measures.volumes.at(2), 25. * PI * (25. * 25. - 17.5 * 17.5), 2e-3);

  for (const double side : {-1., 1.})
    {
      EXPECT_TRUE(has_vertex(mesh, {side * 30., 275., 0.}));
      EXPECT_TRUE(has_vertex(mesh, {side * 17.5, 50., 25.}));
    }
  // Mesh lines follow the outer circles of the rings.
  double deviation = 0.;
  for (const auto &cell : mesh.active_cell_iterators())
    for (const unsigned int f : cell->face_indices())
      if (!cell->at_boundary(f) && cell->material_id() != 0 &&
          cell->neighbor(f)->material_id() == 0)
        for (const unsigned int v : cell->face(f)->vertex_indices())
          {
            const bool upper = cell->material_id() == 1;
            const auto &x    = cell->face(f)->vertex(v);
            const double r   = std::hypot(x[0], x[1] - (upper ? 275. : 50.));
            deviation        = std::max(deviation, std::abs(r - (upper ? 40. : 25.)));
          }
  EXPECT_LT(deviation, 1e-9);
}

TEST_F(MeshSources, HollowCylinderHasItsFaces)
{
  const auto mesh         = built(source("hollow cylinder", small_cylinder(2)));
  const Measures measures = measure(mesh);
  ASSERT_EQ(measures.areas.size(), 4u);
  expect_close(measures.areas.at(0), 2. * PI * 1. * 2., 1e-3);
  expect_close(measures.areas.at(1), 2. * PI * 2. * 2., 1e-3);
  expect_close(measures.areas.at(2), PI * 3., 4e-3);
  expect_close(measures.areas.at(3), PI * 3., 4e-3);
  // Concentric layers, evenly spaced.
  double deviation = 0.;
  for (const auto &vertex : mesh.get_vertices())
    {
      const double layer = 12. * (std::hypot(vertex[0], vertex[1]) - 1.);
      deviation          = std::max(deviation, std::abs(layer - std::round(layer)));
    }
  EXPECT_LT(deviation, 1e-9);
}

TEST_F(MeshSources, CurvedMeshesHaveGoodElements)
{
  // The worst corners are where a diagonal line meets a corner of the box around a bore: 45 degrees
  // there give a scaled Jacobian of 0.71, 33.7 degrees (the lower, flatter box of the rod) 0.55.
  struct Case
  {
    const char *name;
    Entries entries;
    double bound;
  };
  const Case cases[] = {{"michell", small_michell(0), 0.6},
                        {"michell", small_michell(2), 0.65},
                        {"michell", entries(michell_sizes[0]), 0.65},
                        {"michell", entries(michell_sizes[1]), 0.65},
                        {"connecting rod", small_rod(0), 0.5},
                        {"connecting rod", small_rod(2), 0.5},
                        {"connecting rod", entries(connecting_rod_sizes[0]), 0.5},
                        {"connecting rod", entries(connecting_rod_sizes[1]), 0.5},
                        {"hollow cylinder", small_cylinder(0), 0.9},
                        {"hollow cylinder", small_cylinder(2), 0.9}};
  for (const auto &test : cases)
    {
      SCOPED_TRACE(test.name);
      const auto mesh         = built(source(test.name, test.entries));
      const Measures measures = measure(mesh);
      EXPECT_GT(measures.minimum_determinant, 0.);
      EXPECT_GT(measures.minimum_scaled_jacobian, test.bound) << mesh.n_active_cells() << " cells";
    }
}

TEST_F(MeshSources, GeneratorsMakeDistributedMeshes)
{
  const std::vector<std::pair<std::string, Entries>> cases = {
    {"box", {{"Elements", "4, 2, 2"}}},
    {"l beam", {{"Cells per fifth", "2"}, {"Layers", "2"}}},
    {"michell", small_michell(1)},
    {"connecting rod", small_rod(1)},
    {"hollow cylinder", small_cylinder(1)}};
  for (const auto &[name, all] : cases)
    {
      SCOPED_TRACE(name);
      const auto &mesh_source = source(name, all);
      const auto serial       = built(mesh_source);
      dealii::parallel::distributed::Triangulation<3> mesh(
        MPI_COMM_WORLD,
        dealii::Triangulation<3>::none,
        dealii::parallel::distributed::Triangulation<3>::construct_multigrid_hierarchy);
      const unsigned int refinements = mesh_source.create(mesh);
      EXPECT_GE(refinements, 1u);
      mesh.refine_global(refinements);
      EXPECT_EQ(mesh.n_global_active_cells(), serial.n_active_cells());
      if (mesh.n_locally_owned_active_cells() == mesh.n_global_active_cells())
        expect_close(measure(mesh).volume, measure(serial).volume, 1e-12);
    }
}

TEST_F(MeshSources, RefuseParametersThatMakeNoMesh)
{
  struct Case
  {
    const char *name, *entry, *value, *said;
  };
  const Case cases[] = {
    {"box", "Size", "1, -1, 1", "greater than 0"},
    {"box", "Elements", "4, 0, 4", "at least 1"},
    {"l beam", "Element size", "0", "greater than 0"},
    {"l beam", "Layers", "0", "at least 1"},
    {"michell", "Radius", "2", "less than half the height, 2"},
    {"michell", "Radius", "0", "greater than 0"},
    {"michell", "Elements along arc", "30", "28 or 32"},
    {"michell", "Elements along arc", "2", "4 or 8"},
    {"connecting rod", "Upper outer diameter", "50", "greater than the inner diameter, 60"},
    {"connecting rod", "Lower bore position", "20", "more than the radius of the ring, 25"},
    {"connecting rod", "Lower bore position", "120", "overlap"},
    {"connecting rod", "Elements across", "31", "must be even"},
    {"connecting rod", "Elements lower ring", "0", "at least 1"},
    {"hollow cylinder", "Outer radius", "0.5", "greater than the inner radius, 1"},
    {"hollow cylinder", "Elements circumferential", "6", "fewer than 8"}};
  for (const auto &test : cases)
    {
      SCOPED_TRACE(std::string(test.name) + ": " + test.entry + " = " + test.value);
      TearDown();
      SetUp();
      dealii::Triangulation<3> mesh;
      const auto &mesh_source = source(test.name, {{test.entry, test.value}});
      const auto error        = thrown<EntryError>([&] { mesh_source.create(mesh); });
      ASSERT_TRUE(error) << "no error";
      EXPECT_EQ(error->path, (std::vector<std::string>{"Mesh", mesh_source.title}));
      EXPECT_EQ(error->entry, test.entry);
      EXPECT_CONTAINS(error->what(), test.said);
    }
}
