// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/dense_reference.h"
#include "../fixtures/row_maker.h"
#include "source/backend/dense_inverse.h"
#include "source/backend/multigrid_operations.h"
#include "source/element/hexahedron.h"
#include "source/solvers/coarse/direct_solver.h"

#include <strut/base/exceptions.h>
#include <strut/solvers/elasticity_operator.h>

#include <gtest/gtest.h>

#include <cmath>

namespace strut::test
{
namespace
{
class CoarseSolverTest : public PlaceTest
{
protected:
  /// The solution on the host, after the solver's last factorisation.
  template <typename Number>
  std::vector<double> solution(CoarseSolver<Number> &solver, const std::vector<double> &r)
  {
    Array<Number> x(memory(), r.size());
    solver.finish();
    solver.solve(Array<Number>(memory(), std::vector<Number>(r.begin(), r.end())), x);
    return to_double(x.to_host());
  }
};

// K K^-1 r = r on the free DoFs, and 0 on the others, also after new factors, and for a frame of
// solid in nearly void material. There x is as large as in the soft parts, and the residual of a
// stable solver is eps |K| |x|, much more than eps |r|. In float the test therefore compares x with
// that in double.
TEST_P(CoarseSolverTest, InvertsTheStiffness)
{
  with_both_numbers([&](const auto tag) {
    using Number            = decltype(number_of(tag));
    BoxMesh box             = held_box(BoxOptions::wild({{5, 4, 4}}, 4));
    const ElementMesh &mesh = box.mesh;
    const auto solver    = make_direct_solver<Number>(backend(), Communicator(), mesh, Material());
    const auto in_double = make_direct_solver<double>(backend(), Communicator(), mesh, Material());
    ElasticityOperator<double> K(backend(), Communicator(), mesh, Material(), "on_the_fly");
    const std::vector<double> r    = random_vector(mesh.n_dofs(), 6),
                              free = without_constrained(r, mesh);
    std::vector<double> frame;
    for (const auto &at : box.element_at)
      frame.push_back(at[1] == 0 || at[2] == 0 ? 1. : 1e-9);
    const std::vector<double> factors[] = {random_vector(mesh.n_elements, 7, 1., 1.),
                                           random_vector(mesh.n_elements, 7, 1e-2, 1.),
                                           frame};
    for (const std::vector<double> &E : factors)
      {
        const Array<double> on_backend(memory(), E);
        solver->set(on_backend);
        K.set(on_backend);
        const std::vector<double> x = this->solution(*solver, r);
        for (const LocalIndex dof : mesh.constrained_dofs)
          EXPECT_EQ(x[dof], 0.);
        Array<double> product(memory(), mesh.n_dofs()), on_x(memory(), x);
        K.apply(on_x, product);
        EXPECT_GT(dot(free, x), 0.);
        in_double->set(on_backend);
        EXPECT_LT(relative_difference(x, this->solution(*in_double, r)), 1e3 * rounding<Number>());
        const std::vector<double> Kx = product.to_host();
        double residual              = 0.;
        for (std::size_t i = 0; i < free.size(); ++i)
          residual += (free[i] - Kx[i]) * (free[i] - Kx[i]);
        const double size = &E == &factors[2] ? norm(free) + norm(x) : norm(free);
        EXPECT_LT(std::sqrt(residual), 1e3 * rounding<Number>() * size) << (&E - factors);
      }
  });
}

// C^T K C x = r with dependent DoFs: one master for two DoFs of an element, two masters at their
// node, four elsewhere.
TEST_P(CoarseSolverTest, InvertsTheStiffnessWithDependentDofs)
{
  BoxMesh box                      = held_box(BoxOptions::wild({{5, 4, 4}}, 4));
  ElementMesh &mesh                = box.mesh;
  const std::vector<bool> taken    = constrained_flags(mesh);
  const std::vector<double> random = random_vector(1000, 11);
  AffineRows &rows                 = mesh.dependent;
  const auto last                  = static_cast<LocalIndex>(mesh.n_nodes - 1);
  for (LocalIndex node = 1; node + 40 < mesh.n_nodes; node += 7)
    {
      const LocalIndex dof = 3 * node;
      if (taken[dof] || taken[dof + 3])
        continue;
      const auto add = [&](const LocalIndex dependent, const std::vector<LocalIndex> &masters) {
        add_row(rows, dependent, masters, [&](const std::size_t k) { return random[k]; });
      };
      add(dof, {3 * last});    // the next one has the same master
      add(dof + 2, {dof + 1}); // with a master at the same node
      add(dof + 3, {3 * last, 3 * last + 2, dof + 4, dof + 5});
    }
  ASSERT_GT(rows.dofs.size(), 20u);
  with_both_numbers([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    const auto solver = make_direct_solver<Number>(backend(), Communicator(), mesh, Material());
    ElasticityOperator<double> K(backend(), Communicator(), mesh, Material(), "on_the_fly");
    const auto without_dependent = [&](std::vector<double> values) {
      for (const LocalIndex dof : rows.dofs)
        values[dof] = 0.;
      return values;
    };
    const std::vector<double> r = without_dependent(random_free_vector(mesh, 6));
    const Array<double> E(memory(), random_vector(mesh.n_elements, 7, 1e-2, 1.));
    solver->set(E);
    K.set(E);
    Array<double> product(memory(), mesh.n_dofs()),
      on_x(memory(), without_dependent(this->solution(*solver, r)));
    K.apply(on_x, product);
    EXPECT_LT(relative_difference(without_constrained(without_dependent(product.to_host()), mesh),
                                  r),
              1e4 * rounding<Number>());
  });
}

// Whether the matrices before were waited for or not.
TEST_P(CoarseSolverTest, HasTheLastMatrix)
{
  BoxMesh box             = held_box(BoxOptions::wild({{7, 6, 5}}, 4));
  const ElementMesh &mesh = box.mesh;
  const auto after        = [&](const std::vector<unsigned int> &seeds, const bool waits) {
    const auto solver = make_direct_solver<double>(backend(), Communicator(), mesh, Material());
    for (const unsigned int seed : seeds)
      {
        solver->set(Array<double>(memory(), random_vector(mesh.n_elements, seed, 1e-2, 1.)));
        if (waits)
          solver->finish();
      }
    return solution(*solver, random_vector(mesh.n_dofs(), 6));
  };
  const std::vector<double> last = after({9}, true);
  EXPECT_EQ(after({7, 8, 9}, true), last);
  EXPECT_EQ(after({7, 8, 9}, false), last);
  const auto never_waited_for =
    make_direct_solver<double>(backend(), Communicator(), mesh, Material());
  never_waited_for->set(Array<double>(memory(), std::vector<double>(mesh.n_elements, 1.)));
}

TEST_P(CoarseSolverTest, RefusesWhatIsNotPositiveDefinite)
{
  const BoxMesh box = make_box(BoxOptions::regular({{3, 2, 2}})); // without supports
  const auto solver = make_direct_solver<double>(backend(), Communicator(), box.mesh, Material());
  std::vector<double> factors(box.mesh.n_elements, 1.);
  factors[3]     = -2.;
  const auto set = [&]() {
    solver->set(Array<double>(memory(), factors));
    solver->finish();
  };
  EXPECT_THROW(set(), SolverFailure);
  if (!memory().is_host()) // the host reports the failure only once
    {
      EXPECT_THROW(solver->finish(), SolverFailure);
    }
}

/// Element matrices of stiffness 1, `[n_elements][300]`.
std::vector<double> solid_matrices(const ElementMesh &mesh)
{
  std::vector<double> matrices;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double X[3][8];
      vertices(mesh, e, X);
      for (int a = 0; a < 8; ++a)
        {
          double rows[3][24];
          hexahedron::stiffness_rows(X, Material(), a, rows);
          for (int i = 0; i < 3; ++i)
            matrices.insert(matrices.end(), rows[i], rows[i] + 3 * a + i + 1);
        }
    }
  return matrices;
}

/// The sum of element matrices, `[n_elements][300]`, and of springs on the diagonal, times x.
std::vector<double> product(const ElementMesh &mesh,
                            const std::vector<double> &packed,
                            const std::vector<double> &springs,
                            const std::vector<double> &x)
{
  std::vector<ElementMatrix> matrices(mesh.n_elements);
  std::size_t k = 0;
  for (ElementMatrix &K : matrices)
    for (std::size_t j = 0; j < 24; ++j)
      for (std::size_t i = 0; i <= j; ++i, ++k)
        K[i][j] = K[j][i] = packed[k];
  std::vector<double> y = ReferenceStiffness(mesh, matrices).apply(x);
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] += springs[i] * x[i];
  return y;
}

