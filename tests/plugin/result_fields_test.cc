// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "cell_keys.h"
#include "distributed_problem.h"
#include "plugin/base/host_halo.h"
#include "plugin/deck/output/node_means.h"
#include "plugin/deck/output/result_file.h"
#include "plugin/deck/output/result_writer.h"
#include "source/solvers/state/von_mises.h"
#include "vtu_contents.h"

namespace strut
{
namespace
{
double polynomial_at(const double x, const double y, const double z, const int component)
{
  const double u[3] = {x + 10 * y, 20 * z, x * y * z};
  return u[component];
}

/// Tests the contents of the file of a result.
class OutputResultFields : public SharedFolder
{
protected:
  VtuFileContents written(const DistributedProblem &problem,
                          const std::vector<double> &density,
                          const std::vector<ResultWriter::LoadCaseResult> &load_cases,
                          const bool von_mises      = false,
                          const ResultFields fields = ResultFields::all) const
  {
    const auto material_ids =
      of_elements<std::int32_t>(problem.triangulation, problem.mesh, [](const auto &cell) {
        return cell.material_id();
      });
    ResultWriter writer(
      problem.mesh,
      Material{2., 0.25},
      [&](const std::size_t e) { return material_ids[e]; },
      problem.communicator,
      folder,
      "design",
      von_mises,
      2,
      fields);
    writer.write(7, density, density, load_cases);
    writer.wait();
    return VtuFileContents(file_contents(folder + "/design-0007.vtu"));
  }

  void expect_surface(const DistributedProblem &problem, const std::vector<double> &density) const;
};

using Point = std::array<double, 3>;

/// Six times the volume of a tetrahedron.
double triple(const Point &a, const Point &b, const Point &c, const Point &d)
{
  Point p[3];
  for (std::size_t i = 0; i < 3; ++i)
    {
      p[0][i] = b[i] - a[i];
      p[1][i] = c[i] - a[i];
      p[2][i] = d[i] - a[i];
    }
  return p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) -
         p[0][1] * (p[1][0] * p[2][2] - p[1][2] * p[2][0]) +
         p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
}

/// The cells of a density at each face, which is the set of its points.
std::map<std::set<std::int32_t>, std::vector<std::size_t>>
cells_at_faces(const VtuFileContents &file, const float least_density)
{
  constexpr int faces[6][4] = {
    {0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  const auto cells     = file.cells();
  const auto densities = file.floats("density");
  std::map<std::set<std::int32_t>, std::vector<std::size_t>> result;
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (const auto &face : faces)
      if (densities[i] >= least_density)
        result[{cells[i][face[0]], cells[i][face[1]], cells[i][face[2]], cells[i][face[3]]}]
          .push_back(i);
  return result;
}

TEST_F(OutputResultFields, EachNodeIsThereOnceAndCellsShareIt)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 1, ball());
  const auto density = problem.element_field(linear_density);
  const auto file    = written(problem, density, {});

  EXPECT_EQ(file.n_points, Communicator(MPI_COMM_WORLD).sum(problem.mesh.n_owned_nodes));
  EXPECT_EQ(file.n_cells, Communicator(MPI_COMM_WORLD).sum(problem.mesh.n_elements));
  const auto points = file.floats("Points");
  const auto cells  = file.cells();
  ASSERT_EQ(points.size(), 3 * file.n_points);
  ASSERT_EQ(cells.size(), file.n_cells);
  std::set<std::tuple<float, float, float>> places;
  for (std::size_t i = 0; i < file.n_points; ++i)
    places.emplace(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
  EXPECT_EQ(places.size(), file.n_points);

  // A ball of hexahedra: every face belongs to two cells, except for 6 x 4 per refined outer face.
  std::size_t n_outside = 0;
  for (const auto &[face, of_face] : cells_at_faces(file, 0.f))
    {
      EXPECT_EQ(face.size(), 4u);
      EXPECT_TRUE(of_face.size() == 1 || of_face.size() == 2);
      n_outside += of_face.size() == 1 ? 1 : 0;
    }
  EXPECT_EQ(n_outside, 24u);

  const auto ends  = file.array<std::int32_t>("offsets", "Int32");
  const auto types = file.array<std::uint8_t>("types", "UInt8");
  ASSERT_EQ(ends.size(), file.n_cells);
  ASSERT_EQ(types.size(), file.n_cells);
  for (std::size_t i = 0; i < file.n_cells; ++i)
    {
      EXPECT_EQ(ends[i], 8 * (i + 1));
      EXPECT_EQ(types[i], 12); // VTK_HEXAHEDRON
    }
}

/// VTK's hexahedron goes around the bottom and then around the top. With another order, six
/// tetrahedra around the diagonal from the first point to the seventh would have another volume.
TEST_F(OutputResultFields, CellsHaveTheOrderOfVtkAndTheVolumeOfTheMesh)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 1, ball());
  const auto file   = written(problem, problem.element_field(linear_density), {});
  const auto points = file.floats("Points");
  double volume     = 0;
  for (const auto &cell : file.cells())
    {
      Point p[8];
      for (std::size_t v = 0; v < 8; ++v)
        for (std::size_t d = 0; d < 3; ++d)
          p[v][d] = points[3 * static_cast<std::size_t>(cell[v]) + d];
      constexpr std::size_t around[7] = {1, 2, 3, 7, 4, 5, 1}; // the diagonal from 0 to 6
      double of_cell                  = 0;
      for (std::size_t i = 0; i < 6; ++i)
        {
          const double part = triple(p[0], p[around[i]], p[around[i + 1]], p[6]) / 6.;
          EXPECT_GT(part, 0.);
          of_cell += part;
        }
      volume += of_cell;
    }
  double of_mesh = 0;
  for (const double v : problem.mesh.volumes)
    of_mesh += v;
  // Faces are not plane, and tetrahedra cut them along one diagonal. Except at the surface, errors
  // cancel between neighbours only if both use the same diagonal.
  EXPECT_NEAR(volume, Communicator(MPI_COMM_WORLD).sum(of_mesh), 0.02 * volume);

