// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Contents of files of results and parts: places far from the origin, units, designs that are no
// part.
#include <strut/base/exceptions.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "plugin/deck/output/field_on_mesh.h"
#include "plugin/deck/output/result_file.h"
#include "plugin/deck/output/single_precision.h"
#include "plugin/deck/output/surface_writer.h"
#include "plugin/deck/part/part_export.h"
#include "source/surface/measures.h"
#include "source/surface/weld.h"
#include "written_result.h"

namespace strut
{
namespace
{
class OutputPartFiles : public SharedFolder
{
protected:
  DistributedProblem boxes{MPI_COMM_WORLD, 2, box(3, 2, 2)};
};

// Densities that overshoot a little are 0 and 1; others are refused.
TEST_F(OutputPartFiles, DensitiesThatOvershootALittleAreRead)
{
  const auto read_back = [&](const double density) {
    std::vector<double> densities(boxes.mesh.n_elements, 0.25);
    densities[0] = density;
    write_result(boxes, folder, "beyond", 1, densities);
    const std::vector<double> found = read_result(folder + "/beyond-0001.vtu", 1).densities;
    return std::make_pair(*std::min_element(found.begin(), found.end()),
                          *std::max_element(found.begin(), found.end()));
  };
  EXPECT_EQ(read_back(1.0044).second, 1.);
  EXPECT_EQ(read_back(-0.002).first, 0.);
  EXPECT_THROW(read_back(1.02), Error);
  EXPECT_THROW(read_back(-0.02), Error);
}

/// Makes cubes with edges of 0.3, shifted along y.
auto box_far_away(const double y)
{
  const dealii::Point<3> low(y > 0. ? 615850. : 0., y, 0.);
  return box({10, 4, 5}, low + dealii::Point<3>(3., 1.2, 1.5), low);
}

// Far from the origin results keep the places of doubles, and nearer they have single precision.
TEST_F(OutputPartFiles, ResultsKeepPlacesFarFromTheOrigin)
{
  for (const double y : {0., 5846925.})
    {
      const DistributedProblem problem(MPI_COMM_WORLD, 0, box_far_away(y));
      const auto densities =
        problem.element_field([&](const double x1, const double x2, const double x3) {
          return 0.5 + 0.5 * std::sin(7. * x1 + 3. * (x2 - y) + 5. * x3);
        });
      write_result(problem, folder, "far", 1, densities);
      EXPECT_CONTAINS(file_contents(folder + "/far-0001.vtu").substr(0, 2000),
                      y > 0. ? "\"Float64\" Name=\"Points\"" : "\"Float32\" Name=\"Points\"");
      const ResultFile result = read_result(folder + "/far-0001.vtu", 1);
      double volume           = 0.;
      for (const double of_element : result.mesh.volumes)
        {
          volume += of_element;
          EXPECT_NEAR(of_element, 0.027, 1e-5 * 0.027);
        }
      EXPECT_NEAR(volume, 5.4, 1e-5);
      const std::vector<double> back =
        field_on_mesh(result.mesh, result.densities, problem.mesh, 2);
      for (std::size_t e = 0; e < densities.size(); ++e)
        EXPECT_NEAR(back[e], densities[e], 1e-6);
      MPI_Barrier(problem.communicator);
    }
}

/// The triangles of a binary STL file.
TriangleMesh mesh_of_stl(const std::string &bytes)
{
  TriangleMesh mesh;
  for (std::size_t place = 84; place + 50 <= bytes.size(); place += 50)
    {
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      float numbers[9];
      std::memcpy(numbers, bytes.data() + place + 12, sizeof(numbers));
      for (std::size_t i = 0; i < 9; i += 3)
        mesh.vertices.push_back({{numbers[i], numbers[i + 1], numbers[i + 2]}});
      mesh.triangles.push_back({{first, first + 1, first + 2}});
    }
  return mesh;
}

// Parts and surfaces far from the origin are closed, as their files' numbers show, and have the
// volume of the design.
TEST_F(OutputPartFiles, PartsAreClosedFarFromTheOrigin)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 1, box_far_away(5846925.));
  const auto densities = problem.element_field([](const double x, const double y, const double z) {
    return std::hypot(x - 615851.5, y - 5846925., z - 0.7) < 0.9 ? 1. : 0.01;
  });
  const SinglePrecision precision =
    SinglePrecision::of(Communicator(problem.communicator), problem.mesh);
  EXPECT_FALSE(precision.suffices);
  EXPECT_EQ(precision.origin_text(), "615852 5846926 0");
  const EnclosingSurface surface =
    make_enclosing_surface(problem.communicator, problem.mesh, densities, 1);
  PartRequest request;
  request.formats          = {"stl", "3mf", "obj", "ply"};
  request.base_name        = folder + "/far";
  request.unit             = "meter";
  request.settings.mirrors = {{1, 5846925.}};
  const Part part = part_of_design(problem.communicator, problem.mesh, densities, request, 1);
  if (rank_in(problem.communicator) != 0)
    return;
  if (Communicator(problem.communicator).size() == 1) // records of one rank are all of them
    {
      const TriangleMesh there =
        mesh_of_stl(std::string(84, ' ') + stl_records(surface.surface, precision.origin));
      EXPECT_TRUE(is_closed_in_file(there, 1));
      EXPECT_NEAR(enclosed_volume(there),
                  surface.volumes.enclosed,
                  1e-4 * surface.volumes.enclosed);
    }
  const std::vector<WrittenPart> files = write_part(part, request, 1);
  ASSERT_EQ(files.size(), 4u);
  for (const WrittenPart &written : files)
    EXPECT_TRUE(written.is_closed) << written.file;
  EXPECT_NEAR(part.volume, part.design_volume, 0.01 * part.design_volume);
  // in millimetres about the origin that the log and the file name
  const std::string stl = file_contents(folder + "/far.stl");
  EXPECT_CONTAINS(stl.substr(0, 80), "origin at (615852, 5846926, 0)");
  EXPECT_CONTAINS(files[0].text, "places count from (615852, 5846926, 0) of the deck");
  const TriangleMesh there = mesh_of_stl(stl);
  EXPECT_TRUE(is_closed_in_file(there, 1));
  EXPECT_NEAR(enclosed_volume(there), 1e9 * part.volume, 1e-4 * 1e9 * part.volume);
  double least = 1e300;
  for (const Point &x : there.vertices)
    least = std::min(least, x[1]);
  // the mirror image reaches to the other side of the plane, 1 in front of the origin
  double low = 1e300;
  for (const Point &x : part.mesh.vertices)
    low = std::min(low, x[1]);
  EXPECT_NEAR(least, 1e3 * (low - 5846926.), 1e-3);
  EXPECT_CONTAINS(file_contents(folder + "/far.obj"), "v 61585");
}