// Factors or element matrices, some of them zero, which count as 1e-6 of the solid; with springs or
// without. K x = r on the free DoFs of solid elements, and x is that of the host's factorisation.
TEST_P(CoarseSolverTest, SumsElementMatricesAndSprings)
{
  BoxMesh box                     = held_box(BoxOptions::wild({{6, 4, 4}}, 4));
  const ElementMesh &mesh         = box.mesh;
  const std::vector<double> solid = solid_matrices(mesh);
  std::vector<double> factors     = random_vector(mesh.n_elements, 7, 0.2, 1.);
  const std::vector<bool> is_held = constrained_flags(mesh);
  std::vector<bool> is_loaded(mesh.n_dofs(), false);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (e % 5 == 0)
      factors[e] = 0.;
    else
      for (std::size_t v = 0; v < 8; ++v)
        for (std::size_t c = 0; c < 3; ++c)
          is_loaded[3 * mesh.connectivity[v * mesh.n_elements + e] + c] = true;
  const auto host = make_cpu_backend(1);
  with_both_numbers([&](const auto tag) {
    using Number          = decltype(number_of(tag));
    const auto as_numbers = [](const std::vector<double> &values) {
      return std::vector<Number>(values.begin(), values.end());
    };
    std::vector<Number> packed(300 * mesh.n_elements), springs(mesh.n_dofs(), Number(0)),
      r = as_numbers(random_vector(mesh.n_dofs(), 6));
    std::vector<double> scaled(packed.size()), completed(packed.size());
    for (std::size_t e = 0, k = 0; e < mesh.n_elements; ++e)
      for (std::size_t j = 0; j < 24; ++j)
        for (std::size_t i = 0; i <= j; ++i, ++k)
          {
            // zeros in the rows and columns of constrained DoFs, as in Galerkin's matrices
            const auto held = [&](const std::size_t l) {
              return is_held[3 * mesh.connectivity[l / 3 * mesh.n_elements + e] + l % 3];
            };
            packed[k] = held(i) || held(j) ? Number(0) : static_cast<Number>(factors[e] * solid[k]);
            scaled[k] = (factors[e] != 0. ? factors[e] : 1e-6) * solid[k];
            completed[k] = factors[e] != 0. ? static_cast<double>(packed[k]) : 1e-6 * solid[k];
          }
    for (std::size_t i = 0; i < mesh.n_dofs(); ++i)
      if (!is_loaded[i])
        r[i] = Number(0);
    const auto solver    = make_direct_solver<Number>(backend(), Communicator(), mesh, Material());
    const auto reference = make_direct_solver<double>(*host, Communicator(), mesh, Material());
    for (const bool has_springs : {false, true})
      {
        if (has_springs)
          {
            springs = as_numbers(random_vector(mesh.n_dofs(), 8, 0., 1.));
            solver->set_diagonal(AddedDiagonal::springs, Array<Number>(memory(), springs));
            reference->set_diagonal(AddedDiagonal::springs,
                                    Array<double>(host->memory(), to_double(springs)));
          }
        for (const bool has_matrices : {false, true})
          {
            if (has_matrices)
              {
                solver->set_matrices(Array<Number>(memory(), packed));
                reference->set_matrices(Array<double>(host->memory(), to_double(packed)));
              }
            else
              {
                solver->set(Array<double>(memory(), factors));
                reference->set(Array<double>(host->memory(), factors));
              }
            Array<Number> x(memory(), mesh.n_dofs());
            solver->finish();
            solver->solve(Array<Number>(memory(), r), x);
            Array<double> expected(host->memory(), mesh.n_dofs());
            reference->finish();
            reference->solve(Array<double>(host->memory(), to_double(r)), expected);
            const std::vector<double> solution = to_double(x.to_host());
            EXPECT_LT(relative_difference(solution, expected.to_host()), 1e3 * rounding<Number>())
              << has_springs << has_matrices;
            const std::vector<double> Kx = product(mesh,
                                                   has_matrices ? completed : scaled,
                                                   to_double(springs),
                                                   expected.to_host());
            for (std::size_t i = 0; i < mesh.n_dofs(); ++i)
              if (is_held[i])
                EXPECT_EQ(solution[i], 0.);
              else
                EXPECT_NEAR(Kx[i], static_cast<double>(r[i]), 1e-11);
          }
      }
  });
}

