// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/thrust_policy.cuh"
#include "cuda/comparison/comparators/comparators.h"

#include <thrust/inner_product.h>
#include <thrust/transform.h>

namespace strut::cuda
{
ThrustIteration::ThrustIteration(Backend &backend)
  : context_(context_of(backend)), scratch_(backend.memory())
{}

template <typename Number>
KrylovSums ThrustIteration::run(const double rz,
                                const Array<float> &d,
                                const Array<Number> &q,
                                Array<Number> &p,
                                Array<Number> &r,
                                Array<Number> &z,
                                Array<Number> &x)
{
  const std::size_t n = d.size();
  const auto run      = [&](const auto &work) { return with_thrust(context_, scratch_, work); };
  const auto dot      = [&](const Array<Number> &a, const Array<Number> &b) {
    return run([&](const auto &policy) {
      return thrust::inner_product(policy, a.data(), a.data() + n, b.data(), 0.);
    });
  };
  // c = f(a, b)
  const auto transform =
    [&](const auto &a, const Array<Number> &b, Array<Number> &c, const auto &f) {
      run([&](const auto &policy) {
        thrust::transform(policy, a.data(), a.data() + n, b.data(), c.data(), f);
      });
    };
  KrylovSums sums;
  sums.rz            = rz;
  sums.pq            = dot(p, q);
  const Number alpha = static_cast<Number>(sums.alpha());
  transform(x, p, x, [alpha] __device__(const Number xi, const Number pi) {
    return xi + alpha * pi;
  });
  transform(r, q, r, [alpha] __device__(const Number ri, const Number qi) {
    return ri - alpha * qi;
  });
  transform(d, r, z, [] __device__(const float di, const Number ri) { return Number(di) * ri; });
  sums.rz_next      = dot(r, z);
  const Number beta = static_cast<Number>(sums.beta());
  transform(p, z, p, [beta] __device__(const Number pi, const Number zi) {
    return zi + beta * pi;
  });
  return sums;
}

template KrylovSums ThrustIteration::run(double,
                                         const Array<float> &,
                                         const Array<double> &,
                                         Array<double> &,
                                         Array<double> &,
                                         Array<double> &,
                                         Array<double> &);
template KrylovSums ThrustIteration::run(double,
                                         const Array<float> &,
                                         const Array<float> &,
                                         Array<float> &,
                                         Array<float> &,
                                         Array<float> &,
                                         Array<float> &);
} // namespace strut::cuda