// A slicer takes STL for millimeters.
TEST_F(OutputPartFiles, StlIsInMillimeters)
{
  std::vector<double> densities(boxes.mesh.n_elements, 1.);
  for (const auto &[unit, factor] : {std::make_pair("millimeter", 1.),
                                     std::make_pair("meter", 1e3),
                                     std::make_pair("inch", 25.4),
                                     std::make_pair("micron", 1e-3)})
    {
      PartRequest request;
      request.formats   = {"stl", "ply"};
      request.base_name = folder + "/scaled";
      request.unit      = unit;
      const Part part   = part_of_design(boxes.communicator, boxes.mesh, densities, request, 1);
      if (rank_in(boxes.communicator) != 0)
        continue;
      const std::vector<WrittenPart> files = write_part(part, request, 1);
      const double volume = enclosed_volume(mesh_of_stl(file_contents(folder + "/scaled.stl")));
      EXPECT_NEAR(volume, part.volume * factor * factor * factor, 1e-6 * volume);
      EXPECT_EQ(files[1].text.find("which takes") == std::string::npos, factor == 1.);
      EXPECT_LACKS(files[0].text, "NOTE");
    }
}

// A part of a deck in meters of which nobody has said so.
TEST_F(OutputPartFiles, PartsThatLookSmallAreNoted)
{
  const DistributedProblem small(MPI_COMM_SELF, 0, box({4, 2, 2}, {0.04, 0.02, 0.02}));
  PartRequest request;
  request.formats   = {"3mf"};
  request.base_name = folder + "/small-" + std::to_string(rank_in(MPI_COMM_WORLD));
  const Part part   = part_of_design(
    MPI_COMM_SELF, small.mesh, std::vector<double>(small.mesh.n_elements, 1.), request, 1);
  EXPECT_CONTAINS(write_part(part, request, 1)[0].text,
                  "0.04 x 0.02 x 0.02 mm in a slicer\n    NOTE: that is small");
  request.unit = "meter";
  EXPECT_EQ(write_part(part, request, 1)[0].text, "closed, 40 x 20 x 20 mm in a slicer");
}

