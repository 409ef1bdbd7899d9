// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Springs to the ground, such as the load of a mechanism.
#include "../fixtures/backends.h"
#include "../fixtures/function_of_design.h"

namespace strut::test
{
namespace
{
/// Adds springs of equal stiffness along x on the nodes at x = xmax, `whole` in total.
void add_springs(BoxMesh &box, const double whole)
{
  ElementMesh &mesh = box.mesh;
  std::vector<LocalIndex> nodes;
  const double end =
    *std::max_element(mesh.coordinates.begin(),
                      mesh.coordinates.begin() + static_cast<std::ptrdiff_t>(mesh.n_nodes));
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    if (mesh.coordinates[node] > end - 1e-9)
      nodes.push_back(static_cast<LocalIndex>(node));
  for (const LocalIndex node : nodes)
    {
      mesh.spring_dofs.push_back(3 * node);
      mesh.spring_stiffness.push_back(whole / static_cast<double>(nodes.size()));
    }
}

using SpringsTest = PlaceTest;

// A bar, and a spring beside it: u = F / (E A / L + k), by either preconditioner in any precision.
TEST_P(SpringsTest, StandBesideABar)
{
  BoxMesh box        = held_box(BoxOptions::unit_cubes({{8, 1, 1}}));
  constexpr double k = 0.4, F = 3.;
  add_springs(box, k);
  std::vector<double> forces(box.mesh.n_dofs(), 0.);
  for (const LocalIndex dof : box.mesh.spring_dofs)
    forces[dof] = F / 4.;
  for (const Precision precision : {Precision::fp64, Precision::fp32})
    {
      StateSettings settings;
      settings.precision         = precision;
      settings.control.tolerance = precision == Precision::fp64 ? 1e-12 : 1e-6;
      const auto state =
        make_state_solver(execution(), {box.mesh, {2., 0.}}, {{"pull", 1., forces}}, settings);
      state->set_stiffness(Array<double>(memory(), std::vector<double>(box.mesh.n_elements, 0.5)));
      state->solve(0);
      const double expected = F / (0.5 * 2. / 8. + k);
      const auto u          = state->displacement(0);
      const double most     = precision == Precision::fp64 ? 1e-10 : 1e-4;
      for (const LocalIndex dof : box.mesh.spring_dofs)
        EXPECT_NEAR(u[dof], expected, most * expected);
      EXPECT_NEAR(state->work_of_springs(0),
                  k * expected * expected,
                  most * k * expected * expected);
      EXPECT_NEAR(state->work_of_loads(0), F * expected, most * F * expected);
    }
}

// With springs, too, the gradients of all responses equal differences, and the compliance is the
// work of the loads.
TEST_P(SpringsTest, GradientsHold)
{
  BoxMesh box = held_box(BoxOptions::wild({{4, 3, 2}}, 5));
  auto random = random_vector(box.mesh.n_dofs(), 8, 0., 3.);
  for (std::size_t dof = 0; dof < box.mesh.n_dofs(); dof += 7)
    {
      box.mesh.spring_dofs.push_back(static_cast<LocalIndex>(dof));
      box.mesh.spring_stiffness.push_back(random[dof]);
    }
  for (const std::string name : {"compliance", "displacement", "von mises"})
    {
      SCOPED_TRACE(name);
      const auto response = make_response(name, {backend(), Communicator(), box.mesh});
      expect_gradient_equals_differences(backend(),
                                         box,
                                         {{"down", 0.5, edge_load(box)},
                                          {"random", 2., random_vector(box.mesh.n_dofs(), 1)}},
                                         {3., 1e-3},
                                         *response);
    }
}

INSTANTIATE_TEST_SUITE_P(Core, SpringsTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
