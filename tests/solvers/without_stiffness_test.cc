// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/box_hierarchy.h"
#include "../fixtures/box_mesh.h"
#include "../fixtures/vectors.h"

#include <strut/solvers/elasticity_operator.h>
#include <strut/solvers/state/state_solver.h>

namespace strut::test
{
namespace
{
class WithoutStiffnessTest : public PlaceTest
{
protected:
  /// A box of n0 x 8 x 4 elements of size 1: cubes, or elements that are distorted equally at equal
  /// places.
  static BoxMesh make(const std::size_t n0, const bool distorted = true)
  {
    BoxMesh box = make_box(BoxOptions::unit_cubes({{n0, 8, 4}}));
    for (std::size_t n = 0; distorted && n < box.mesh.n_nodes; ++n)
      for (std::size_t d = 0; d < 3; ++d)
        box.mesh.coordinates[d * box.mesh.n_nodes + n] +=
          0.1 * std::sin(2.1 * box.reference[n][(d + 1) % 3] + 1.3 * box.reference[n][d]);
    measure(box.mesh);
    hold_left_face(box);
    return box;
  }

  static bool is_outside(const BoxMesh &box, const std::size_t e)
  {
    return box.element_at[e][0] >= 8;
  }
};

// The product with elements of stiffness zero is that of the mesh without them, for every strategy;
// those for identical elements use cubes.
TEST_P(WithoutStiffnessTest, ProductIsThatWithoutTheElements)
{
  const BoxMesh large = make(16), small = make(8);
  const BoxMesh large_of_cubes = make(16, false), small_of_cubes = make(8, false);
  std::vector<double> factors(large.mesh.n_elements), of_small;
  for (std::size_t e = 0; e < factors.size(); ++e)
    factors[e] = is_outside(large, e) ? 0. : 0.3 + 0.1 * std::cos(static_cast<double>(e));
  for (std::size_t e = 0; e < small.mesh.n_elements; ++e)
    for (std::size_t other = 0; other < factors.size(); ++other)
      if (large.element_at[other] == small.element_at[e])
        of_small.push_back(factors[other]);

  std::vector<std::size_t> node_of(small.mesh.n_nodes); // number in the large mesh
  for (std::size_t n = 0; n < node_of.size(); ++n)
    for (std::size_t other = 0; other < large.mesh.n_nodes; ++other)
      if (large.reference[other] == small.reference[n])
        node_of[n] = other;
  const auto x = random_vector(large.mesh.n_dofs(), 3);
  std::vector<double> x_small(small.mesh.n_dofs());
  for (std::size_t i = 0; i < x_small.size(); ++i)
    x_small[i] = x[3 * node_of[i / 3] + i % 3];

  for (const Strategy<double> &strategy : backend().strategies<double>())
    {
      SCOPED_TRACE(strategy.name);
      const bool needs_cubes = strategy.identical_elements_only;
      ElasticityOperator<double> K(
        backend(), {}, (needs_cubes ? large_of_cubes : large).mesh, {}, strategy.name);
      ElasticityOperator<double> K_small(
        backend(), {}, (needs_cubes ? small_of_cubes : small).mesh, {}, strategy.name);
      K.set(Array<double>(memory(), factors));
      K_small.set(Array<double>(memory(), of_small));
      Array<double> in(memory(), x), out(memory(), x.size());
      Array<double> in_small(memory(), x_small), out_small(memory(), x_small.size());
      K.apply_unconstrained(in, out);
      K_small.apply_unconstrained(in_small, out_small);
      const auto y = out.to_host(), expected = out_small.to_host();
      std::vector<double> there(expected.size());
      double others = 0.;
      for (const double value : y)
        others += value * value;
      for (std::size_t i = 0; i < there.size(); ++i)
        {
          there[i] = y[3 * node_of[i / 3] + i % 3];
          others -= there[i] * there[i];
        }
      EXPECT_LE(relative_difference(there, expected), 1e-13);
      EXPECT_NEAR(others, 0., 1e-10);
    }
}

// Designs lose most of their material, all of it, and regain it; each product is that of a new
// operator.
TEST_P(WithoutStiffnessTest, ProductsFollowTheMaterialBothWays)
{
  const BoxMesh box = make(16);
  const auto x      = random_vector(box.mesh.n_dofs(), 5);
  for (const Strategy<double> &strategy : backend().strategies<double>())
    {
      SCOPED_TRACE(strategy.name);
      if (strategy.identical_elements_only)
        continue;
      ElasticityOperator<double> K(backend(), {}, box.mesh, {}, strategy.name);
      for (const std::size_t n_inside : {16, 1, 0, 3, 16})
        {
          std::vector<double> factors(box.mesh.n_elements);
          for (std::size_t e = 0; e < factors.size(); ++e)
            factors[e] = box.element_at[e][0] < n_inside ? 0.5 + 0.01 * static_cast<double>(e) : 0.;
          const Array<double> on_backend(memory(), factors);
          ElasticityOperator<double> anew(backend(), {}, box.mesh, {}, "ebe");
          K.set(on_backend);
          anew.set(on_backend);
          Array<double> out(memory(), x.size()), expected(memory(), x.size());
          Array<double> again(memory(), x);
          K.apply_unconstrained(again, out);
          again = Array<double>(memory(), x);
          anew.apply_unconstrained(again, expected);
          if (n_inside == 0)
            EXPECT_EQ(out.to_host(), std::vector<double>(x.size(), 0.));
          else
            EXPECT_LE(relative_difference(out.to_host(), expected.to_host()), 1e-13) << n_inside;
        }
    }
}

// The displacements are those without the elements, with either preconditioner and either kind of
// coarse operators.
TEST_P(WithoutStiffnessTest, SolutionIsThatWithoutTheElements)
{
  BoxMesh large = make(16), small = make(8);
  const MeshHierarchy coarser = coarsen(large, 2);
  std::vector<double> factors(large.mesh.n_elements, 1.);
  for (std::size_t e = 0; e < factors.size(); ++e)
    factors[e] = is_outside(large, e) ? 0. : 1.;
  const auto load = [](const BoxMesh &box) {
    return forces(box, [](const Position &X, const int c) {
      return c == 2 && X[0] == 8. && X[2] == 0. ? -1. : 0.;
    });
  };
  StateSettings settings;
  settings.control.tolerance = 1e-10;
  const auto reference =
    make_state_solver(execution(), {small.mesh}, {{"down", 1., load(small)}}, settings);
  reference->set_stiffness(Array<double>(memory(), std::vector<double>(small.mesh.n_elements, 1.)));
  reference->solve(0);
  const double expected = reference->work_of_loads(0);

  unsigned int iterations_of_jacobi = 0;
  for (const char *const name : {"jacobi", "multigrid", "galerkin"})
    {
      SCOPED_TRACE(name);
      settings.preconditioner      = {};
      settings.preconditioner.name = std::string(name) == "jacobi" ? "jacobi" : "multigrid";
      if (std::string(name) == "galerkin")
        settings.preconditioner.values["Coarse operators"] = "galerkin";
      const auto state = make_state_solver(execution(),
                                           {large.mesh, {}, coarser},
                                           {{"down", 1., load(large)}},
                                           settings);
      state->set_stiffness(Array<double>(memory(), factors));
      const SolverReport report = state->solve(0);
      EXPECT_EQ(state->take_warnings(), "");
      EXPECT_NEAR(state->work_of_loads(0), expected, 1e-8 * expected);
      if (std::string(name) == "jacobi")
        iterations_of_jacobi = report.iterations;
      else
        EXPECT_LT(report.iterations, iterations_of_jacobi / 3);
    }
}

INSTANTIATE_TEST_SUITE_P(Core, WithoutStiffnessTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