  const DistributedProblem straight(MPI_COMM_WORLD, 1, box(3, 2, 1));
  const auto straight_file   = written(straight, straight.element_field(linear_density), {});
  const auto straight_points = straight_file.floats("Points");
  for (const auto &cell : straight_file.cells())
    for (std::size_t v = 0; v < 8; ++v)
      {
        const bool high[3] = {v % 4 == 1 || v % 4 == 2, v % 4 == 2 || v % 4 == 3, v >= 4};
        for (std::size_t d = 0; d < 3; ++d)
          EXPECT_EQ(straight_points[3 * static_cast<std::size_t>(cell[v]) + d] -
                      straight_points[3 * static_cast<std::size_t>(cell[0]) + d],
                    high[d] ? 0.5f : 0.f);
      }
}

TEST_F(OutputResultFields, FieldsAreWhereTheyBelong)
{
  DistributedProblem problem(MPI_COMM_WORLD, 1, ball());
  for (std::size_t e = 0; e < problem.mesh.n_elements; ++e)
    problem.mesh.flags[e] = problem.mesh.centre(e)[0] > 0.1    ? DesignFlag::solid
                            : problem.mesh.centre(e)[0] < -0.4 ? DesignFlag::empty
                                                               : DesignFlag::design;
  for (const auto &cell : problem.triangulation.active_cell_iterators())
    cell->set_material_id(cell->center()[1] > 0.1 ? 300 : 7);
  const auto is_held = [](const double x, const double z, const int c) {
    return (z < -0.3 && c != 1) || (x > 0.8 && c == 1);
  };
  const ElementMesh &mesh = problem.mesh;
  for (std::size_t i = 0; i < mesh.n_dofs(); ++i)
    if (is_held(mesh.coordinates[i / 3], mesh.coordinates[2 * mesh.n_nodes + i / 3], i % 3))
      {
        problem.mesh.constrained_dofs.push_back(static_cast<LocalIndex>(i));
        problem.mesh.constrained_values.push_back(0.);
      }
  auto displacement = problem.nodal_field(polynomial_at);
  std::vector<double> forces(displacement.begin(), displacement.begin() + mesh.n_owned_dofs());
  std::fill(displacement.begin() + mesh.n_owned_dofs(), displacement.end(), 1e30);
  for (double &force : forces)
    force *= -3.;

  const NodalForces nodal_forces(forces);
  const auto density         = problem.element_field(linear_density);
  const auto file            = written(problem, density, {{"only", displacement, &nodal_forces}});
  const auto centres         = file.centres();
  const auto density_in_file = file.floats("density");
  const auto flags           = file.codes("design_flag");
  const auto materials       = file.array<std::int32_t>("material_id", "Int32");
  ASSERT_EQ(density_in_file.size(), file.n_cells);
  ASSERT_EQ(flags.size(), file.n_cells);
  ASSERT_EQ(materials.size(), file.n_cells);
  for (std::size_t i = 0; i < file.n_cells; ++i)
    {
      const auto &[x, y, z] = centres[i];
      EXPECT_NEAR(density_in_file[i], linear_density(x, y, z), 1e-6);
      EXPECT_EQ(flags[i], x > 0.1 ? 1 : x < -0.4 ? 2 : 0);
      EXPECT_EQ(materials[i], y > 0.1 ? 300 : 7);
    }

  const auto points = file.floats("Points");
  const auto u      = file.floats("displacement");
  const auto f      = file.floats("nodal_force");
  const auto held   = file.codes("support");
  ASSERT_EQ(u.size(), points.size());
  ASSERT_EQ(f.size(), points.size());
  ASSERT_EQ(held.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    {
      const float *const p = &points[i / 3 * 3];
      const double there   = polynomial_at(p[0], p[1], p[2], i % 3);
      EXPECT_NEAR(u[i], there, 1e-5);
      EXPECT_NEAR(f[i], -3. * there, 3e-5);
      EXPECT_EQ(held[i], is_held(p[0], p[2], i % 3) ? 1 : 0);
    }
}

/// Elements of other ranks count like those of this rank.
TEST_F(OutputResultFields, DensityAtNodesIsTheMeanOfTheCellsAroundThem)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 1, ball());
  const auto file    = written(problem, problem.element_field(linear_density), {});
  const auto cells   = file.cells();
  const auto density = file.floats("density");
  std::vector<double> sums(file.n_points, 0.), counts(file.n_points, 0.);
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (const std::int32_t point : cells[i])
      {
        sums[static_cast<std::size_t>(point)] += density[i];
        counts[static_cast<std::size_t>(point)] += 1.;
      }
  const auto at_nodes = file.floats("density_at_nodes");
  ASSERT_EQ(at_nodes.size(), file.n_points);
  for (std::size_t i = 0; i < file.n_points; ++i)
    EXPECT_NEAR(at_nodes[i], sums[i] / counts[i], 1e-6);
}

