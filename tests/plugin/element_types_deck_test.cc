// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Decks of elements of every type: their forces, by the values of another program.
#include "tests/fixtures/arm.h"
#include "tests/fixtures/solve.h"
#include "tests/plugin/problem_fixture.h"

#include <strut/backend/backend.h>
#include <strut/solvers/elasticity_operator.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "source/mesh/faces.h"
#include "source/solvers/krylov/jacobi.h"

namespace strut
{
namespace
{
using test::Arm;

/// Compliances of the arm under the force at its end, under pressure on its top, and under its
/// weight: ten digits.
struct ArmLoads
{
  const char *type;
  double force, pressure, weight;
};

void PrintTo(const ArmLoads &loads, std::ostream *out)
{
  *out << loads.type;
}

/// Text of a Gmsh file with the elements of an arm, and its faces on the end (1) and on the top
/// (2).
template <typename Element>
std::string gmsh_file(const Arm &arm)
{
  const ElementMesh &mesh = arm.mesh;
  std::ostringstream nodes, elements;
  nodes.precision(17);
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    {
      nodes << node + 1;
      for (std::size_t d = 0; d < 3; ++d)
        nodes << ' ' << mesh.coordinates[d * mesh.n_nodes + node];
      nodes << '\n';
    }
  std::size_t n          = 0;
  const auto is_on_plane = [&](const LocalIndex node, const std::size_t d) {
    return arm.lattice[node][d] == 2 * arm.n_cells[d];
  };
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      elements << ++n << ' ' << Element::gmsh_type << " 2 1 1";
      for (int k = 0; k < Element::n_nodes; ++k)
        elements << ' ' << mesh.node(e, static_cast<std::size_t>(Element::gmsh_node(k))) + 1;
      elements << '\n';
      for (unsigned int f = 0; f < n_faces(mesh.type); ++f)
        for (const std::size_t d : {0u, 2u})
          {
            std::vector<LocalIndex> corners;
            if (Element::n_vertices == 4)
              for (const unsigned int v : around_triangle[f])
                corners.push_back(mesh.node(e, v));
            else
              for (const unsigned int v : around_face[f])
                corners.push_back(mesh.node(e, v));
            if (!std::all_of(corners.begin(), corners.end(), [&](const LocalIndex node) {
                  return is_on_plane(node, d);
                }))
              continue;
            const int id = d == 0 ? 1 : 2;
            elements << ++n << (Element::n_vertices == 4 ? " 2 2 " : " 3 2 ") << id << ' ' << id;
            for (const LocalIndex node : corners)
              elements << ' ' << node + 1;
            elements << '\n';
          }
    }
  std::ostringstream text;
  text << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n"
       << mesh.n_nodes << '\n'
       << nodes.str() << "$EndNodes\n$Elements\n"
       << n << '\n'
       << elements.str() << "$EndElements\n";
  return text.str();
}

class ElementTypesDeck : public ProblemTest, public ::testing::WithParamInterface<ArmLoads>
{
protected:
  void SetUp() override
  {
    ProblemTest::SetUp();
    for (const ElementType &type : element_types())
      if (std::string(type.name) == GetParam().type)
        with_element(type, [&](const auto element) {
          write("arm.msh", gmsh_file<std::decay_t<decltype(element)>>(Arm(type)));
        });
  }

