// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/surface_writer.h"

#include <deal.II/base/mpi.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "distributed_problem.h"
#include "source/element/elements.h"
#include "source/element/iso_cell.h"

namespace strut
{
namespace
{
using Place = std::array<double, 3>;

Place at(const double x, const double y, const double z)
{
  return {{x, y, z}};
}

/// Pseudo-random number in [0, 1) for a place.
double noise(const Place &x)
{
  return strut::noise(x[0], x[1], x[2]);
}

double distance(const Place &x, const Place &y)
{
  return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

/// The tetrahedra around the diagonals of the hexahedra of a mesh, six of each.
ElementMesh cut_to_tetrahedra(const ElementMesh &mesh)
{
  ElementMesh cut  = mesh;
  cut.type         = type_of<Tet4>();
  cut.n_elements   = 6 * mesh.n_elements;
  cut.connectivity = std::vector<LocalIndex>(4 * cut.n_elements);
  std::array<std::size_t, 3> order{{1, 2, 4}}; // directions of the edges, as bits
  for (std::size_t t = 0; t < 6; ++t, std::next_permutation(order.begin(), order.end()))
    {
      const std::size_t one = order[0], two = order[0] | order[1];
      const bool is_odd             = t == 1 || t == 2 || t == 5;
      const std::size_t vertices[4] = {0, is_odd ? two : one, is_odd ? one : two, 7};
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        for (std::size_t v = 0; v < 4; ++v)
          cut.connectivity[v * cut.n_elements + 6 * e + t] = mesh.node(e, vertices[v]);
    }
  cut.flags.assign(cut.n_elements, DesignFlag::design);
  cut.volumes.resize(cut.n_elements);
  for (std::size_t e = 0; e < cut.n_elements; ++e)
    cut.volumes[e] = mesh.volumes[e / 6] / 6.;
  return cut;
}

/// The triangles of all ranks, and their defects.
struct Closed
{
  Closed(MPI_Comm communicator, const Surface &surface)
  {
    std::vector<std::uint64_t> keys;
    std::vector<double> places;
    for (const auto &triangle : surface.triangles)
      for (const std::uint32_t i : triangle)
        {
          keys.insert(keys.end(), surface.keys[i].begin(), surface.keys[i].end());
          places.insert(places.end(), surface.vertices[i].begin(), surface.vertices[i].end());
        }
    const auto all_keys   = dealii::Utilities::MPI::all_gather(communicator, keys);
    const auto all_places = dealii::Utilities::MPI::all_gather(communicator, places);
    std::map<Surface::Key, Place> place_of;
    for (std::size_t rank = 0; rank < all_keys.size(); ++rank)
      for (std::size_t i = 0; 6 * i < all_keys[rank].size(); ++i)
        {
          Surface::Key key[3];
          Place x[3];
          for (std::size_t k = 0; k < 3; ++k)
            {
              std::copy_n(&all_keys[rank][6 * i + 2 * k], 2, key[k].begin());
              std::copy_n(&all_places[rank][9 * i + 3 * k], 3, x[k].begin());
              n_torn += place_of.emplace(key[k], x[k]).first->second != x[k];
            }
          add(key, x);
        }
    finish();
  }

  /// Reads an STL file; vertices at the same place are identified.
  explicit Closed(const std::string &stl)
  {
    std::uint32_t n = 0;
    std::memcpy(&n, &stl[80], 4);
    EXPECT_EQ(stl.size(), 84 + 50 * std::size_t(n));
    for (std::size_t i = 0; i < n; ++i)
      {
        float numbers[12];
        std::memcpy(numbers, &stl[84 + 50 * i], sizeof(numbers));
        Surface::Key key[3];
        Place x[3];
        for (std::size_t k = 0; k < 3; ++k)
          {
            std::copy_n(numbers + 3 + 3 * k, 3, x[k].begin());
            key[k] = {{numbers_.emplace(x[k], numbers_.size()).first->second, 0}};
          }
        add(key, x);
      }
    finish();
  }

  template <typename Key>
  void add(const Key (&key)[3], const Place (&x)[3])
  {
    for (std::size_t k = 0; k < 3; ++k)
      ++n_of_edge[{key[k], key[(k + 1) % 3]}];
    volume += (x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) +
               x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2]) +
               x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0])) /
              6.;
    ++n_triangles;
  }

  void finish()
  {
    for (const auto &[edge, n] : n_of_edge)
      {
        const auto back = n_of_edge.find({edge.second, edge.first});
        n_open += back == n_of_edge.end() || back->second != n;
        n_crowded += n > 1;
      }
  }

  std::map<Place, std::uint64_t> numbers_;
  std::map<std::pair<Surface::Key, Surface::Key>, int> n_of_edge;
  double volume           = 0.;
  std::size_t n_triangles = 0;
  int n_torn              = 0; ///< number of keys whose vertices are at two places
  int n_open              = 0; ///< number of edges without as many triangles in the other direction
  int n_crowded           = 0; ///< number of edges of more than two triangles
};

