// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/box_mesh.h"
#include "source/solvers/coarse_solver.h"

#include <strut/base/exceptions.h>
#include <strut/solvers/elasticity_operator.h>

#include <gtest/gtest.h>

#include <cmath>

namespace strut::test
{
namespace
{
using CoarseSolverTest = PlaceTest;

// K K^-1 r = r on the free DoFs, 0 on the others; also after new factors, and for a frame of solid in
// next to nothing. There x is as large as the soft parts are, and the residual of a stable solver is
// eps |K| |x|, much more than eps |r|: in float only x itself tells, beside that in double.
TEST_P(CoarseSolverTest, InvertsTheStiffness)
{
  for (const Precision precision : {Precision::fp64, Precision::fp32})
    with_number(precision, [&](auto tag) {
      using Number = decltype(number_of(tag));
      BoxMesh box  = make_box(BoxOptions::wild({{5, 4, 4}}, 4));
      hold_left_face(box);
      const ElementMesh &mesh = box.mesh;
      CoarseSolver<Number> solver(backend(), Communicator(), mesh, Material());
      CoarseSolver<double> in_double(backend(), Communicator(), mesh, Material());
      ElasticityOperator<double> K(backend(), Communicator(), mesh, Material(), "on_the_fly");
      std::vector<double> r = random_vector(mesh.n_dofs(), 6), free = r;
      for (const LocalIndex dof : mesh.constrained_dofs)
        free[dof] = 0.;
      std::vector<double> frame;
      for (const auto &at : box.element_at)
        frame.push_back(at[1] == 0 || at[2] == 0 ? 1. : 1e-9);
      const std::vector<double> factors[] = {random_vector(mesh.n_elements, 7, 1., 1.),
                                             random_vector(mesh.n_elements, 7, 1e-2, 1.),
                                             frame};
      for (const std::vector<double> &E : factors)
        {
          const Array<double> on_backend(memory(), E);
          solver.set_stiffness(on_backend);
          K.set_stiffness(on_backend);
          Array<Number> x(memory(), mesh.n_dofs());
          solver.solve(Array<Number>(memory(), std::vector<Number>(r.begin(), r.end())), x);
          for (const LocalIndex dof : mesh.constrained_dofs)
            EXPECT_EQ(x.to_host()[dof], Number(0));
          const std::vector<double> solution = to_double(x.to_host());
          Array<double> product(memory(), mesh.n_dofs());
          Array<double> on_x(memory(), solution);
          K.apply(on_x, product);
          EXPECT_GT(dot(free, solution), 0.);
          in_double.set_stiffness(on_backend);
          in_double.solve(Array<double>(memory(), r), on_x);
          EXPECT_LT(relative_difference(solution, on_x.to_host()), 1e3 * rounding<Number>());
          const std::vector<double> Kx = product.to_host();
          double residual              = 0.;
          for (std::size_t i = 0; i < free.size(); ++i)
            residual += (free[i] - Kx[i]) * (free[i] - Kx[i]);
          const double size = &E == &factors[2] ? norm(free) + norm(solution) : norm(free);
          EXPECT_LT(std::sqrt(residual), 1e3 * rounding<Number>() * size) << (&E - factors);
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

// Random symmetric positive definite matrices of sizes around those of the tiles: two thirds of the
// entries, or those of a band that gets wider and narrower. Rows belong to other entries of vectors.
TEST_P(CoarseSolverTest, FullInverse)
{
  const auto any  = [](const std::size_t, const std::size_t) { return true; };
  const auto band = [](const std::size_t i, const std::size_t j) {
    return j - i < (i / 100 % 2 == 0 ? 20 : 90);
  };
  for (const bool has_band : {false, true})
    for (const std::size_t n : {1, 63, 64, 65, 150, 200, 515})
      {
        SymmetricPattern pattern;
        pattern.n = n;
        for (std::size_t i = 0; i < n; ++i)
          pattern.dofs.push_back(static_cast<std::uint32_t>((i + n / 3) % n));
        pattern.skipped.assign(n, 0);
        pattern.skipped[n / 2] = n > 1 ? 1 : 0;
        std::vector<double> values, A(n * n, 0.);
        Random random(static_cast<unsigned int>(n));
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t i = 0; i <= j; ++i)
            {
              const bool skipped = pattern.skipped[i] != 0 || pattern.skipped[j] != 0;
              if (i != j && (skipped || (i + j) % 3 == 0 || !(has_band ? band(i, j) : any(i, j))))
                continue;
              pattern.rows.push_back(static_cast<std::uint32_t>(i));
              pattern.columns.push_back(static_cast<std::uint32_t>(j));
              const double size = static_cast<double>(has_band ? std::min<std::size_t>(n, 90) : n);
              values.push_back(i == j ? 2. * size + random(0., 1.) : random(-1., 1.));
              if (i == j && skipped)
                values.back() = 1.;
              const std::size_t row = pattern.dofs[i], column = pattern.dofs[j];
              A[row * n + column] = A[column * n + row] = values.back();
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
        const std::size_t skipped          = n > 1 ? pattern.dofs[n / 2] : n;
        for (std::size_t i = 0; i < n; ++i)
          {
            double product = 0.;
            for (std::size_t j = 0; j < n; ++j)
              product += A[i * n + j] * solution[j];
            EXPECT_NEAR(product, i == skipped ? 0. : x[i], 1e-13) << n << ' ' << has_band;
          }
        values[0] = -1.;
        EXPECT_FALSE(inverse->invert(values));
      }
}

INSTANTIATE_TEST_SUITE_P(Core, CoarseSolverTest, ::testing::ValuesIn(all_places()), place_name);
} // namespace
} // namespace strut::test
