// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/krylov/conjugate_gradient_parts.h"

#include <cmath>

namespace strut
{
template <typename Number>
void ConjugateGradient<Number>::extrapolate(LinearOperator<Number> &A,
                                            const Preconditioner<Number> &M,
                                            const RightHandSide<Number> &b,
                                            Array<Number> &x,
                                            PackedVector<Number> &before)
{
  with_recursion(A, M, [&](auto &recursion) { step_along(A, b, recursion, x, before); });
}

/// Makes a step of conjugate gradients whose direction p is the last change.
template <typename Number>
template <typename Low>
void ConjugateGradient<Number>::step_along(LinearOperator<Number> &A,
                                           const RightHandSide<Number> &b,
                                           Recursion<Low> &recursion,
                                           Array<Number> &x,
                                           PackedVector<Number> &before)
{
  auto &[p, updates]  = recursion;
  const std::size_t n = A.n_owned();
  const auto product  = [&, &p = p, &updates = updates](const Array<Number> &with) {
    updates->curvature(n, p, with);
    return communicator_.sum(updates->sums().pq);
  };
  vectors_time_->run([&, &p = p]() {
    before.subtract_from(backend_, x, q_);
    copy_vector(backend_, n, q_, p);
    before.set(backend_, x, q_);
  });
  operator_time_->run([&]() { A.apply(x, r_); });
  KrylovSums sums;
  vectors_time_->run([&]() {
    b.subtract(backend_, n, r_);
    sums.rz = product(r_);
  });
  operator_time_->run([&, &p = p]() { multiply(A, p, q_); });
  vectors_time_->run([&, &p = p, &updates = updates]() {
    sums.pq = product(q_);
    if (!(sums.pq > 0.) || !std::isfinite(sums.alpha()))
      return;
    updates->set_sums(sums);
    updates->step(n, p, q_, x, r_);
  });
  operator_time_->report();
  vectors_time_->report();
}

template <typename Number>
void ConjugateGradient<Number>::fit(LinearOperator<Number> &A,
                                    const Array<Number> &b,
                                    Array<Number> &x)
{
  provide(q_, A.n_local());
  const auto &vectors = backend_.template vector_operations<Number>();
  const std::size_t n = A.n_owned();
  operator_time_->run([&]() { A.apply(x, q_); });
  vectors_time_->run([&]() {
    const double energy = communicator_.sum(vectors.dot(n, x, q_));
    const double a      = communicator_.sum(vectors.dot(n, x, b)) / energy;
    if (!(energy > 0.) || !std::isfinite(a))
      return x.set_zero();
    q_.set_zero();
    vectors.xpby(n, q_, static_cast<Number>(a), x);
  });
  operator_time_->report();
  vectors_time_->report();
}

template void ConjugateGradient<double>::extrapolate(LinearOperator<double> &,
                                                     const Preconditioner<double> &,
                                                     const RightHandSide<double> &,
                                                     Array<double> &,
                                                     PackedVector<double> &);
template void
ConjugateGradient<double>::fit(LinearOperator<double> &, const Array<double> &, Array<double> &);
template void ConjugateGradient<float>::extrapolate(LinearOperator<float> &,
                                                    const Preconditioner<float> &,
                                                    const RightHandSide<float> &,
                                                    Array<float> &,
                                                    PackedVector<float> &);
template void
ConjugateGradient<float>::fit(LinearOperator<float> &, const Array<float> &, Array<float> &);
} // namespace strut
