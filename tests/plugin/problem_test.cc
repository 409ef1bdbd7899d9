// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Regions, supports and loads of the structure are those of the deck, on any number of ranks.
#include "source/solvers/multigrid/background.h"
#include "tests/plugin/problem_fixture.h"

#include <deal.II/base/numbers.h>

#include <deal.II/grid/grid_tools.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace strut;
using dealii::numbers::PI;

namespace
{
const std::string tube = tube_deck(1, 12, 2);
const std::string rod  = rod_deck(1);
} // namespace

TEST_F(ProblemTest, ForcePerNodeCountsTheNodes)
{
  // right face: 4 x 3 nodes; its lower edge: 4
  expect_forces(beam,
                {{"set Boundary ids = 1", "force per node", "1, 2, -3", {{12., 24., -36.}}},
                 {"set Boundary ids = 1\nset Expression = z < tol",
                  "force per node",
                  "0, 0, -1",
                  {{0., 0., -4.}}}});
}

TEST_F(ProblemTest, TotalForceIsTheValueOnFacesEdgesAndPoints)
{
  for (const char *const region : {"set Boundary ids = 1",
                                   "set Boundary ids = 1, 3, 5",
                                   "set Expression = x > xmax - tol && z < zmin + tol",
                                   "set Expression = abs(x - 2) + abs(y - 1) + abs(z - 1) < tol"})
    expect_forces(beam, {{region, "total force", "0.5, -1, 3", {{0.5, -1., 3.}}}});
  expect_forces(tube, {{"set Boundary ids = 1", "total force", "0.5, -1, 3", {{0.5, -1., 3.}}}});
}

TEST_F(ProblemTest, TractionActsOnTheAreaAtItsCentroid)
{
  const Problem &problem = setup(beam + load("set Boundary ids = 1", "traction", "0, 0, -2"));
  expect_force(total_force(problem), {{0., 0., -12.}});
  // the resultant passes through the centre of the face, (4, 1.5, 1)
  expect_force(moment_of(problem, 2), {{-48., -18., -12.}});
}

TEST_F(ProblemTest, TractionOnACurvedSurfaceActsOnTheAreaOfItsFacets)
{
  // 12 chords of the circle of radius 2, length 2
  const double area = 12. * 2. * 2. * std::sin(PI / 12.) * 2.;
  expect_forces(tube,
                {{"set Boundary ids = 1", "traction", "1, 2, 3", {{area, 2. * area, 3. * area}}}});
}

TEST_F(ProblemTest, PressureActsAgainstTheOutwardNormal)
{
  expect_forces(beam,
                {{"set Boundary ids = 1", "pressure", "2, 0, 0", {{-12., 0., 0.}}},
                 {"set Boundary ids = 2", "pressure", "2, 0, 0", {{0., 16., 0.}}}});
}

TEST_F(ProblemTest, PressureOnAClosedSurfaceHasNoResultant)
{
  for (const std::string &mesh : {beam, tube, rod})
    {
      const Problem &problem =
        setup(mesh + load("set Expression = x > xmin - 1", "pressure", "1, 0, 0"));
      double area = 0.;
      for (const auto &[id, part] : problem.summary().boundary_ids)
        area += part.measure;
      for (const double component : total_force(problem))
        EXPECT_NEAR(component, 0., 1e-14 * area);
      EXPECT_GT(n_nodes_with_force(problem), 0.);
    }
  // a bore by itself is closed too, along the plate
  for (const double component :
       total_force(setup(tube + load("set Boundary ids = 0", "pressure", "1, 0, 0"))))
    EXPECT_NEAR(component, 0., 1e-13);
}

TEST_F(ProblemTest, BodyForceIsTheVolumeTimesTheValue)
{
  const Problem &problem =
    setup(beam + load("set Expression = x > xmin - 1", "body force", "0, -3, 0"));
  expect_force(total_force(problem), {{0., -72., 0.}});
  // with the force at the centre (2, 1.5, 1)
  expect_force(moment_of(problem, 1), {{-144., -108., -72.}});
}

