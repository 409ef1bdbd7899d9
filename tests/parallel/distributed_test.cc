// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/dense_reference.h"
#include "../fixtures/design_problem.h"
#include "../fixtures/ranks_test.h"
#include "source/mesh/rigid_motions.h"

#include <strut/optimization/gradient_check.h>
#include <strut/solvers/elasticity_operator.h>

namespace strut::test
{
namespace
{
/// Compares a problem on all ranks together with the same problem on one rank.
class DistributedTest : public RanksTest
{
protected:
  /// Expects the history and the design of one rank on all ranks. Returns that design.
  std::vector<double> expect_serial_optimization(const SmallCantilever &cantilever)
  {
    DesignProblem serial(backend(), cantilever.box.mesh, cantilever.loads, cantilever.options);
    const auto expected = serial.run(8);
    const auto design   = serial.simp().analysed_densities();
    with_parts(cantilever.box, [&](const Part &part) {
      DesignProblem problem(
        backend(), part.mesh, part.of_loads(cantilever.loads), cantilever.options, world_);
      EXPECT_LE(relative_difference(problem.run(8), expected), 1e-10);
      EXPECT_LE(relative_difference(problem.simp().analysed_densities(), part.of_elements(design)),
                1e-7);
    });
    return design;
  }
};

// y = P K x, its diagonal and its energies are those of the assembled matrix of the whole.
TEST_P(DistributedTest, OperatorEqualsTheAssembledMatrix)
{
  BoxMesh box           = held_box(BoxOptions::wild({{8, 3, 4}}, 2));
  const auto E          = random_vector(box.mesh.n_elements, 3, 0.1, 1.);
  std::vector<double> x = random_free_vector(box.mesh, 4);
  const ReferenceStiffness reference(box.mesh, {}, E);
  const auto expected  = reference.apply(x);
  const auto projected = without_constrained(expected, box.mesh);
  auto diagonal        = reference.diagonal();
  for (const LocalIndex dof : box.mesh.constrained_dofs)
    diagonal[dof] = 1.;

  with_parts(box, [&](const Part &part) {
    const std::size_t n = box.mesh.n_dofs();
    for (const Strategy<double> &strategy : backend().strategies<double>())
      {
        SCOPED_TRACE(strategy.name);
        if (strategy.identical_elements_only)
          continue; // the mesh is distorted
        ElasticityOperator<double> K(backend(), world_, part.mesh, {}, strategy.name);
        K.set(Array<double>(memory(), part.of_elements(E)));
        auto local = part.of_dofs(x);
        std::fill(local.begin() + static_cast<std::ptrdiff_t>(part.mesh.n_owned_dofs()),
                  local.end(),
                  std::numeric_limits<double>::quiet_NaN()); // ghosts are the operator's to refresh
        Array<double> on_x(memory(), local), on_y(memory(), poison<double>(local.size()));
        const auto expect_y = [&](const std::vector<double> &global) {
          const auto y = sum_over_ranks(part.owned_to_global(on_y.to_host(), n));
          EXPECT_LE(relative_difference(y, global), 1e-13);
        };
        K.apply(on_x, on_y);
        expect_y(projected);
        K.apply_unconstrained(on_x, on_y);
        expect_y(expected);
        K.diagonal(on_y);
        expect_y(diagonal);
        Array<double> c(memory(), part.mesh.n_elements);
        K.energies(on_x, c);
        EXPECT_LE(relative_difference(c.to_host(), part.of_elements(reference.energies(x))), 1e-13);
      }
  });
}

// The displacements are those of a dense factorisation, including prescribed ones that only some
// ranks have; the work of the loads agrees to 1e-10.
TEST_P(DistributedTest, SolutionEqualsADirectSolver)
{
  BoxMesh box = held_box(BoxOptions::wild({{7, 2, 2}}, 3));
  move_right_face(box, 0.2);
  const auto E      = random_vector(box.mesh.n_elements, 3, 0.1, 1.);
  const auto f      = edge_load(box);
  const auto u      = ReferenceStiffness(box.mesh, {}, E).solve(f);
  const double work = dot(f, u);
  with_parts(box, [&](const Part &part) {
    StateSettings settings;
    settings.control.tolerance = 1e-12;
    auto state                 = make_state_solver(execution(world_),
                                   {part.mesh},
                                   {{"down", 1., part.of_owned_dofs(f)}},
                                   settings);
    state->set_stiffness(Array<double>(memory(), part.of_elements(E)));
    state->solve(0);
    EXPECT_NEAR(state->work_of_loads(0), work, 1e-10 * std::abs(work));
    const auto local = state->displacement(0); // ghosts included
    EXPECT_LE(relative_difference(local, part.of_dofs(u)), 1e-9);
  });
}

// The filter reaches over the boundaries of ranks, and over planes of symmetry.
TEST_P(DistributedTest, FilterEqualsTheSerialOne)
{
  BoxMesh box              = make_box(BoxOptions::wild({{9, 4, 3}}, 4));
  box.mesh.symmetry_planes = {{0, 1.05}, {1, -0.05}, {2, -0.06}, {2, 0.86}};
  const auto rho           = random_vector(box.mesh.n_elements, 1, 0.1, 1.);
  const auto dC            = random_vector(box.mesh.n_elements, 2, -3., 0.);
  for (const FilterWeights weights : {FilterWeights::volume, FilterWeights::count})
    for (const double radius : {0.1, 0.3, 2.})
      expect_serial_fields(box, [&](const Part &part) {
        Array<double> result(memory(), part.of_elements(dC));
        SensitivityFilter(backend(), part.communicator, part.mesh, radius, weights)
          .apply(Array<double>(memory(), part.of_elements(rho)), result);
        return std::vector<std::vector<double>>{result.to_host()};
      });
}

TEST_P(DistributedTest, OptimizationEqualsTheSerialOne)
{
  expect_serial_optimization(SmallCantilever());
}

// Compares the optimization if only the last layer's elements are longer: ranks without it have one
// volume for all elements.
TEST_P(DistributedTest, OptimizationWithOtherVolumesOnSomeRank)
{
  SmallCantilever cantilever;
  ElementMesh &mesh = cantilever.box.mesh;
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    if (mesh.coordinates[node] > 11.5)
      mesh.coordinates[node] = 12.7;
  measure(mesh);
  const auto design = expect_serial_optimization(cantilever);
  EXPECT_NEAR(dot(design, mesh.volumes), 0.4 * 12.7 * 16., 1e-6 * 0.4 * 12.7 * 16.);
}

// Checks the elements of every rank in turn, also if a rank has none. Value and derivatives are
// those of one rank.
TEST_P(DistributedTest, GradientsAreChecked)
{
  const SmallCantilever cantilever(std::array<std::size_t, 3>{{6, 3, 2}});
  const BoxMesh &box                = cantilever.box;
  const std::vector<double> density = random_vector(box.mesh.n_elements, 3, 0.3, 0.9);
  GradientCheckSettings settings;
  settings.n_elements = 3;
  const auto check    = [&](const Part &part) {
    StateSettings exact;
    exact.control.tolerance    = 1e-13;
    const auto &[all, mesh]    = std::tie(part.communicator, part.mesh);
    const auto loads           = part.of_loads(cantilever.loads);
    const auto state           = make_state_solver(execution(all), {mesh, {1., 0.3}}, loads, exact);
    const auto response        = make_response("compliance", {backend(), all, mesh});
    const GradientCheck result = check_gradient(
      backend(), all, *state, {3., 1e-3}, *response, part.of_elements(density), settings);
    EXPECT_LT(result.largest_error(), 1e-7);
    return result;
  };
  with_serial(box,
              check,
              [](const Part &, const GradientCheck &found, const GradientCheck &serial) {
                EXPECT_NEAR(found.value, serial.value, 1e-9 * serial.value);
                EXPECT_NEAR(found.size, serial.size, 1e-8 * serial.size);
                EXPECT_EQ(found.rows.size() % 3, 0u); // a row of this rank and those of the others
                EXPECT_GE(found.rows.size(), 3u);
              });
}

// Supports that only one rank has hold the whole.
TEST_P(DistributedTest, RigidMotionsAreThoseOfTheWhole)
{
  BoxMesh box            = make_box(BoxOptions::regular({{6, 2, 2}}));
  const auto expect_free = [&](const std::size_t n_motions) {
    with_parts(box, [&](const Part &part) {
      EXPECT_EQ(free_rigid_motions(world_, part.mesh).size(), n_motions);
    });
  };
  expect_free(6);
  hold(box, [](const Position &X, const int c) { return X[0] == 0. && c == 0; });
  expect_free(3);
  hold_left_face(box);
  expect_free(0);
}

INSTANTIATE_TEST_SUITE_P(Parallel, DistributedTest, at_parallel_places(), place_name);
} // namespace
} // namespace strut::test
