// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/box_mesh.h"

#include <strut/base/exceptions.h>
#include <strut/operators/elasticity_operator.h>
#include <strut/solvers/coarse_solver.h>

#include <gtest/gtest.h>

namespace strut::testing
{
namespace
{
using CoarseSolverTest = PlaceTest;

// K K^-1 r = r on the free DoFs, 0 on the others; also after new factors, of a contrast of 1e9.
TEST_P(CoarseSolverTest, InvertsTheStiffness)
{
  for (const Precision precision : {Precision::double_precision, Precision::single_precision})
    with_number(precision, [&](auto tag) {
      using Number = decltype(number_of(tag));
      BoxMesh box  = make_box(BoxOptions::wild({{5, 3, 2}}, 4));
      hold_left_face(box);
      const ElementMesh &mesh = box.mesh;
      CoarseSolver<Number> solver(backend(), Communicator(), mesh, Material());
      ElasticityOperator<double> K(backend(), Communicator(), mesh, Material(), "on_the_fly");
      std::vector<double> r = random_vector(mesh.n_dofs(), 6), free = r;
      for (const LocalIndex dof : mesh.constrained_dofs)
        free[dof] = 0.;
      for (const double smallest : {1., 1e-2})
        {
          const Array<double> factors(memory(), random_vector(mesh.n_elements, 7, smallest, 1.));
          solver.set_stiffness(factors);
          K.set_stiffness(factors);
          Array<Number> x(memory(), mesh.n_dofs());
          solver.solve(Array<Number>(memory(), std::vector<Number>(r.begin(), r.end())), x);
          for (const LocalIndex dof : mesh.constrained_dofs)
            EXPECT_EQ(x.to_host()[dof], Number(0));
          Array<double> solution(memory(), to_double(x.to_host())),
            product(memory(), mesh.n_dofs());
          K.apply(solution, product);
          EXPECT_LT(relative_difference(product.to_host(), free), 1e3 * rounding<Number>());
        }
    });
}

TEST_P(CoarseSolverTest, RefusesWhatIsNotPositiveDefinite)
{
  const BoxMesh box = make_box(BoxOptions::regular({{3, 2, 2}})); // without supports
  CoarseSolver<double> solver(backend(), Communicator(), box.mesh, Material());
  std::vector<double> factors(box.mesh.n_elements, 1.);
  factors[3] = -2.;
  EXPECT_THROW(solver.set_stiffness(Array<double>(memory(), factors)), SolverFailure);
}

// A random symmetric positive definite matrix of sizes around those of the tiles.
TEST_P(CoarseSolverTest, FullInverse)
{
  for (const std::size_t n : {1, 31, 32, 33, 100})
    {
      SymmetricPattern pattern;
      pattern.n = n;
      pattern.skipped.assign(n, 0);
      pattern.skipped[n / 2] = n > 1 ? 1 : 0;
      std::vector<double> values, A(n * n, 0.);
      Random random(static_cast<unsigned int>(n));
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i <= j; ++i)
          {
            const bool skipped = pattern.skipped[i] != 0 || pattern.skipped[j] != 0;
            if (i != j && (skipped || (i + j) % 3 == 0))
              continue;
            pattern.rows.push_back(static_cast<std::uint32_t>(i));
            pattern.columns.push_back(static_cast<std::uint32_t>(j));
            values.push_back(i == j ? static_cast<double>(n) + random(0., 1.) : random(-1., 1.));
            A[i * n + j] = A[j * n + i] = values.back();
          }
      const auto inverse = backend().make_dense_inverse<double>(pattern);
      if (GetParam() != Place::cuda)
        {
          EXPECT_EQ(inverse, nullptr);
          continue;
        }
      ASSERT_TRUE(inverse->invert(values));
      const std::vector<double> x = random_vector(n, 9);
      Array<double> y(memory(), n);
      inverse->apply(Array<double>(memory(), x), y);
      const std::vector<double> solution = y.to_host();
      for (std::size_t i = 0; i < n; ++i)
        {
          double product = 0.;
          for (std::size_t j = 0; j < n; ++j)
            product += A[i * n + j] * solution[j];
          EXPECT_NEAR(product, pattern.skipped[i] != 0 ? 0. : x[i], 1e-13);
        }
      values[0] = -1.;
      EXPECT_FALSE(inverse->invert(values));
    }
}

INSTANTIATE_TEST_SUITE_P(Core, CoarseSolverTest, ::testing::ValuesIn(all_places()), place_name);
} // namespace
} // namespace strut::testing
