// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/part/part_export.h"

#include <strut/base/exceptions.h>

#include <zlib.h>

#include <algorithm>
#include <map>

#include "plugin/deck/output/field_on_mesh.h"
#include "plugin/deck/output/result_file.h"
#include "plugin/deck/output/surface.h"
#include "plugin/deck/part/part_file.h"
#include "source/surface/measures.h"
#include "source/surface/self_intersections.h"
#include "source/surface/vector3.h"
#include "written_result.h"

namespace strut
{
namespace
{
class OutputPart : public SharedFolder
{
protected:
  /// Makes the part at a level of a nodal field. Checks that it closes, does not intersect itself,
  /// and has the volume of the surface.
  static Part check(const DistributedProblem &problem,
                    const std::vector<double> &field,
                    const double level,
                    const bool keep_islands)
  {
    const CutSurface surface =
      whole_surface(problem.communicator,
                    make_surface(problem.communicator, problem.mesh, field, level, 2));
    Part part;
    if (Communicator(problem.communicator).rank() != 0)
      {
        EXPECT_TRUE(surface.mesh.triangles.empty());
        return part;
      }
    EXPECT_TRUE(faulty_edges(surface.mesh).empty());
    PartSettings settings;
    settings.keep_islands = keep_islands;
    part                  = make_part(surface, settings, 2);
    EXPECT_TRUE(part.warnings.empty());
    EXPECT_TRUE(faulty_edges(part.mesh).empty());
    EXPECT_TRUE(self_intersections(part.mesh, 1).empty());
    EXPECT_LE(part.farthest, settings.smoothing.reach * (1. + 1e-12));
    double volume = part.volume;
    for (const Island &island : part.largest.islands)
      volume += island.volume;
    EXPECT_NEAR(volume, enclosed_volume(surface.mesh), 0.02 * enclosed_volume(surface.mesh));
    return part;
  }