class OutputSurface : public SharedFolder
{
protected:
  /// Writes the surface of a design to a file.
  SurfaceVolumes written(const std::vector<double> &densities, const std::string &file) const
  {
    const EnclosingSurface surface =
      make_enclosing_surface(boxes.communicator, boxes.mesh, densities, 1);
    const Communicator communicator(boxes.communicator);
    BackgroundSteps steps(communicator);
    steps.begin([&] { return stl_steps(communicator, file, stl_records(surface.surface)); });
    steps.wait();
    return surface.volumes;
  }

  template <typename Function>
  static std::vector<double> at_nodes(const ElementMesh &mesh, const Function &function)
  {
    std::vector<double> values;
    for (std::size_t n = 0; n < mesh.n_nodes; ++n)
      values.push_back(function(at(mesh.coordinates[n],
                                   mesh.coordinates[mesh.n_nodes + n],
                                   mesh.coordinates[2 * mesh.n_nodes + n])));
    return values;
  }

  template <typename Function>
  static void set_flags(ElementMesh &mesh, const Function &function)
  {
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      mesh.flags[e] = function(at(mesh.centre(e)[0], mesh.centre(e)[1], mesh.centre(e)[2]));
  }

  /// Sum of the boxes' solid volumes, over all ranks.
  static double volume_of_cells(const DistributedProblem &problem,
                                const std::vector<double> &field,
                                const double level)
  {
    const ElementMesh &mesh = problem.mesh;
    double sum              = 0.;
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      {
        double values[8], fraction;
        for (std::size_t v = 0; v < mesh.type.n_vertices; ++v)
          values[v] = field[mesh.connectivity[v * mesh.n_elements + e]];
        if (mesh.type.n_vertices == 8)
          fraction = iso_cell::fraction(values, level);
        else
          fraction =
            iso_cell::fraction_of_tetrahedron({values[0], values[1], values[2], values[3]}, level);
        sum += mesh.volumes[e] * (mesh.flags[e] == DesignFlag::solid   ? 1.
                                  : mesh.flags[e] == DesignFlag::empty ? 0.
                                                                       : fraction);
      }
    return dealii::Utilities::MPI::sum(sum, problem.communicator);
  }

  /// @param separation  distance of sheets, small enough for exact volumes
  static Closed check(const DistributedProblem &problem,
                      const std::vector<double> &field,
                      const double level,
                      const double separation = 1e-13)
  {
    const Closed closed(
      problem.communicator,
      make_surface(problem.communicator, problem.mesh, field, level, 2, separation));
    EXPECT_EQ(closed.n_torn, 0);
    EXPECT_EQ(closed.n_open, 0);
    EXPECT_EQ(closed.n_crowded, 0);
    EXPECT_GT(closed.n_triangles, 0U);
    return closed;
  }

  static void check_boxes(const DistributedProblem &problem,
                          const std::vector<double> &field,
                          const double level)
  {
    const double volume = volume_of_cells(problem, field, level);
    EXPECT_NEAR(check(problem, field, level).volume, volume, 1e-10 * volume);
    EXPECT_NEAR(check(problem, field, level, 1e-3).volume, volume, 5e-3 * volume);
  }

  DistributedProblem boxes{MPI_COMM_WORLD, 2, box(3, 2, 2)};
};

TEST_F(OutputSurface, OfASphereInsideIsClosedAndOutward)
{
  const auto field =
    at_nodes(boxes.mesh, [](const Place &x) { return 9. - distance(x, at(1.5, 1.01, 0.98)); });
  check_boxes(boxes, field, 8.2);
  const double volume = 4. / 3. * M_PI * std::pow(0.8, 3);
  EXPECT_NEAR(check(boxes, field, 8.2).volume, volume, 0.07 * volume);
}

TEST_F(OutputSurface, EndsWithCapsAtTheFacesOfTheDomain)
{
  for (const Place &centre : {at(0., 0., 0.), at(3., 1.02, 0.97), at(1.5, 2.1, 1.)})
    check_boxes(boxes,
                at_nodes(boxes.mesh, [&](const Place &x) { return 9. - distance(x, centre); }),
                7.9);
}