// The backend's part of it, number by number: matrices with and without zeros at their beginning,
// and one with only zeros.
TEST_P(CoarseSolverTest, MatricesOfElementsWithoutStiffness)
{
  const std::vector<double> factors = {0.5, 0., 3.}, solid = random_vector(900, 2);
  const Array<double> on_solid(memory(), solid);
  Array<double> matrices(memory(), 900);
  with_both_numbers([&](const auto tag) {
    using Number          = decltype(number_of(tag));
    const auto &multigrid = backend().template multigrid_operations<Number>();
    multigrid.scale_matrices(on_solid, Array<double>(memory(), factors), 0.25, matrices);
    const std::vector<double> scaled = matrices.to_host();
    auto packed                      = random_vector<Number>(900, 3);
    std::fill(packed.begin(), packed.begin() + 299, Number(0));
    std::fill(packed.begin() + 300, packed.begin() + 600, Number(0));
    multigrid.complete_matrices(on_solid, Array<Number>(memory(), packed), 0.25, matrices);
    const std::vector<double> completed = matrices.to_host();
    for (std::size_t k = 0; k < 900; ++k)
      {
        const bool is_outside = k / 300 == 1;
        EXPECT_EQ(scaled[k], (is_outside ? 0.25 : factors[k / 300]) * solid[k]);
        EXPECT_EQ(completed[k], is_outside ? 0.25 * solid[k] : static_cast<double>(packed[k]));
      }
  });
}

