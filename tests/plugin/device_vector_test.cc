// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Vectors that stay where the operator computes: the same results as with vectors of the host, and
// no copies.
#include <strut/device_vector.h>

#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/solver_control.h>

#include <strut/backend/backend.h>
#include <strut/base/exceptions.h>

#include <tuple>

#include "tests/plugin/distributed_problem.h"
#include "tests/plugin/stiffness_operator_fixture.h"

namespace strut::test
{
namespace
{
using There = DeviceVector<double>;

class DeviceVectorProblem : public StiffnessProblem,
                            public testing::WithParamInterface<const char *>
{
protected:
  void SetUp() override
  {
    start("adapted ball", "random", GetParam());
  }

  void prepare() override
  {
    application->assemble(false);
    options.tolerance = 1e-10;
    reinit();
  }

  void reinit()
  {
    K.reinit(application->dof_handler,
             application->constraints,
             {application->material, options, 1, 2.5});
  }

  There there(const TrilinosVector &x) const
  {
    There result;
    K.initialize_dof_vector(result);
    result.import_from(x);
    return result;
  }

  /// Error max |x - reference| / max |reference|.
  double distance(const There &x, const TrilinosVector &reference) const
  {
    TrilinosVector host;
    K.initialize_dof_vector(host);
    x.export_to(host);
    return application->distance(host, reference);
  }

  std::size_t n_copies() const
  {
    return K.transfers().uploads.count + K.transfers().downloads.count;
  }

  /// A solution by deal.II's SolverCG, and the numbers of its steps and copies.
  template <class Vector, class Preconditioner>
  std::tuple<Vector, unsigned int, std::size_t> solve_by_cg(Vector rhs,
                                                            const Preconditioner &M) const
  {
    Vector x;
    K.lift(rhs);
    K.initialize_dof_vector(x);
    const std::size_t before = n_copies();
    dealii::SolverControl control(100, 1e-11 * rhs.l2_norm());
    dealii::SolverCG<Vector>(control).solve(K, x, rhs, M);
    return {x, control.last_step(), n_copies() - before};
  }

  StiffnessOperator<double> K;
};

TEST_P(DeviceVectorProblem, ComputesAsAVectorOfTheHost)
{
  const TrilinosVector x = application->random_vector(1), y = application->random_vector(2),
                       w = application->random_vector(3);
  const There u = there(x), v = there(y);
  const auto expect = [&](const auto &change) {
    There found = there(w);
    TrilinosVector expected(w);
    change(found, u, v);
    change(expected, x, y);
    EXPECT_LT(distance(found, expected), 1e-15);
  };
  expect([](auto &z, const auto &a, const auto &) { z = a; });
  expect([](auto &z, const auto &, const auto &) { z = 0.25; });
  expect([](auto &z, const auto &a, const auto &) { z += a; });
  expect([](auto &z, const auto &a, const auto &) { z -= a; });
  expect([](auto &z, const auto &, const auto &) { z *= -3.; });
  expect([](auto &z, const auto &, const auto &) { z /= 4.; });
  expect([](auto &z, const auto &a, const auto &) { z.add(0.5, a); });
  expect([](auto &z, const auto &a, const auto &b) { z.add(0.5, a, -2., b); });
  expect([](auto &z, const auto &a, const auto &) { z.sadd(0.5, -2., a); });
  expect([](auto &z, const auto &a, const auto &) { z.equ(0.5, a); });
  expect([](auto &z, const auto &a, const auto &) { z.scale(a); });
  EXPECT_NEAR(u * v, x * y, 1e-14 * x.l2_norm() * y.l2_norm());
  EXPECT_NEAR(u.l2_norm(), x.l2_norm(), 1e-14 * x.l2_norm());
  There z = there(w);
  TrilinosVector expected(w);
  expected.add(0.5, x);
  EXPECT_NEAR(z.add_and_dot(0.5, u, v), expected * y, 1e-13 * x.l2_norm() * y.l2_norm());
  EXPECT_FALSE(z.all_zero());
  z.reinit(u);
  EXPECT_TRUE(z.all_zero());
  EXPECT_EQ(z.size(), application->dof_handler.n_dofs());
  There other(u);
  swap(z, other);
  EXPECT_LT(distance(z, x), 1e-15);
  EXPECT_TRUE(other.all_zero());
}

TEST_P(DeviceVectorProblem, ProductsAreTheSameAndCopyNothing)
{
  K.compute_diagonal();
  const auto M           = K.preconditioner();
  const TrilinosVector x = application->random_vector(1), y = application->random_vector(2);
  const auto expect = [&](const auto &apply) {
    TrilinosVector expected(y);
    apply(expected, x);
    const There source       = there(x);
    There found              = there(y);
    const std::size_t before = n_copies();
    apply(found, source);
    EXPECT_EQ(n_copies(), before);
    EXPECT_LT(distance(found, expected), 1e-14);
  };
  expect([&](auto &to, const auto &from) { K.vmult(to, from); });
  expect([&](auto &to, const auto &from) { K.vmult_add(to, from); });
  expect([&](auto &to, const auto &from) { K.mass_vmult(to, from); });
  expect([&](auto &to, const auto &from) { K.mass_vmult_unconstrained(to, from); });
  expect([&](auto &to, const auto &from) { M.vmult(to, from); });
  expect([&](auto &to, const auto &) { K.lift(to); });
  expect([&](auto &to, const auto &from) { K.precondition_Jacobi(to, from, 0.7); });
  There diagonal = K.get_matrix_diagonal<There>()->get_vector();
  EXPECT_LT(distance(diagonal, K.get_matrix_diagonal<TrilinosVector>()->get_vector()), 1e-15);
}

TEST_P(DeviceVectorProblem, SolvesAsTheDirectSolver)
{
  const There forces = there(application->F);
  There x;
  K.initialize_dof_vector(x);
  K.preconditioner();
  const std::size_t before = n_copies();
  EXPECT_TRUE(K.solve(x, forces).converged);
  EXPECT_EQ(n_copies(), before);
  EXPECT_LT(distance(x, application->solution()), 1e-8);
}

TEST_P(DeviceVectorProblem, WorksInSolversOfDealII)
{
  const auto M                    = K.preconditioner();
  const auto [x, steps, n_copied] = solve_by_cg(there(application->F), M);
  const auto [y, of_host, _]      = solve_by_cg(application->F, M);
  EXPECT_EQ(n_copied, 0u);
  EXPECT_EQ(steps, of_host);
  EXPECT_LT(distance(x, y), 1e-9);
}

// PreconditionChebyshev sets one entry of its vectors, and their constrained entries.
TEST_P(DeviceVectorProblem, WorksInPreconditionChebyshev)
{
  K.compute_diagonal();
  using Chebyshev = dealii::PreconditionChebyshev<StiffnessOperator<double>, There>;
  Chebyshev::AdditionalData data;
  data.preconditioner  = K.get_matrix_diagonal_inverse<There>();
  data.degree          = 4;
  data.smoothing_range = 20.;
  Chebyshev chebyshev;
  chebyshev.initialize(K, data);
  const There x          = std::get<0>(solve_by_cg(there(application->F), chebyshev));
  const TrilinosVector y = std::get<0>(solve_by_cg(application->F, K.preconditioner()));
  EXPECT_LT(distance(x, y), 1e-9);
}

TEST_P(DeviceVectorProblem, HasEntriesByGlobalIndex)
{
  const TrilinosVector x = application->random_vector(1);
  There u                = there(x);
  EXPECT_EQ(u.locally_owned_elements(), application->owned);
  for (const auto i : {*application->owned.begin(), application->owned.nth_index_in_set(7)})
    {
      EXPECT_EQ(u(i), x(i));
      u(i) = 3.;
      EXPECT_EQ(const_cast<const There &>(u)(i), 3.);
    }
  EXPECT_CONTAINS(message_of<Error>([&]() { u(u.size()) = 1.; }), "there is none");
  EXPECT_CONTAINS(message_of<Error>([&]() { u.reinit(7); }), "initialize_dof_vector()");
  u.reinit(u.size());
  EXPECT_TRUE(u.all_zero());
  TrilinosVector expected(x);
  application->constraints.set_zero(expected);
  u = there(x);
  application->constraints.set_zero(u);
  EXPECT_EQ(distance(u, expected), 0.);
  EXPECT_TRUE(There().locally_owned_elements().is_empty());
}

TEST_P(DeviceVectorProblem, StaysAfterTheOperator)
{
  const TrilinosVector x = application->random_vector(1);
  There u                = there(x);
  TrilinosVector host(x);
  host = 0.;
  K.clear();
  u *= 2.;
  u.export_to(host);
  host.add(-2., x);
  EXPECT_EQ(host.linfty_norm(), 0.);
}

// Neither by its own vectors nor by the pool of deal.II's solvers.
TEST_P(DeviceVectorProblem, NothingOfTheOperatorIsLeft)
{
  K.clear();
  const unsigned int n_others = application->dof_handler.n_subscriptions();
  std::size_t first           = 0;
  for (int k = 0; k < 3; ++k)
    {
      reinit();
      K.compute_diagonal();
      There rhs = there(application->F), x;
      K.initialize_dof_vector(x);
      K.precondition_Jacobi(x, rhs, 1.);
      dealii::SolverControl control(3, 0.);
      try
        {
          dealii::SolverCG<There>(control).solve(K, x, rhs, dealii::PreconditionIdentity());
        }
      catch (const dealii::SolverControl::NoConvergence &)
        {}
      const std::size_t bytes = K.memory_consumption();
      first                   = k == 0 ? bytes : first;
      EXPECT_EQ(bytes, first);
      rhs = There();
      x   = There();
      K.clear();
      EXPECT_EQ(application->dof_handler.n_subscriptions(), n_others);
    }
}

TEST_P(DeviceVectorProblem, OfFloat)
{
  const auto of_float = make_plain_operator<float>();
  DeviceVector<float> x, y;
  of_float->initialize_dof_vector(x);
  of_float->initialize_dof_vector(y);
  EXPECT_TRUE(x.all_zero());
  x = 1e-23f; // whose square is none
  EXPECT_FALSE(x.all_zero());
  EXPECT_NEAR(x.l2_norm(), 1e-23 * std::sqrt(static_cast<double>(x.size())), 1e-28);
  x = 1.f;
  of_float->vmult(y, x);
  There u, v;
  K.initialize_dof_vector(u);
  K.initialize_dof_vector(v);
  u = 1.;
  K.vmult(v, u);
  EXPECT_NEAR(y.l2_norm(), v.l2_norm(), 1e-5 * v.l2_norm());
}

TEST_P(DeviceVectorProblem, MistakesAreNamed)
{
  There x, empty;
  K.initialize_dof_vector(x);
  EXPECT_CONTAINS(message_of<Error>([&]() { empty = 1.; }), "no entries yet");
  EXPECT_CONTAINS(message_of<Error>([&]() { x.add(1., empty); }), "no entries yet");
  EXPECT_CONTAINS(message_of<Error>([&]() { K.vmult(x, x); }), "are one");
  const auto other = make_plain_operator();
  There of_other;
  other->initialize_dof_vector(of_other);
  EXPECT_CONTAINS(message_of<Error>([&]() { K.vmult(x, of_other); }), "another StiffnessOperator");
  EXPECT_CONTAINS(message_of<Error>([&]() { x += of_other; }), "do not go together");
}

INSTANTIATE_TEST_SUITE_P(Backends,
                         DeviceVectorProblem,
                         testing::Values("cpu", "cuda"),
                         [](const auto &info) { return std::string(info.param); });
} // namespace
} // namespace strut::test