// More than three blocks of elements on one rank. The reference: the sums of one loop.
TEST_F(OutputResultFields, MeansAtNodesHaveTheBitsOfOneLoop)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 4, box(5, 1, 1));
  const ElementMesh &mesh = problem.mesh;
  const bool is_alone     = Communicator(MPI_COMM_WORLD).size() == 1;
  ASSERT_GT(mesh.n_elements, is_alone ? 3u * 4096u : 0u);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(0.1, 1.);
  std::vector<double> values, of_elements, means(mesh.n_nodes, 0.), weights(mesh.n_nodes, 0.);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      values.push_back(number(random));
      of_elements.push_back(number(random));
    }
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      {
        const LocalIndex node = mesh.connectivity[v * mesh.n_elements + e];
        means[node] += of_elements[e] * values[e];
        weights[node] += of_elements[e];
      }
  add_to_owners(MPI_COMM_WORLD, mesh, means);
  add_to_owners(MPI_COMM_WORLD, mesh, weights);
  for (const int n_threads : {1, 3, 70})
    {
      const std::vector<double> found = means_at_nodes(
        MPI_COMM_WORLD, mesh, values, [&](std::size_t e) { return of_elements[e]; }, n_threads);
      std::size_t n_other = 0;
      for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
        n_other += found[node] == means[node] / weights[node] ? 0 : 1;
      EXPECT_EQ(n_other, 0u) << n_threads;
    }
}