// Random symmetric positive definite matrices of sizes around those of the tiles. They have two
// thirds of the entries, or those of a band of varying width. Rows are mapped to other entries of
// vectors. Entries are sums of two numbers, with springs on the diagonal.
TEST_P(CoarseSolverTest, FullInverse)
{
  const auto is_in_band = [](const std::size_t i, const std::size_t j) {
    return j - i < (i / 100 % 2 == 0 ? 20 : 90);
  };
  for (const Precision precision : {Precision::fp64, Precision::fp32})
    for (const bool has_band : {false, true})
      for (const std::size_t n : {1, 63, 64, 65, 150, 200, 515})
        with_number(precision, [&](auto tag) {
          using Number = decltype(number_of(tag));
          SymmetricSums sums;
          sums.n = n;
          for (std::size_t i = 0; i < n; ++i)
            sums.dofs.push_back(static_cast<std::uint32_t>((i + n / 3) % n));
          sums.skipped.assign(n, 0);
          sums.skipped[n / 2] = n > 1 ? 1 : 0;
          sums.summands_begin = {0};
          const auto springs  = random_vector<Number>(n, 10, 0., 1.);
          std::vector<double> numbers, A(n * n, 0.);
          Random random(static_cast<unsigned int>(n));
          for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = 0; i <= j; ++i)
              {
                const bool skipped = sums.skipped[i] != 0 || sums.skipped[j] != 0;
                if (i != j && (skipped || (i + j) % 3 == 0 || (has_band && !is_in_band(i, j))))
                  continue;
                sums.rows.push_back(static_cast<std::uint32_t>(i));
                sums.columns.push_back(static_cast<std::uint32_t>(j));
                const std::size_t row = sums.dofs[i], column = sums.dofs[j];
                double value = i == j ? 1. : 0.;
                if (!skipped)
                  {
                    const double size =
                      static_cast<double>(has_band ? std::min<std::size_t>(n, 90) : n);
                    const auto place = static_cast<std::uint32_t>(numbers.size());
                    numbers.push_back(i == j ? 2. * size : random(-1., 0.));
                    numbers.push_back(random(0., 1.));
                    sums.summands.insert(sums.summands.end(), {place + 1, place});
                    value = numbers[place + 1] + numbers[place];
                    if (i == j)
                      value += static_cast<double>(springs[row]);
                  }
                sums.summands_begin.push_back(static_cast<std::uint32_t>(sums.summands.size()));
                A[row * n + column] = A[column * n + row] = value;
              }
          const auto inverse =
            backend().template multigrid_operations<Number>().make_dense_inverse(backend().memory(),
                                                                                 sums);
          if (GetParam() != Place::cuda)
            {
              EXPECT_EQ(inverse, nullptr);
              return;
            }
          const Array<Number> on_springs(memory(), springs);
          const Array<double> first(memory(), numbers);
          inverse->begin(first, on_springs);
          ASSERT_TRUE(inverse->finish());
          const auto x = random_vector<Number>(n, 9);
          Array<Number> y(memory(), n);
          inverse->apply(Array<Number>(memory(), x), y);
          const std::vector<double> solution = to_double(y.to_host());
          const std::size_t skipped          = n > 1 ? sums.dofs[n / 2] : n;
          for (std::size_t i = 0; i < n; ++i)
            {
              double product = 0.;
              for (std::size_t j = 0; j < n; ++j)
                product += A[i * n + j] * solution[j];
              EXPECT_NEAR(product,
                          i == skipped ? 0. : static_cast<double>(x[i]),
                          rounding<Number>())
                << n << ' ' << has_band;
            }
          numbers[0] = -1e3;
          const Array<double> second(memory(), numbers);
          inverse->begin(second, on_springs);
          EXPECT_FALSE(inverse->finish());
        });
}

INSTANTIATE_TEST_SUITE_P(Core, CoarseSolverTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
