// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/solvers/conjugate_gradient.h>

#include <cmath>
#include <limits>
#include <sstream>

namespace strut
{
namespace
{
std::string describe(const SolverControl &control, const double residual)
{
  std::ostringstream text;
  text << (control.criterion == SolverControl::Criterion::absolute ? "r^T M^-1 r = "
                                                                   : "|r| / |b| = ")
       << residual << ", tolerance " << control.tolerance;
  return text.str();
}
} // namespace

template <typename Number>
ConjugateGradient<Number>::ConjugateGradient(Backend &backend,
                                             const Communicator &communicator,
                                             TimingTable &timing)
  : backend_(backend), communicator_(communicator), timing_(timing)
{}

template <typename Number>
double ConjugateGradient<Number>::dot(const std::size_t n,
                                      const Array<Number> &x,
                                      const Array<Number> &y) const
{
  return communicator_.sum(backend_.vector_operations<Number>().dot(n, x, y));
}

template <typename Number>
SolverReport ConjugateGradient<Number>::solve(const SolverControl &control,
                                              LinearOperator<Number> &A,
                                              Preconditioner<Number> &M,
                                              const Array<Number> &b,
                                              Array<Number> &x)
{
  const auto &vectors = backend_.vector_operations<Number>();
  const std::size_t n = A.n_owned();
  if (r_.size() != A.n_local())
    for (Array<Number> *work : {&r_, &z_, &p_, &q_})
      *work = Array<Number>(backend_.memory(), A.n_local());

  const auto apply = [&](Array<Number> &in, Array<Number> &out) {
    TimingTable::Scope scope(timing_, "operator", &backend_);
    A.apply(in, out);
  };

  const bool relative = control.criterion == SolverControl::Criterion::relative;
  const double norm_b = relative ? std::sqrt(dot(n, b, b)) : 0.;
  double rz           = 0;
  // What the criterion looks at, of the r and r^T z at hand.
  const auto residual = [&]() {
    if (!relative)
      return rz;
    const double norm_r = std::sqrt(dot(n, r_, r_));
    return norm_b > 0. ? norm_r / norm_b : norm_r;
  };

  SolverReport report;
  const auto require_finite = [&]() {
    if (!std::isfinite(report.residual) || !std::isfinite(rz))
      throw SolverFailure("The conjugate gradient solver met a number that is not finite after " +
                          std::to_string(report.iterations) +
                          " iterations: inverted elements, a density that is not a number, or an "
                          "overflow. With 'Precision = float' try double.");
  };

  // Rounding lets the r of the recursion drift away from b - A x. So a solve that believes to have
  // converged looks at the latter, and goes on from there for as long as that helps.
  for (double last = std::numeric_limits<double>::infinity();;)
    {
      // (1) r = b - A x, z = M^-1 r, p = z
      apply(x, r_);
      {
        TimingTable::Scope scope(timing_, "PCG vectors", &backend_);
        vectors.xpby(n, b, Number(-1), r_);
        M.apply(r_, z_);
        vectors.copy(n, z_, p_);
        rz              = dot(n, r_, z_);
        report.residual = residual();
      }
      require_finite();
      report.converged = report.residual <= control.tolerance;
      if (report.converged || report.residual > 0.5 * last)
        return report;
      last = report.residual;

      for (double recursive = last; recursive > control.tolerance; ++report.iterations)
        {
          if (report.iterations >= control.max_iterations)
            throw SolverFailure(
              "The conjugate gradient solver has not converged after " +
                std::to_string(control.max_iterations) + " iterations (" +
                describe(control, recursive) +
                ").\n  Raise 'Maximum iterations' or 'Tolerance' in subsection Solver.",
              /*at_limit*/ true);

          // (2) alpha = r.z / p.A p
          apply(p_, q_);
          TimingTable::Scope scope(timing_, "PCG vectors", &backend_);
          const double pq = dot(n, p_, q_);
          if (!(pq > 0.))
            {
              report.residual = std::isnan(pq) ? pq : recursive;
              require_finite();
              std::ostringstream text;
              text
                << "The conjugate gradient solver found that the operator is not positive "
                   "definite (p^T A p = "
                << pq << " after " << report.iterations << " iterations, "
                << describe(control, recursive)
                << ").\n  Look for supports that leave a rigid motion, inverted elements, or (with "
                   "'Precision = float') a tolerance below what the precision can reach.";
              throw SolverFailure(text.str());
            }
          const double alpha = rz / pq;

          // (3) x += alpha p, r -= alpha A p, z = M^-1 r
          vectors.axpy(n, Number(alpha), p_, x);
          vectors.axpy(n, Number(-alpha), q_, r_);
          M.apply(r_, z_);

          // (4) p = z + beta p
          const double rz_new = dot(n, r_, z_);
          vectors.xpby(n, z_, Number(rz_new / rz), p_);
          rz              = rz_new;
          report.residual = recursive = residual();
          require_finite();
        }
    }
}

template class ConjugateGradient<double>;
template class ConjugateGradient<float>;
} // namespace strut