// Self weight is no force yet, but one per volume of each element.
TEST_F(ProblemTest, SelfWeightIsAForcePerVolumeOfItsElements)
{
  const Problem &problem =
    setup(beam + wall + load("set Expression = x > xmin - 1", "self weight", "0, -3, 0"));
  expect_force(total_force(problem), {{0., 0., 0.}});
  const LoadCase &load_case = problem.load_cases().front();
  EXPECT_TRUE(load_case.has_weight);
  const ElementMesh &mesh = problem.mesh();
  ASSERT_EQ(load_case.weights.size(), 3 * mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_EQ(load_case.weights[c * mesh.n_elements + e], c == 1 ? -3. : 0.);
  EXPECT_NO_THROW(problem.check_well_posed());
  EXPECT_FALSE(setup(beam + load("set Expression = x > xmin - 1", "body force", "0, -3, 0"))
                 .load_cases()
                 .front()
                 .has_weight);
}

TEST_F(ProblemTest, MaterialIdsSelectTheirElements)
{
  const Problem &ring =
    setup(rod + load("set Material ids = 1", "body force", "0, 1, 0") +
          section("Non-design regions / ring", "set Material ids = 1\nset Density = solid"));
  const MeshSummary::Part part = ring.summary().material_ids.at(1);
  EXPECT_NEAR(total_force(ring)[1], part.measure, 1e-12 * part.measure);
  EXPECT_EQ(n_flagged(ring, DesignFlag::solid), part.count);

  // material and expression: the part of the ring above the bore
  const Problem &half =
    setup(rod + load("set Material ids = 1\nset Expression = x > 0", "body force", "0, 1, 0"));
  EXPECT_NEAR(total_force(half)[1], part.measure / 2., 1e-12 * part.measure);
}

// Meshes have two materials, or are refined.
TEST_F(ProblemTest, SummaryIsThatOfASimpleLoop)
{
  const Communicator world(MPI_COMM_WORLD);
  for (const std::string &deck : {rod, beam})
    {
      const Problem &problem =
        setup(deck + load("set Expression = x > xmin - 1", "body force", "0, 1, 0"));
      const ElementMesh &mesh    = problem.mesh();
      const MeshSummary &summary = problem.summary();
      constexpr double most      = std::numeric_limits<double>::max();
      double shortest = most, longest = 0., smallest = most, volume = 0.;
      std::array<double, 3> lower{{most, most, most}}, upper{{-most, -most, -most}};
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        {
          const auto x = [&](const std::size_t d, const std::size_t v) {
            return mesh.coordinates[d * mesh.n_nodes + mesh.connectivity[v * mesh.n_elements + e]];
          };
          for (std::size_t v = 0; v < 8; ++v)
            for (std::size_t d = 0; d < 3; ++d)
              {
                const std::size_t w = v ^ std::size_t(1) << d;
                const double edge =
                  std::hypot(x(0, v) - x(0, w), x(1, v) - x(1, w), x(2, v) - x(2, w));
                shortest = std::min(shortest, edge);
                longest  = std::max(longest, edge);
                lower[d] = std::min(lower[d], x(d, v));
                upper[d] = std::max(upper[d], x(d, v));
              }
          smallest = std::min(smallest, mesh.volumes[e]);
          volume += mesh.volumes[e];
        }
      shortest = -world.max(-shortest);
      longest  = world.max(longest);
      smallest = -world.max(-smallest);
      volume   = world.sum(volume);
      EXPECT_NEAR(summary.shortest_edge, shortest, 1e-14 * shortest);
      EXPECT_NEAR(summary.longest_edge, longest, 1e-14 * longest);
      EXPECT_NEAR(summary.smallest_cell, std::cbrt(smallest), 1e-12 * std::cbrt(smallest));
      EXPECT_NEAR(summary.whole_mesh.measure, volume, 1e-12 * volume);
      EXPECT_EQ(summary.n_cells, world.sum(mesh.n_elements));
      for (unsigned int d = 0; d < 3; ++d)
        {
          EXPECT_EQ(summary.box.get_boundary_points().first[d], -world.max(-lower[d]));
          EXPECT_EQ(summary.box.get_boundary_points().second[d], world.max(upper[d]));
        }
      std::uint64_t n_cells = 0;
      double of_materials   = 0.;
      for (const auto &[id, part] : summary.material_ids)
        {
          n_cells += part.count;
          of_materials += part.measure;
        }
      EXPECT_EQ(n_cells, summary.n_cells);
      EXPECT_NEAR(of_materials, volume, 1e-12 * volume);
    }
}

// Decks compare coordinates with h. A value from another element may be a bit larger, and select
// another layer of nodes.
TEST_F(ProblemTest, SmallestCellHasTheBitsOfASimpleLoop)
{
  for (const char *const box : {"set Elements = 7,7,7\nset Size = 1,1,1",
                                "set Elements = 24,3,3\nset Size = 100,12,12",
                                "set Elements = 40,20,10\nset Size = 0.7,0.7,0.7"})
    {
      const Problem &problem =
        setup(section("Mesh / Box", box) +
              load("set Expression = x > xmin - 1", "body force", "0, 1, 0"));
      const DeckMesh &mesh = problem.deck_mesh();
      double smallest      = std::numeric_limits<double>::max();
      std::vector<dealii::Point<3>> vertices(8);
      const std::vector<unsigned int> all = {0, 1, 2, 3, 4, 5, 6, 7};
      for (std::size_t e = 0; e < mesh.elements.n_elements; ++e)
        {
          for (unsigned int v = 0; v < 8; ++v)
            vertices[v] = mesh.vertex(e, v);
          smallest =
            std::min(smallest,
                     dealii::GridTools::cell_measure<3>(vertices, dealii::make_array_view(all)));
        }
      smallest = -Communicator(MPI_COMM_WORLD).max(-smallest);
      EXPECT_EQ(problem.summary().smallest_cell, std::cbrt(smallest)) << box;
    }
}

TEST_F(ProblemTest, BoxAndPipeHaveOneMaterial)
{
  for (const std::string &mesh : {beam, tube})
    {
      const auto &materials = setup(mesh).summary().material_ids;
      ASSERT_EQ(materials.size(), 1u);
      EXPECT_EQ(materials.begin()->first, 0u);
    }
}

TEST_F(ProblemTest, RegionsOfOtherDensitiesMayNotOverlap)
{
  EXPECT_THROW(setup(beam + section("Non-design regions / block", "set Expression = x < 2") +
                     section("Non-design regions / hole",
                             "set Expression = x < 1\nset Density = void")),
               EntryError);
  const Problem &problem =
    setup(beam + section("Non-design regions / block", "set Expression = x > 1 && x < 2") +
          section("Non-design regions / hole", "set Expression = x < 1\nset Density = void"));
  EXPECT_EQ(n_flagged(problem, DesignFlag::design), 12u);
  EXPECT_EQ(n_flagged(problem, DesignFlag::solid), 6u);
  EXPECT_EQ(n_flagged(problem, DesignFlag::empty), 6u);
}

TEST_F(ProblemTest, PressureHasNoDirection)
{
  EXPECT_THROW(setup(beam + load("set Boundary ids = 1", "pressure", "2, 7, 0")), EntryError);
}

TEST_F(ProblemTest, SupportsPrescribeTheirComponentsInTheOrderOfTheDeck)
{
  const Problem &problem = setup(
    beam + section("Supports / clamp",
                   "set Boundary ids = 0\nset Components = z, x\nset Displacement = 0.5, -2"));
  const ElementMesh &mesh = problem.mesh();
  for (std::size_t k = 0; k < mesh.constrained_dofs.size(); ++k)
    {
      const LocalIndex dof = mesh.constrained_dofs[k];
      EXPECT_NEAR(mesh.coordinates[dof / 3], 0., 1e-14);
      ASSERT_NE(dof % 3, 1u);
      EXPECT_EQ(mesh.constrained_values[k], dof % 3 == 2 ? 0.5 : -2.);
    }
  EXPECT_EQ(n_prescribed(problem), 2. * 12.);
}

TEST_F(ProblemTest, ConstraintsOfGhostsAreThoseOfTheirOwners)
{
  const ElementMesh &mesh = setup(beam + wall).mesh();
  std::vector<bool> held(mesh.n_dofs(), false);
  for (const LocalIndex dof : mesh.constrained_dofs)
    held[dof] = true;
  for (std::size_t i = 0; i < mesh.n_dofs(); ++i)
    EXPECT_EQ(held[i], mesh.coordinates[i / 3] < 1e-12) << "DoF " << i;
}

TEST_F(ProblemTest, OverlappingSupportsMustAgree)
{
  const std::string bottom = "set Boundary ids = 4\nset Components = z\nset Displacement = ";
  EXPECT_EQ(n_prescribed(setup(beam + wall + section("Supports / bottom", bottom + "0"))),
            36. + 20. - 4.);
  const std::string text = complaint(beam + wall + section("Supports / bottom", bottom + "0.25"));
  EXPECT_CONTAINS(text, "Support 'wall' and Support 'bottom'");
  EXPECT_CONTAINS(text, "0 and 0.25 along z at (0 ");
  EXPECT_CONTAINS(text, "test.prm:");

  const std::string plane = complaint(beam + section("Supports / bottom", bottom + "0.25") +
                                      section("Symmetry", "set Planes = z = zmin"));
  EXPECT_CONTAINS(plane, "Support 'bottom' and symmetry plane z = zmin");
}

// The patch test with supports alone: a bar pulled by eps along x is strained by -nu eps across.
TEST_F(ProblemTest, PrescribedDisplacementsStrainABarUniformly)
{
  const double eps = 0.01;
  const Problem &problem =
    setup(tube + section("Symmetry", "set Planes = z = zmin") +
          section("Supports / pull",
                  "set Boundary ids = 3\nset Components = z\nset Displacement = " +
                    std::to_string(2 * eps)) +
          // on the axes of the section, transverse motion is along them
          section("Supports / x axis", "set Expression = abs(y) < tol\nset Components = y") +
          section("Supports / y axis", "set Expression = abs(x) < tol\nset Components = x"));
  problem.check_well_posed();
  SolidState state(problem, 1e-13);
  state.solver->solve(0);
  const std::vector<double> u = state.solver->displacement(0);
  const ElementMesh &mesh     = problem.mesh();
  for (std::size_t n = 0; n < mesh.n_nodes; ++n)
    {
      const double *x = mesh.coordinates.data() + n;
      EXPECT_NEAR(u[3 * n], -0.3 * eps * x[0], 1e-12);
      EXPECT_NEAR(u[3 * n + 1], -0.3 * eps * x[mesh.n_nodes], 1e-12);
      EXPECT_NEAR(u[3 * n + 2], eps * x[2 * mesh.n_nodes], 1e-12);
    }
}

TEST_F(ProblemTest, HalfAModelWithItsPlaneOfSymmetryHasHalfTheCompliance)
{
  const auto cantilever = [&](const unsigned int width, const std::string &force) {
    return box_deck(6, width, 3) + wall + load("set Boundary ids = 1", "total force", force);
  };
  const double full = compliance(setup(cantilever(4, "1, 0, -1")));
  for (const std::string plane : {"y = ymax", "y = 2", "y = ymin"})
    {
      const double half = compliance(
        setup(cantilever(2, "0.5, 0, -0.5") + section("Symmetry", "set Planes = " + plane)));
      EXPECT_NEAR(half, full / 2., 1e-8 * full) << plane;
    }
  // a quarter, under tension
  const double tension = compliance(
    setup(box_deck(6, 4, 4) + wall + load("set Boundary ids = 1", "traction", "1, 0, 0")));
  const double quarter = compliance(setup(box_deck(6, 2, 2) + wall +
                                          load("set Boundary ids = 1", "traction", "1, 0, 0") +
                                          section("Symmetry", "set Planes = y = ymin, z = zmax")));
  EXPECT_NEAR(quarter, tension / 4., 1e-8 * tension);
}

TEST_F(ProblemTest, LoadCasesHaveTheirLoadsAndWeights)
{
  const auto named = [](const std::string &name, const std::string &value, const std::string &c) {
    return section("Loads / " + name,
                   "set Boundary ids = 1\nset Type = total force\nset Value = " + value +
                     "\nset Load case = " + c);
  };
  const Problem &problem =
    setup(beam + wall + named("a", "1, 0, 0", "pull") + named("b", "0, 0, -1", "bend") +
          named("c", "2, 0, 0", "pull") + section("Load cases", "set Weights = bend: 0.25"));
  ASSERT_EQ(problem.load_cases().size(), 2u);
  EXPECT_EQ(problem.load_cases()[0].name, "pull");
  EXPECT_EQ(problem.load_cases()[0].weight, 1.);
  EXPECT_EQ(problem.load_cases()[1].name, "bend");
  EXPECT_EQ(problem.load_cases()[1].weight, 0.25);
  expect_force(total_force(problem, 0), {{3., 0., 0.}});
  expect_force(total_force(problem, 1), {{0., 0., -1.}});
}

TEST_F(ProblemTest, EveryLoadCaseMustActOnTheStructure)
{
  const std::string idle = section("Loads / idle",
                                   "set Boundary ids = 0\nset Type = traction\n"
                                   "set Value = 1, 0, 0\nset Load case = other");
  const std::string text =
    complaint(beam + wall + load("set Boundary ids = 1", "traction", "1, 0, 0") + idle);
  EXPECT_CONTAINS(text, "Loads / idle");
  EXPECT_CONTAINS(text, "supported nodes only");
}

// Three supported points, each in the components that leave nothing free, are enough.
TEST_F(ProblemTest, StaticallyDeterminateSupportsAreAccepted)
{
  const std::string corner = "set Expression = x < tol && y < tol && z < tol";
  const std::string edge   = "set Expression = x > xmax - tol && y < tol && z < tol";
  const std::string third  = "set Expression = x < tol && y > ymax - tol && z < tol";
  const std::string pull   = load("set Boundary ids = 1", "traction", "1, 0, 0");
  const std::string held   = beam + section("Supports / corner", corner) +
                           section("Supports / edge", edge + "\nset Components = y, z");
  EXPECT_EQ(complaint(held + section("Supports / third", third + "\nset Components = z") + pull),
            "");
  const std::string text = complaint(held + pull);
  EXPECT_CONTAINS(text, "rotation about an axis along x");
}

TEST_F(ProblemTest, HasAHierarchyIfAskedAndRefined)
{
  const std::string pull = load("set Boundary ids = 1", "traction", "1, 0, 0");
  const auto counts      = [](const Problem &problem) {
    std::vector<std::size_t> counts;
    for (const CoarseLevel &level : problem.hierarchy())
      counts.push_back(Communicator(MPI_COMM_WORLD).sum(level.mesh.n_elements));
    return counts;
  };
  using Counts = std::vector<std::size_t>;
  EXPECT_EQ(counts(setup(box_deck(8, 4, 4) + wall + pull, true)), Counts({16, 2}));
  EXPECT_EQ(counts(setup(box_deck(8, 4, 4) + wall + pull)), Counts());
  // a flat one has background cells
  EXPECT_EQ(counts(setup(box_deck(3, 2, 2) + wall + pull, true)), Counts({2, 1}));

  // a flat file, refined
  const std::string file =
    file_deck(STRUT_SOURCE_DIR "/prm/meshes/connecting-rod.msh", "set Refinements = 1");
  const Problem &rod =
    setup(file + section("Supports / bore", "set Boundary ids = 4") + pull, true);
  // one refinement, and background cells behind a coarsest mesh that is worth them
  ASSERT_EQ(first_background_level(rod.hierarchy()), 1u);
  EXPECT_GT(rod.hierarchy().size(), 1u);
  const Communicator communicator(MPI_COMM_WORLD);
  const ElementMesh &coarse = rod.hierarchy()[0].mesh;
  EXPECT_EQ(8 * communicator.sum(coarse.n_elements), communicator.sum(rod.mesh().n_elements));
  EXPECT_TRUE(communicator.any(!coarse.constrained_dofs.empty()));
}