// Nothing of a design without dense elements is a part: never the full block.
TEST_F(OutputPartFiles, AnEmptyDesignIsNoPart)
{
  for (const double density : {0.01, 0.3})
    {
      std::vector<double> densities(boxes.mesh.n_elements, density);
      PartRequest request;
      EXPECT_CONTAINS(
        message_of<NothingToExport>(
          [&] { part_of_design(boxes.communicator, boxes.mesh, densities, request, 1); }),
        "There is nothing to export: no element of the design has a density from 0.5");
      EXPECT_TRUE(
        stl_records(make_enclosing_surface(boxes.communicator, boxes.mesh, densities, 1).surface)
          .empty());
      request.level   = 0.5 * density; // a requested level is used
      const Part part = part_of_design(boxes.communicator, boxes.mesh, densities, request, 1);
      if (rank_in(boxes.communicator) == 0)
        {
          EXPECT_GT(part.volume, 1.);
        }
      // solid elements remain
      DistributedProblem solid(MPI_COMM_WORLD, 0, box(4, 3, 2));
      std::vector<double> of_solid(solid.mesh.n_elements, density);
      for (std::size_t e = 0; e < solid.mesh.n_elements; ++e)
        if (solid.mesh.centre(e)[0] < 1.)
          {
            solid.mesh.flags[e] = DesignFlag::solid;
            of_solid[e]         = 1.;
          }
      request.level.reset();
      const Part rest = part_of_design(solid.communicator, solid.mesh, of_solid, request, 1);
      if (rank_in(solid.communicator) == 0)
        {
          EXPECT_NEAR(rest.volume, 6., 1e-9);
          ASSERT_FALSE(rest.warnings.empty());
          EXPECT_CONTAINS(rest.warnings.back(), "the part is that of the solid regions");
        }
    }
}

// Where a level encloses the volume of a pale design, that is its part, with a warning.
TEST_F(OutputPartFiles, APaleDesignIsAPartWithAWarning)
{
  const auto densities = boxes.element_field(
    [](const double x, double, double) { return 0.45 / (1. + std::exp(8. * (x - 1.4))); });
  PartRequest request;
  const Part part = part_of_design(boxes.communicator, boxes.mesh, densities, request, 1);
  if (rank_in(boxes.communicator) != 0)
    return;
  EXPECT_NEAR(part.volume, part.design_volume, 0.02 * part.design_volume);
  ASSERT_FALSE(part.warnings.empty());
  EXPECT_CONTAINS(part.warnings.back(), "the part is at a level below that");
}

// A solid region that nothing connects with the part stays in it, and a warning names it.
TEST_F(OutputPartFiles, SolidRegionsStay)
{
  DistributedProblem problem(MPI_COMM_WORLD, 0, box(12, 4, 4));
  std::vector<double> densities(problem.mesh.n_elements, 0.01);
  std::vector<LocalIndex> lug;
  for (std::size_t e = 0; e < problem.mesh.n_elements; ++e)
    {
      const auto x = problem.mesh.centre(e);
      if (x[0] < 5. || (x[0] > 7. && x[0] < 9. && x[2] < 2.)) // the body, and an island
        densities[e] = 1.;
      if (x[0] > 10. && x[1] > 2. && x[2] > 2.)
        {
          densities[e]          = 1.;
          problem.mesh.flags[e] = DesignFlag::solid;
          lug.push_back(static_cast<LocalIndex>(e));
        }
    }
  for (const bool is_named : {true, false})
    {
      PartRequest request;
      if (is_named)
        request.regions = {{"cable lug", lug}};
      const Part part = part_of_design(problem.communicator, problem.mesh, densities, request, 1);
      if (rank_in(problem.communicator) != 0)
        continue;
      ASSERT_EQ(part.largest.islands.size(), 1u);
      EXPECT_LT(part.largest.islands[0].low[0], 9.);
      double reach = 0.;
      for (const Point &x : part.mesh.vertices)
        reach = std::max(reach, x[0]);
      EXPECT_NEAR(reach, 12., 1e-12);
      ASSERT_FALSE(part.warnings.empty());
      EXPECT_CONTAINS(part.warnings[0],
                      is_named ? "the solid region 'cable lug' has no connection"
                               : "solid elements have no connection");
    }
}
} // namespace
} // namespace strut
