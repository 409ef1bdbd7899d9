// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "vector_operations.h"

#include "../base/parallel_loop.h"
#include "krylov_updates.h"

#include <algorithm>
#include <cmath>

namespace strut::cpu
{
template <typename Number>
void CpuVectorOperations<Number>::fill(const std::size_t n,
                                       const Number value,
                                       Array<Number> &x) const
{
  Number *const xs = x.data();
  parallel_for(n_threads_, n, [=](const std::size_t i) { xs[i] = value; });
}

template <typename Number>
void CpuVectorOperations<Number>::copy(const std::size_t n,
                                       const Array<Number> &x,
                                       Array<Number> &y) const
{
  const Number *const xs = x.data();
  Number *const ys       = y.data();
  parallel_for(n_threads_, n, [=](const std::size_t i) { ys[i] = xs[i]; });
}

template <typename Number>
void CpuVectorOperations<Number>::axpy(const std::size_t n,
                                       const Number a,
                                       const Array<Number> &x,
                                       Array<Number> &y) const
{
  const Number *const xs = x.data();
  Number *const ys       = y.data();
  parallel_for(n_threads_, n, [=](const std::size_t i) { ys[i] += a * xs[i]; });
}

template <typename Number>
void CpuVectorOperations<Number>::xpby(const std::size_t n,
                                       const Array<Number> &x,
                                       const Number b,
                                       Array<Number> &y) const
{
  const Number *const xs = x.data();
  Number *const ys       = y.data();
  parallel_for(n_threads_, n, [=](const std::size_t i) { ys[i] = xs[i] + b * ys[i]; });
}

template <typename Number>
void CpuVectorOperations<Number>::multiply(const std::size_t n,
                                           const Array<Number> &x,
                                           const Array<Number> &y,
                                           Array<Number> &z) const
{
  const Number *const xs = x.data();
  const Number *const ys = y.data();
  Number *const zs       = z.data();
  parallel_for(n_threads_, n, [=](const std::size_t i) { zs[i] = xs[i] * ys[i]; });
}

template <typename Number>
void CpuVectorOperations<Number>::divide(const std::size_t n,
                                         const Array<Number> &x,
                                         const Array<Number> &y,
                                         Array<Number> &z) const
{
  const Number *const xs = x.data();
  const Number *const ys = y.data();
  Number *const zs       = z.data();
  parallel_for(n_threads_, n, [=](const std::size_t i) { zs[i] = xs[i] / ys[i]; });
}

template <typename Number>
void CpuVectorOperations<Number>::reciprocal(const std::size_t n,
                                             const Array<Number> &x,
                                             Array<float> &y) const
{
  const Number *const xs = x.data();
  float *const ys        = y.data();
  parallel_for(n_threads_, n, [=](const std::size_t i) {
    ys[i] = static_cast<float>(Number(1) / xs[i]);
  });
}

template <typename Number>
double CpuVectorOperations<Number>::dot(const std::size_t n,
                                        const Array<Number> &x,
                                        const Array<Number> &y) const
{
  const Number *const xs = x.data();
  const Number *const ys = y.data();
  return parallel_sum(n_threads_, n, [=](const std::size_t i) {
    return static_cast<double>(xs[i]) * static_cast<double>(ys[i]);
  });
}

template <typename Number>
double CpuVectorOperations<Number>::sum(const std::size_t n, const Array<Number> &x) const
{
  const Number *const xs = x.data();
  return parallel_sum(n_threads_, n, [=](const std::size_t i) {
    return static_cast<double>(xs[i]);
  });
}

template <typename Number>
double CpuVectorOperations<Number>::max_difference(const std::size_t n,
                                                   const Array<Number> &x,
                                                   const Array<Number> &y) const
{
  const Number *const xs = x.data();
  const Number *const ys = y.data();
  return parallel_max(parts_of_loop(n_threads_, n), n, [=](const std::size_t i) {
    return std::abs(static_cast<double>(xs[i]) - static_cast<double>(ys[i]));
  });
}

template <typename Number>
void CpuVectorOperations<Number>::gather(const Array<std::uint32_t> &indices,
                                         const Array<Number> &x,
                                         Array<Number> &out) const
{
  const std::uint32_t *const index = indices.data();
  const Number *const xs           = x.data();
  Number *const outs               = out.data();
  parallel_for(n_threads_, indices.size(), [=](const std::size_t k) { outs[k] = xs[index[k]]; });
}

template <typename Number>
void CpuVectorOperations<Number>::scatter(const Array<std::uint32_t> &indices,
                                          const Array<Number> &in,
                                          Array<Number> &x) const
{
  const std::uint32_t *const index = indices.data();
  const Number *const ins          = in.data();
  Number *const xs                 = x.data();
  parallel_for(n_threads_, indices.size(), [=](const std::size_t k) { xs[index[k]] = ins[k]; });
}

template <typename Number>
void CpuVectorOperations<Number>::scatter_add(const Array<std::uint32_t> &indices,
                                              const Array<Number> &in,
                                              Array<Number> &x) const
{
  const std::uint32_t *const index = indices.data();
  const Number *const ins          = in.data();
  Number *const xs                 = x.data();
  parallel_for(n_threads_, indices.size(), [=](const std::size_t k) { xs[index[k]] += ins[k]; });
}

template <typename Number>
void CpuVectorOperations<Number>::set(const Array<std::uint32_t> &indices,
                                      const Number value,
                                      Array<Number> &x) const
{
  const std::uint32_t *const index = indices.data();
  Number *const xs                 = x.data();
  parallel_for(n_threads_, indices.size(), [=](const std::size_t k) { xs[index[k]] = value; });
}

template <typename Number>
std::unique_ptr<KrylovUpdates<Number>> CpuVectorOperations<Number>::make_krylov_updates() const
{
  return std::make_unique<CpuKrylovUpdates<Number>>(n_threads_);
}

template class CpuVectorOperations<double>;
template class CpuVectorOperations<float>;
} // namespace strut::cpu
