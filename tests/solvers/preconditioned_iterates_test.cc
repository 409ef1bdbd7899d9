// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/solve.h"
#include "../fixtures/vectors.h"
#include "source/solvers/krylov/conjugate_gradient.h"

#include <strut/base/exceptions.h>

#include <functional>

namespace strut::test
{
namespace
{
using Vector = std::vector<double>;
using Map    = std::function<Vector(const Vector &)>;

constexpr std::size_t n_unknowns = 37;

Vector add(const Vector &x, const double a, const Vector &y)
{
  Vector result(x);
  for (std::size_t i = 0; i < x.size(); ++i)
    result[i] += a * y[i];
  return result;
}

/// A matrix A = B B^T + I, with a diagonal that varies by 1e2.
class DenseMatrix
{
public:
  DenseMatrix()
  {
    const Vector B     = random_vector(n_unknowns * n_unknowns, 11),
                 scale = random_vector(n_unknowns, 12, 0.1, 1.);
    for (std::size_t i = 0; i < n_unknowns; ++i)
      for (std::size_t j = 0; j < n_unknowns; ++j)
        {
          double sum = i == j;
          for (std::size_t k = 0; k < n_unknowns; ++k)
            sum += B[i * n_unknowns + k] * B[j * n_unknowns + k];
          entries_[i * n_unknowns + j] = scale[i] * scale[j] * sum;
        }
  }
  Vector operator()(const Vector &x) const
  {
    Vector y(n_unknowns);
    for (std::size_t i = 0; i < n_unknowns; ++i)
      for (std::size_t j = 0; j < n_unknowns; ++j)
        y[i] += entries_[i * n_unknowns + j] * x[j];
    return y;
  }
  std::vector<float> inverse_diagonal() const
  {
    std::vector<float> d(n_unknowns);
    for (std::size_t i = 0; i < n_unknowns; ++i)
      d[i] = static_cast<float>(1. / entries_[i * n_unknowns + i]);
    return d;
  }

private:
  Vector entries_ = Vector(n_unknowns * n_unknowns);
};

Map multiply_by(const std::vector<float> &d)
{
  return [d](const Vector &r) {
    Vector z(r);
    for (std::size_t i = 0; i < n_unknowns; ++i)
      z[i] *= d[i];
    return z;
  };
}

/// A map on a backend, computed on the host.
class HostOperator : public LinearOperator<double>
{
public:
  explicit HostOperator(Map map) : map_(std::move(map))
  {}
  void apply(Array<double> &x, Array<double> &y) override
  {
    y.copy_from_host(map_(x.to_host()));
  }
  std::size_t n_local() const override
  {
    return n_unknowns;
  }
  std::size_t n_owned() const override
  {
    return n_unknowns;
  }

private:
  Map map_;
};

class HostPreconditioner : public Preconditioner<double>
{
public:
  explicit HostPreconditioner(Map map) : map_(std::move(map))
  {}
  void apply(const Array<double> &r, Array<double> &z) override
  {
    z.copy_from_host(map_(r.to_host()));
  }

private:
  Map map_;
};

class DiagonalPreconditioner : public Preconditioner<double>
{
public:
  DiagonalPreconditioner(Memory &memory, const std::vector<float> &d) : d_(memory, d)
  {}
  void apply(const Array<double> &, Array<double> &) override
  {
    FAIL() << "not needed";
  }
  const Array<float> *inverse_diagonal() const override
  {
    return &d_;
  }

private:
  Array<float> d_;
};

/// x after so many steps from 0, by Saad 2003, algorithm 9.1.
Vector textbook(const Map &A, const Map &M, const Vector &b, const int n_steps)
{
  Vector x(n_unknowns), r = b, z = M(r), p = z;
  for (int step = 0; step < n_steps; ++step)
    {
      const Vector q     = A(p);
      const double rz    = dot(r, z);
      const double alpha = rz / dot(p, q);
      x                  = add(x, alpha, p);
      r                  = add(r, -alpha, q);
      z                  = M(r);
      const double beta  = dot(r, z) / rz;
      p                  = add(z, beta, p);
    }
  return x;
}

class IteratesTest : public PlaceTest
{
protected:
  /// x after so many steps of the solver.
  Vector iterate(const Map &A, Preconditioner<double> &M, const Vector &b, const int n_steps)
  {
    Array<double> x(backend().memory(), n_unknowns);
    const SolverControl control = to_tolerance(1e-30, static_cast<unsigned int>(n_steps));
    HostOperator on_backend(A);
    TimingTable timing;
    ConjugateGradient<double> solver(backend(), Communicator(), timing);
    try
      {
        solver.solve(control, on_backend, M, Array<double>(backend().memory(), b), x);
        ADD_FAILURE() << "converged";
      }
    catch (const SolverFailure &failure)
      {
        EXPECT_TRUE(failure.at_limit) << failure.what();
      }
    return x.to_host();
  }

  unsigned int iterations(const Map &A, Preconditioner<double> &M, const Vector &b)
  {
    HostOperator on_backend(A);
    const Solution found =
      solve_from_zero<double>(backend(), on_backend, M, b, to_tolerance(1e-10, 10000));
    EXPECT_LE(norm(add(b, -1., A(found.u))), 1.01e-10 * norm(b));
    return found.iterations();
  }

  const DenseMatrix A_;
  const Vector b_ = random_vector(n_unknowns, 13);
};

// The fused steps equal those of the textbook: with z in registers, and with z stored.
TEST_P(IteratesTest, EqualTheTextbook)
{
  const auto d = A_.inverse_diagonal();
  for (const int n_steps : {1, 2, 3, 10})
    {
      SCOPED_TRACE(n_steps);
      const Vector expected = textbook(A_, multiply_by(d), b_, n_steps);
      DiagonalPreconditioner diagonal(backend().memory(), d);
      EXPECT_LE(relative_difference(iterate(A_, diagonal, b_, n_steps), expected), 1e-11);
      HostPreconditioner stored(multiply_by(d));
      EXPECT_LE(relative_difference(iterate(A_, stored, b_, n_steps), expected), 1e-11);
    }
}

// A diagonal preconditioner takes as many iterations whether z is stored or not.
TEST_P(IteratesTest, TakeAsManyIterations)
{
  const auto d = A_.inverse_diagonal();
  DiagonalPreconditioner diagonal(backend().memory(), d);
  HostPreconditioner stored(multiply_by(d));
  EXPECT_EQ(iterations(A_, stored, b_), iterations(A_, diagonal, b_));
}

INSTANTIATE_TEST_SUITE_P(Core, IteratesTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