TEST_F(OutputResultFields, SeveralLoadCasesAreToldApart)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 1, box(2, 1, 1));
  const auto shear =
    problem.nodal_field([](double, double y, double, int c) { return c == 0 ? 0.01 * y : 0.; });
  const auto pull = problem.nodal_field([](double x, double y, double z, int c) {
    return c == 0 ? 0.02 * x : c == 1 ? -0.005 * y : -0.005 * z;
  });
  const std::vector<double> stiffness(problem.mesh.n_elements, 0.5);
  const auto file = written(problem,
                            stiffness,
                            {{"shear", shear}, {"pull up (1)", pull}, {"pull up [1]", shear}},
                            true);

  EXPECT_TRUE(file.has("displacement_shear"));
  EXPECT_TRUE(file.has("displacement_pull_up__1_"));
  EXPECT_TRUE(file.has("displacement_pull_up__1__2"));
  EXPECT_FALSE(file.has("displacement"));
  EXPECT_FALSE(file.has("nodal_force_shear")); // not asked for
  // E = 2, nu = 0.25: mu = 0.8. Shear: sqrt(3) mu gamma; free contraction: E eps.
  const auto of_shear = file.floats("von_mises_shear");
  const auto of_pull  = file.floats("von_mises_pull_up__1_");
  ASSERT_EQ(of_shear.size(), file.n_cells);
  ASSERT_EQ(of_pull.size(), file.n_cells);
  for (std::size_t i = 0; i < file.n_cells; ++i)
    {
      EXPECT_NEAR(of_shear[i], 0.5 * std::sqrt(3.) * 0.8 * 0.01, 1e-8);
      EXPECT_NEAR(of_pull[i], 0.5 * 2. * 0.02, 1e-8);
    }
  EXPECT_EQ(of_shear, file.floats("von_mises_pull_up__1__2"));
}

TEST_F(OutputResultFields, VonMisesOfALinearFieldIsExactOnDistortedElements)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 1, ball());
  // A rotation and a change of volume make none.
  const auto stressed = [&](const double shear) {
    const auto stiffness    = problem.element_field(linear_density);
    const auto displacement = problem.nodal_field([&](double x, double y, double z, int c) {
      const double u[3] = {x - 3 * y, 3 * x + y, z + shear * y};
      return u[c];
    });
    std::vector<double> stress;
    for (std::size_t e = 0; e < problem.mesh.n_elements; ++e)
      stress.push_back(
        von_mises_stress(problem.mesh, Material{2., 0.25}, stiffness[e], displacement, e));
    return stress;
  };
  const auto none = stressed(0.);
  const auto some = stressed(0.1);
  for (std::size_t e = 0; e < problem.mesh.n_elements; ++e)
    {
      const double factor = linear_density(problem.mesh.centre(e)[0],
                                           problem.mesh.centre(e)[1],
                                           problem.mesh.centre(e)[2]);
      EXPECT_NEAR(none[e], 0., 1e-12);
      EXPECT_NEAR(some[e], factor * std::sqrt(3.) * 0.8 * 0.1, 1e-12);
    }
}

/// The cells with a density of at least 0.5 that have a face which no other of them has.
std::set<std::size_t> outer_cells(const VtuFileContents &file)
{
  std::set<std::size_t> outer;
  for (const auto &[face, of_face] : cells_at_faces(file, 0.5f))
    if (of_face.size() == 1)
      outer.insert(of_face.front());
  return outer;
}

/// Compares the file of the surface with the cells and points of the complete file.
void OutputResultFields::expect_surface(const DistributedProblem &problem,
                                        const std::vector<double> &density) const
{
  const auto u                                               = problem.nodal_field(polynomial_at);
  const std::vector<ResultWriter::LoadCaseResult> load_cases = {{"a", u}};
  const auto all = written(problem, density, load_cases, true);
  MPI_Barrier(MPI_COMM_WORLD);
  const auto part = written(problem, density, load_cases, true, ResultFields::surface);
  MPI_Barrier(MPI_COMM_WORLD);

  const std::set<std::size_t> outer = outer_cells(all);
  ASSERT_GT(outer.size(), 0u);
  ASSERT_EQ(part.n_cells, outer.size());
  const auto all_centres = all.centres(), part_centres = part.centres();
  const auto all_cells    = all.cells();
  const auto all_stresses = all.floats("von_mises"), part_stresses = part.floats("von_mises");
  std::map<std::array<double, 3>, float> expected, found;
  std::set<std::int32_t> points;
  for (const std::size_t i : outer)
    {
      expected[all_centres[i]] = all_stresses[i];
      points.insert(all_cells[i].begin(), all_cells[i].end());
    }
  for (std::size_t i = 0; i < part_centres.size(); ++i)
    found[part_centres[i]] = part_stresses[i];
  EXPECT_EQ(found, expected);
  EXPECT_EQ(part.n_points, points.size());
  const auto places = part.floats("Points"), displacements = part.floats("displacement");
  for (std::size_t i = 0; i < displacements.size(); ++i)
    EXPECT_NEAR(displacements[i],
                polynomial_at(places[i - i % 3],
                              places[i - i % 3 + 1],
                              places[i - i % 3 + 2],
                              static_cast<int>(i % 3)),
                1e-5);
  EXPECT_TRUE(part.has("surface_alone"));
  EXPECT_FALSE(part.has("density_at_nodes"));
}

