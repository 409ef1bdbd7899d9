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
#include <sstream>
#include <string>
#include <type_traits>
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
    return arm.lattice[node][d] == 2 * Arm::n_cells[d];
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
} // namespace
} // namespace strut