  DistributedProblem boxes{MPI_COMM_WORLD, 2, box(3, 2, 2)};
};

TEST_F(OutputPart, OfAnyFieldIsClosedAndDoesNotCrossItself)
{
  const auto field = boxes.node_field(noise);
  for (const double level : {0.1, 0.35, 0.5, 0.65, 0.9})
    check(boxes, field, level, true);
  const DistributedProblem round(MPI_COMM_WORLD, 2, ball());
  const auto on_ball = round.node_field(noise);
  for (const double level : {0.2, 0.5, 0.8})
    check(round, on_ball, level, true);
}

// A ball at the plane x = 0: its cap is flat up to rounding.
TEST_F(OutputPart, KeepsPlanesOfTheBoundary)
{
  const auto field = boxes.node_field([](const double x, const double y, const double z) {
    return 9. - std::hypot(x, y - 1.02, z - 0.97);
  });
  const CutSurface cut =
    whole_surface(boxes.communicator, make_surface(boxes.communicator, boxes.mesh, field, 8.2, 2));
  const Part part = check(boxes, field, 8.2, false);
  if (Communicator(boxes.communicator).rank() != 0)
    return;
  const auto area_of_cap = [](const TriangleMesh &mesh) {
    double sum = 0.;
    for (const Triangle &triangle : mesh.triangles)
      if (std::all_of(triangle.begin(), triangle.end(), [&](const std::uint32_t v) {
            return std::abs(mesh.vertices[v][0]) < 1e-12;
          }))
        sum -= 0.5 * area_vector(mesh, triangle)[0];
    return sum;
  };
  EXPECT_NEAR(area_of_cap(part.mesh), area_of_cap(cut.mesh), 0.02 * area_of_cap(cut.mesh));
  EXPECT_NEAR(part.volume, enclosed_volume(cut.mesh), 2e-3 * part.volume);
}

// Reads files of ResultWriter, which have single precision.
TEST_F(OutputPart, ReadsResults)
{
  const std::vector<double> densities = boxes.element_field(
    [](const double x, const double y, const double z) { return 0.1 + 0.8 * noise(x, y, z); });
  double mass = 0., volume = 0.;
  for (std::size_t e = 0; e < boxes.mesh.n_elements; ++e)
    {
      boxes.mesh.flags[e] = e % 7 == 0 ? DesignFlag::solid : DesignFlag::design;
      mass += boxes.mesh.volumes[e] * densities[e] * (e % 7 == 0 ? 2. : 1.);
      volume += boxes.mesh.volumes[e];
    }
  write_result(boxes, folder, "design", 3, densities);
  const ResultFile result = read_result(folder + "/design-0003.vtu", 1);
  using dealii::Utilities::MPI::sum;
  ASSERT_EQ(result.mesh.n_elements, sum(boxes.mesh.n_elements, boxes.communicator));
  double mass_there = 0., volume_there = 0.;
  for (std::size_t e = 0; e < result.mesh.n_elements; ++e)
    {
      mass_there += result.mesh.volumes[e] * result.densities[e] *
                    (result.mesh.flags[e] == DesignFlag::solid ? 2. : 1.);
      volume_there += result.mesh.volumes[e];
    }
  EXPECT_NEAR(mass_there, sum(mass, boxes.communicator), 1e-5);
  EXPECT_NEAR(volume_there, sum(volume, boxes.communicator), 1e-5);

  EXPECT_THROW(read_result(folder + "/none.vtu", 1), Error);
  if (Communicator(boxes.communicator).rank() == 0)
    {
      const std::string bytes = file_contents(folder + "/design-0003.vtu");
      for (const std::size_t n : {bytes.size() / 10, bytes.size() / 2, bytes.size() - 400})
        {
          write(folder + "/cut.vtu", bytes.substr(0, n));
          EXPECT_THROW(read_result(folder + "/cut.vtu", 1), Error) << n;
        }
    }
  MPI_Barrier(boxes.communicator);
}

// On the same mesh, each element gets its own value, for any shape and rank.
TEST_F(OutputPart, ValuesOfAResultComeBackToItsMesh)
{
  const DistributedProblem round(MPI_COMM_WORLD, 2, ball());
  for (const bool is_round : {false, true})
    {
      const DistributedProblem &problem   = is_round ? round : boxes;
      const std::vector<double> densities = problem.element_field(noise);
      write_result(problem, folder, "design", 1, densities);
      const ResultFile result = read_result(folder + "/design-0001.vtu", 1);
      const std::vector<double> back =
        field_on_mesh(result.mesh, result.densities, problem.mesh, 2);
      for (std::size_t e = 0; e < densities.size(); ++e)
        EXPECT_NEAR(back[e], densities[e], 1e-6);
      MPI_Barrier(problem.communicator);
    }
}

// A linear field on a finer and on a coarser mesh keeps its integral. Outside of the first mesh
// there is nothing.
TEST_F(OutputPart, ValuesOnAnotherMeshKeepTheirIntegral)
{
  const DistributedProblem source(MPI_COMM_SELF, 2, box(3, 2, 2));
  std::vector<double> values;
  double integral = 0.;
  for (std::size_t e = 0; e < source.mesh.n_elements; ++e)
    {
      values.push_back(1. + source.mesh.centre(e)[0]);
      integral += source.mesh.volumes[e] * values.back();
    }
  for (const unsigned int refinements : {1u, 3u})
    {
      const DistributedProblem target(MPI_COMM_SELF, refinements, box(3, 2, 2));
      const auto there = field_on_mesh(source.mesh, values, target.mesh, 1);
      double sum       = 0.;
      for (std::size_t e = 0; e < there.size(); ++e)
        sum += target.mesh.volumes[e] * there[e];
      EXPECT_NEAR(sum, integral, 1e-10 * integral);
    }
  const DistributedProblem wider(MPI_COMM_SELF, 2, box(6, 2, 2));
  const auto there = field_on_mesh(source.mesh, values, wider.mesh, 1);
  for (std::size_t e = 0; e < there.size(); ++e)
    if (wider.mesh.centre(e)[0] > 3.)
      {
        EXPECT_EQ(there[e], 0.);
      }
}

TEST(PartFile, FormatsHaveAllVerticesAndTriangles)
{
  TriangleMesh mesh;
  mesh.vertices  = {{{0., 0., 0.}}, {{1., 0., 0.}}, {{0., 1., 0.}}, {{0., 0., 1.5}}};
  mesh.triangles = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
  EXPECT_EQ(find_part_format("stl").bytes(mesh, "a", "meter").size(), 84u + 4 * 50);
  const std::string ply = find_part_format("ply").bytes(mesh, "a", "meter");
  EXPECT_EQ(ply.size() - ply.find("end_header\n") - 11, 4u * 24 + 4 * 13);
  const std::string obj = find_part_format("obj").bytes(mesh, "a", "meter");
  EXPECT_CONTAINS(obj, "\nv 0 0 1.5\nf 1 3 2\n");
  EXPECT_THROW(find_part_format("step"), Error);
}

// Members are extracted from the archive by its directory.
TEST(ZipArchive, MembersComeBack)
{
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text += "line " + std::to_string(i % 17) + '\n';
  const std::map<std::string, std::string> members = {{"folder/text", text},
                                                      {"short", "a"},
                                                      {"empty", ""}};
  ZipArchive archive;
  for (const auto &[name, contents] : members)
    archive.add(name, contents);
  const std::string bytes = archive.bytes();
  const auto number       = [&](const std::size_t place, const std::size_t n) {
    std::size_t value = 0;
    for (std::size_t i = n; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(bytes[place + i]);
    return value;
  };
  const std::size_t end = bytes.size() - 22;
  ASSERT_EQ(bytes.substr(end, 4), std::string("PK\5\6"));
  ASSERT_EQ(number(end + 10, 2), members.size());
  std::size_t place = number(end + 16, 4);
  EXPECT_EQ(place + number(end + 12, 4), end);
  for (std::size_t i = 0; i < members.size(); ++i)
    {
      ASSERT_EQ(bytes.substr(place, 4), std::string("PK\1\2"));
      const std::size_t packed = number(place + 20, 4), size = number(place + 24, 4),
                        n_name = number(place + 28, 2), local = number(place + 42, 4);
      const std::string name = bytes.substr(place + 46, n_name);
      ASSERT_EQ(bytes.substr(local, 4), std::string("PK\3\4"));
      std::string contents = bytes.substr(local + 30 + number(local + 26, 2), packed);
      if (number(place + 10, 2) == 8)
        {
          std::string whole(size, '\0');
          z_stream stream{};
          ASSERT_EQ(inflateInit2(&stream, -MAX_WBITS), Z_OK);
          stream.next_in   = reinterpret_cast<Bytef *>(contents.data());
          stream.avail_in  = static_cast<uInt>(contents.size());
          stream.next_out  = reinterpret_cast<Bytef *>(whole.data());
          stream.avail_out = static_cast<uInt>(whole.size());
          EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
          inflateEnd(&stream);
          contents = whole;
        }
      EXPECT_EQ(contents, members.at(name));
      EXPECT_EQ(crc32(0,
                      reinterpret_cast<const Bytef *>(contents.data()),
                      static_cast<uInt>(contents.size())),
                number(place + 16, 4));
      place += 46 + n_name;
    }
}
} // namespace
} // namespace strut