// Random designs and one without holes, on boxes and on a ball, of any number of ranks.
TEST_F(OutputResultFields, OfTheSurfaceAreThoseOfItsCells)
{
  const DistributedProblem cubes(MPI_COMM_WORLD, 2, box(2, 1, 1)), round(MPI_COMM_WORLD, 1, ball());
  for (const DistributedProblem *const problem : {&cubes, &round})
    for (const double share : {0.7, 1.})
      expect_surface(*problem, problem->element_field([&](double x, double y, double z) {
        return noise(x, y, z) < share ? 0.75 : 0.25;
      }));
}

// One element and two, too few for three ranks; and void on one side, with ranks that have only
// void.
TEST_F(OutputResultFields, OfTheSurfaceAreThoseBesideVoidAndOfRanksWithElements)
{
  DistributedProblem one(MPI_COMM_WORLD, 0, box(1, 1, 1)), two(MPI_COMM_WORLD, 0, box(2, 1, 1)),
    cubes(MPI_COMM_WORLD, 2, box(3, 1, 1));
  expect_surface(one, one.element_field([](double, double, double) { return 1.; }));
  for (DistributedProblem *const problem : {&two, &cubes})
    for (const double end : {1., 1.5, 2.}) // ends of the void
      {
        const auto density = problem->element_field([&](double x, double y, double z) {
          return x < end ? 0. : problem == &cubes && noise(x, y, z) < 0.2 ? 0.25 : 1.;
        });
        for (std::size_t e = 0; e < density.size(); ++e)
          problem->mesh.flags[e] = density[e] == 0. ? DesignFlag::empty : DesignFlag::design;
        if (problem == &cubes || end < 1.5)
          expect_surface(*problem, density);
      }
}

TEST_F(OutputResultFields, WithoutMaterialThereIsNoSurface)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 1, box(2, 1, 1));
  const auto density = problem.element_field([](double, double, double) { return 0.3; });
  const auto file    = written(problem, density, {}, false, ResultFields::surface);
  EXPECT_EQ(file.n_cells, 0u);
  EXPECT_EQ(file.n_points, 0u);
}

TEST_F(OutputResultFields, DensitiesAloneAreWithinTheirSteps)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 1, ball());
  const auto density = problem.element_field(linear_density);
  const auto all     = written(problem, density, {});
  MPI_Barrier(MPI_COMM_WORLD);
  const auto file = written(problem, density, {}, false, ResultFields::density);
  EXPECT_EQ(file.n_cells, all.n_cells);
  EXPECT_EQ(file.cells(), all.cells());
  EXPECT_EQ(file.codes("design_flag"), all.codes("design_flag"));
  const auto exact = all.floats("density"), rounded = file.floats("density");
  ASSERT_EQ(rounded.size(), exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i)
    {
      EXPECT_NEAR(rounded[i], exact[i], 0.5 / 4096. + 1e-7);
      EXPECT_EQ(4096.f * rounded[i], std::round(4096.f * rounded[i]));
    }
  EXPECT_TRUE(file.has("density_steps"));
  EXPECT_FALSE(all.has("density_steps"));
  EXPECT_EQ(read_result(folder + "/design-0007.vtu", 1).rounding, 1. / 8192.);
  for (const char *const name : {"displacement", "density_at_nodes", "support", "material_id"})
    EXPECT_FALSE(file.has(name)) << name;
}
} // namespace
} // namespace strut