  /// The compliance of the solid under a load.
  double compliance(const std::string &of_load)
  {
    Problem &problem = setup(file_deck("arm.msh") +
                             section("Supports / wall", "set Expression = x < 1e-9") + of_load);
    EXPECT_STREQ(problem.mesh().type.name, GetParam().type);
    const auto backend = make_cpu_backend(1);
    ElasticityOperator<double> K(
      *backend, Communicator(), problem.mesh(), problem.material(), "ebe");
    JacobiPreconditioner<double> M(*backend);
    const NodalForces &forces = problem.load_cases().at(0).forces;
    std::vector<double> load(problem.mesh().n_dofs(), 0.);
    for (std::size_t i = 0; i < load.size(); ++i)
      load[i] = forces[i];
    std::vector<double> free = load;
    for (const LocalIndex dof : problem.mesh().constrained_dofs)
      free[dof] = 0.;
    const test::Solution solution =
      test::solve_from_zero(*backend,
                            K,
                            M,
                            std::vector<double>(problem.mesh().n_elements, 1.),
                            free,
                            test::to_tolerance(1e-11, 5000));
    EXPECT_TRUE(solution.report.converged);
    double sum = 0.;
    for (std::size_t i = 0; i < load.size(); ++i)
      sum += load[i] * solution.u[i];
    return sum;
  }
};

TEST_P(ElementTypesDeck, ForcesAreThoseOfAnotherProgram)
{
  const auto near = [](const double found, const double expected) {
    EXPECT_NEAR(found, expected, 1e-8 * expected);
  };
  near(compliance(load("set Boundary ids = 1", "total force", "0, 0, -1")), GetParam().force);
  near(compliance(load("set Boundary ids = 2", "pressure", "1, 0, 0")), GetParam().pressure);
  near(compliance(load("set Expression = everywhere", "body force", "0, 0, -1")),
       GetParam().weight);
}

INSTANTIATE_TEST_SUITE_P(
  ,
  ElementTypesDeck,
  ::testing::Values(ArmLoads{"tet4", 9.068271631, 40.58558822, 153.0563935},
                    ArmLoads{"tet10", 11.46529682, 50.81375053, 187.2987739},
                    ArmLoads{"hex8", 10.74262427, 47.55447547, 176.1012902},
                    ArmLoads{"hex20", 11.49239913, 50.94744164, 187.5172784},
                    ArmLoads{"hex27", 11.57146846, 51.59364754, 189.4442747}),
  [](const auto &info) { return std::string(info.param.type); });

/// The types of generated meshes.
const std::vector<std::string> generated_types = {"hex8", "hex20", "hex27", "tet4", "tet10"};

std::string mesh_of(const std::string &type, const std::string &rest)
{
  return section("Mesh", "set Element type = " + type + "\n" + rest);
}

double volume_of(const Problem &problem)
{
  const std::vector<double> &volumes = problem.mesh().volumes;
  return std::accumulate(volumes.begin(), volumes.end(), 0.);
}

using GeneratedMeshes = ProblemTest;

TEST_F(GeneratedMeshes, FillTheBoxWithElementsOfOneSize)
{
  // Nodes and elements of 4 x 2 x 2 cells: vertices, lines, faces and cells of the lattice, and one
  // diagonal of each face and each cell.
  constexpr std::size_t vertices = 5 * 3 * 3, cells = 4 * 2 * 2,
                        lines = 4 * 3 * 3 + 2 * (5 * 2 * 3), faces = 5 * 2 * 2 + 2 * (4 * 3 * 2);
  const std::map<std::string, std::pair<std::size_t, std::size_t>> counts = {
    {"hex8", {vertices, cells}},
    {"hex20", {vertices + lines, cells}},
    {"hex27", {vertices + lines + faces + cells, cells}},
    {"tet4", {vertices, 6 * cells}},
    {"tet10", {vertices + lines + faces + cells, 6 * cells}}};
  for (const std::string &type : generated_types)
    {
      SCOPED_TRACE(type);
      const std::string box =
        mesh_of(type, "subsection Box\n set Size = 3, 1.5, 2\n set Elements = 4, 2, 2\nend");
      expect_forces(box,
                    {{"set Boundary ids = 5", "pressure", "1, 0, 0", {{0., 0., -4.5}}},
                     {"set Boundary ids = 1", "total force", "1, 2, 3", {{1., 2., 3.}}},
                     {"set Boundary ids = 2", "pressure", "1, 0, 0", {{0., 6., 0.}}}});
      const ElementMesh &mesh = setup(box).mesh();
      EXPECT_STREQ(mesh.type.name, type.c_str());
      EXPECT_EQ(mesh.n_nodes, counts.at(type).first);
      ASSERT_EQ(mesh.n_elements, counts.at(type).second);
      for (const double volume : mesh.volumes)
        EXPECT_NEAR(volume, 9. / static_cast<double>(mesh.n_elements), 1e-14);
    }
}

TEST_F(GeneratedMeshes, HaveTheVolumeOfTheHexahedra)
{
  const std::map<std::string, std::string> sources = {
    {"l beam", "subsection L beam\n set Cells per fifth = 2\n set Layers = 2\nend"},
    {"michell",
     "subsection Michell\n set Elements along arc = 16\n set Elements from arc = 4\n "
     "set Elements to far side = 6\n set Layers = 2\nend"},
    {"connecting rod",
     "subsection Connecting rod\n set Elements across = 8\n set Elements upper ring = 1\n set "
     "Elements upper field = 3\n set Elements lower ring = 1\n set Elements lower field = 3\n set "
     "Elements between = 3\n set Layers = 1\nend"},
    {"hollow cylinder",
     "subsection Hollow cylinder\n set Elements radial = 2\n set Elements "
     "circumferential = 12\n set Elements axial = 4\nend"}};
  for (const auto &[source, entries] : sources)
    for (const std::string extra : {"", "set Additional refinements = 1\n"})
      {
        double expected = 0.;
        for (const std::string &type : generated_types)
          {
            SCOPED_TRACE(source + " " + extra + type);
            Problem &problem =
              setup(mesh_of(type, "set Type = " + source + "\n" + extra + entries) +
                    load("set Expression = everywhere", "body force", "0, 0, -1"));
            const double found = volume_of(problem);
            if (expected == 0.)
              expected = found;
            EXPECT_NEAR(found, expected, 1e-12 * expected);
            EXPECT_NEAR(total_force(problem)[2], -expected, 1e-12 * expected);
          }
      }
}

TEST_F(GeneratedMeshes, AreNotAskedOfAFile)
{
  write("arm.msh", gmsh_file<Tet4>(Arm(type_of<Tet4>())));
  for (const std::string &type : generated_types)
    {
      const std::string text = complaint(file_deck("arm.msh") + mesh_of(type, ""));
      EXPECT_NE(text.find("A mesh file says the type of its elements itself"), std::string::npos)
        << text;
    }
}
} // namespace
} // namespace strut