TEST_F(OutputSurface, IsTheDomainWhereAllIsInside)
{
  const std::vector<double> field(boxes.mesh.n_nodes, 1.);
  EXPECT_NEAR(check(boxes, field, 0.5).volume, 12., 1e-12);
  EXPECT_EQ(check(boxes, field, 0.5).n_triangles, 2U * 2 * 16 * (6 + 6 + 4));
  EXPECT_TRUE(make_surface(
                boxes.communicator, boxes.mesh, std::vector<double>(boxes.mesh.n_nodes, 0.), 0.5, 2)
                .triangles.empty());
}

TEST_F(OutputSurface, OfAnyFieldIsClosedInAmbiguousCellsToo)
{
  const auto field = at_nodes(boxes.mesh, noise);
  for (const double level : {0.1, 0.35, 0.5, 0.65, 0.9})
    check_boxes(boxes, field, level);
}

TEST_F(OutputSurface, IsClosedOnUnstructuredMeshes)
{
  const DistributedProblem round(MPI_COMM_WORLD, 2, ball());
  const auto field = at_nodes(round.mesh, noise);
  for (const double level : {0.2, 0.5, 0.8})
    check(round, field, level);
}

TEST_F(OutputSurface, FollowsTheFacesOfSolidAndEmptyElements)
{
  const auto field = at_nodes(boxes.mesh, noise);
  set_flags(boxes.mesh, [](const Place &x) {
    return x[0] < 1. && x[1] < 1.25                  ? DesignFlag::solid
           : x[0] > 2. || (x[2] > 1.5 && x[0] > 0.5) ? DesignFlag::empty
                                                     : DesignFlag::design;
  });
  for (const double level : {0.1, 0.35, 0.5, 0.65, 0.9, 2.})
    check_boxes(boxes, field, level);
  // Elements of all kinds that meet in all ways, also along edges alone.
  set_flags(boxes.mesh, [](const Place &x) {
    return static_cast<DesignFlag>(static_cast<int>(3. * noise(x)));
  });
  for (const double level : {0.1, 0.35, 0.5, 0.65, 0.9, 2.})
    check_boxes(boxes, field, level);
}

TEST_F(OutputSurface, OfTetrahedraIsClosedForAnyFieldAndAllFlags)
{
  boxes.mesh                       = cut_to_tetrahedra(boxes.mesh);
  const auto field                 = at_nodes(boxes.mesh, noise);
  const std::vector<double> levels = {0.1, 0.35, 0.5, 0.65, 0.9, 2.};
  for (const double level : {0.1, 0.35, 0.5, 0.65, 0.9})
    check_boxes(boxes, field, level);
  set_flags(boxes.mesh, [](const Place &x) {
    return x[0] < 1. && x[1] < 1.25                  ? DesignFlag::solid
           : x[0] > 2. || (x[2] > 1.5 && x[0] > 0.5) ? DesignFlag::empty
                                                     : DesignFlag::design;
  });
  for (const double level : levels)
    check_boxes(boxes, field, level);
  set_flags(boxes.mesh, [](const Place &x) {
    return static_cast<DesignFlag>(static_cast<int>(3. * noise(x)));
  });
  for (const double level : levels)
    check_boxes(boxes, field, level);
}

TEST_F(OutputSurface, OfTetrahedraEnclosesTheVolumeOfTheDesign)
{
  boxes.mesh = cut_to_tetrahedra(boxes.mesh);
  std::vector<double> densities;
  for (std::size_t e = 0; e < boxes.mesh.n_elements; ++e)
    densities.push_back(boxes.mesh.centre(e)[0] < 1.1 ? 1. : 0.01);
  const EnclosingSurface surface =
    make_enclosing_surface(boxes.communicator, boxes.mesh, densities, 1);
  const Closed closed(boxes.communicator, surface.surface);
  EXPECT_NEAR(surface.volumes.enclosed, surface.volumes.design, 1e-8 * surface.volumes.design);
  EXPECT_NEAR(closed.volume, surface.volumes.design, 1e-3 * surface.volumes.design);
}

TEST_F(OutputSurface, EnclosesTheVolumeOfTheDesign)
{
  set_flags(boxes.mesh, [](const Place &x) {
    return x[0] < 0.5                 ? DesignFlag::solid
           : x[0] > 2.5 && x[1] < 0.5 ? DesignFlag::empty
                                      : DesignFlag::design;
  });
  const std::string file = folder + "/design-0001.stl";
  for (const bool is_clear : {false, true}) // grey, or 0 and 1
    {
      const auto densities =
        boxes.element_field([&](const double x, const double y, const double z) {
          const double grey = 0.5 + 0.49 * std::sin(2.1 * x + 0.3) * std::cos(2.7 * y - 0.2 * z);
          return !is_clear ? grey : distance(at(x, y, z), at(1.43, 1.12, 0.94)) < 0.84 ? 1. : 1e-3;
        });
      const SurfaceVolumes volumes = written(densities, file);
      EXPECT_NEAR(volumes.enclosed, volumes.design, 1e-6 * volumes.design);
      EXPECT_FALSE(std::filesystem::exists(file + ".tmp"));
      const Closed closed(file_contents(file));
      EXPECT_EQ(closed.n_open, 0);
      EXPECT_NEAR(closed.volume, volumes.design + 0.5 * 4., 3e-6 * volumes.design);
      MPI_Barrier(boxes.communicator); // before the file is written again
    }
}

TEST_F(OutputSurface, HasTheSameBitsForAnyNumberOfThreads)
{
  DistributedProblem fine(MPI_COMM_WORLD, 4, box(3, 2, 1)); // several blocks of elements
  set_flags(fine.mesh, [](const Place &x) {
    return distance(x, at(0., 0., 0.)) < 0.5   ? DesignFlag::solid
           : distance(x, at(3., 2., 1.)) < 0.7 ? DesignFlag::empty
                                               : DesignFlag::design;
  });
  const auto field =
    at_nodes(fine.mesh, [](const Place &x) { return noise(at(x[0], x[1], x[2])); });
  const Surface one = make_surface(fine.communicator, fine.mesh, field, 0.6, 1);
  EXPECT_EQ(one.keys.size(), one.vertices.size());
  EXPECT_EQ(one.sizes.size(), one.vertices.size());
  EXPECT_EQ(one.is_on_face.size(), one.triangles.size());
  for (const unsigned int n_threads : {2u, 5u})
    {
      const Surface some = make_surface(fine.communicator, fine.mesh, field, 0.6, n_threads);
      EXPECT_EQ(some.vertices, one.vertices);
      EXPECT_EQ(some.keys, one.keys);
      EXPECT_EQ(some.triangles, one.triangles);
      EXPECT_EQ(some.sizes, one.sizes);
      EXPECT_EQ(some.is_on_face, one.is_on_face);
    }
}

TEST_F(OutputSurface, HasTwoTrianglesAtEachEdgeOfAFileWhereSheetsTouch)
{
  // Densities of 0 and 1 put nodes exactly on levels; solid and empty elements meet along edges.
  DistributedProblem round(MPI_COMM_WORLD, 1, ball());
  int round_number = 0;
  for (DistributedProblem *const problem : {&boxes, &round})
    for (const bool is_clear : {false, true})
      {
        set_flags(problem->mesh, [](const Place &x) {
          const double draw = noise(at(x[1], x[2], x[0]));
          return draw < 0.3   ? DesignFlag::solid
                 : draw < 0.5 ? DesignFlag::empty
                              : DesignFlag::design;
        });
        const auto densities =
          problem->element_field([&](const double x, const double y, const double z) {
            const double draw = noise(at(x, y, z));
            return !is_clear ? draw : draw < 0.5 ? 0. : 1.;
          });
        const EnclosingSurface surface =
          make_enclosing_surface(problem->communicator, problem->mesh, densities, 1);
        const std::string file = folder + "/sheets" + std::to_string(round_number++) + ".stl";
        BackgroundSteps steps{Communicator(problem->communicator)};
        steps.begin([&] {
          return stl_steps(Communicator(problem->communicator), file, stl_records(surface.surface));
        });
        steps.wait();
        const Closed closed(file_contents(file));
        EXPECT_GT(closed.n_triangles, 0U);
        EXPECT_EQ(closed.n_open, 0);
        EXPECT_EQ(closed.n_crowded, 0);
      }
}

TEST_F(OutputSurface, OfAUniformDesignEnclosesAll)
{
  const std::vector<double> densities(boxes.mesh.n_elements, 0.6);
  const std::string file       = folder + "/uniform.stl";
  const SurfaceVolumes volumes = written(densities, file);
  EXPECT_NEAR(volumes.design, 7.2, 1e-12);
  EXPECT_NEAR(volumes.enclosed, 12., 1e-12);
  const Closed closed(file_contents(file));
  EXPECT_NEAR(closed.volume, 12., 1e-12);
  EXPECT_EQ(closed.n_open + closed.n_crowded, 0);
}

TEST_F(OutputSurface, ThatCannotBeWrittenIsAnErrorOnEveryRank)
{
  const std::vector<double> densities(boxes.mesh.n_elements, 0.3);
  EXPECT_THROW(written(densities, folder + "/missing/a.stl"), Error);
}
} // namespace
} // namespace strut
