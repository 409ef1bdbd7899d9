// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../base/parallel_loop.cuh"
#include "krylov_updates.h"
#include "vector_operations.h"

namespace strut::cuda
{
template <typename Number>
void CudaVectorOperations<Number>::fill(const std::size_t n,
                                        const Number value,
                                        Array<Number> &x) const
{
  Number *const xs = x.data();
  parallel_for(context_, n, [=] __device__(const std::size_t i) { xs[i] = value; });
}

template <typename Number>
void CudaVectorOperations<Number>::copy(const std::size_t n,
                                        const Array<Number> &x,
                                        Array<Number> &y) const
{
  const Number *const xs = x.data();
  Number *const ys       = y.data();
  parallel_for(context_, n, [=] __device__(const std::size_t i) { ys[i] = xs[i]; });
}

template <typename Number>
void CudaVectorOperations<Number>::axpy(const std::size_t n,
                                        const Number a,
                                        const Array<Number> &x,
                                        Array<Number> &y) const
{
  const Number *const xs = x.data();
  Number *const ys       = y.data();
  parallel_for(context_, n, [=] __device__(const std::size_t i) { ys[i] += a * xs[i]; });
}

template <typename Number>
void CudaVectorOperations<Number>::xpby(const std::size_t n,
                                        const Array<Number> &x,
                                        const Number b,
                                        Array<Number> &y) const
{
  const Number *const xs = x.data();
  Number *const ys       = y.data();
  parallel_for(context_, n, [=] __device__(const std::size_t i) { ys[i] = xs[i] + b * ys[i]; });
}

template <typename Number>
void CudaVectorOperations<Number>::multiply(const std::size_t n,
                                            const Array<Number> &x,
                                            const Array<Number> &y,
                                            Array<Number> &z) const
{
  const Number *const xs = x.data();
  const Number *const ys = y.data();
  Number *const zs       = z.data();
  parallel_for(context_, n, [=] __device__(const std::size_t i) { zs[i] = xs[i] * ys[i]; });
}

template <typename Number>
void CudaVectorOperations<Number>::divide(const std::size_t n,
                                          const Array<Number> &x,
                                          const Array<Number> &y,
                                          Array<Number> &z) const
{
  const Number *const xs = x.data();
  const Number *const ys = y.data();
  Number *const zs       = z.data();
  parallel_for(context_, n, [=] __device__(const std::size_t i) { zs[i] = xs[i] / ys[i]; });
}

template <typename Number>
void CudaVectorOperations<Number>::reciprocal(const std::size_t n,
                                              const Array<Number> &x,
                                              Array<float> &y) const
{
  const Number *const xs = x.data();
  float *const ys        = y.data();
  parallel_for(context_, n, [=] __device__(const std::size_t i) {
    ys[i] = static_cast<float>(Number(1) / xs[i]);
  });
}

template <typename Number>
double CudaVectorOperations<Number>::dot(const std::size_t n,
                                         const Array<Number> &x,
                                         const Array<Number> &y) const
{
  const Number *const xs = x.data();
  const Number *const ys = y.data();
  return parallel_sum(context_, n, [=] __device__(const std::size_t i) {
    return static_cast<double>(xs[i]) * static_cast<double>(ys[i]);
  });
}

template <typename Number>
double CudaVectorOperations<Number>::sum(const std::size_t n, const Array<Number> &x) const
{
  const Number *const xs = x.data();
  return parallel_sum(context_, n, [=] __device__(const std::size_t i) {
    return static_cast<double>(xs[i]);
  });
}

template <typename Number>
double CudaVectorOperations<Number>::max_difference(const std::size_t n,
                                                    const Array<Number> &x,
                                                    const Array<Number> &y) const
{
  const Number *const xs = x.data();
  const Number *const ys = y.data();
  return parallel_reduce(context_, n, Maximum(), [=] __device__(const std::size_t i) {
    return fabs(static_cast<double>(xs[i]) - static_cast<double>(ys[i]));
  });
}

template <typename Number>
void CudaVectorOperations<Number>::gather(const Array<std::uint32_t> &indices,
                                          const Array<Number> &x,
                                          Array<Number> &out) const
{
  const std::uint32_t *const index = indices.data();
  const Number *const xs           = x.data();
  Number *const outs               = out.data();
  parallel_for(context_, indices.size(), [=] __device__(const std::size_t k) {
    outs[k] = xs[index[k]];
  });
}

template <typename Number>
void CudaVectorOperations<Number>::scatter(const Array<std::uint32_t> &indices,
                                           const Array<Number> &in,
                                           Array<Number> &x) const
{
  const std::uint32_t *const index = indices.data();
  const Number *const ins          = in.data();
  Number *const xs                 = x.data();
  parallel_for(context_, indices.size(), [=] __device__(const std::size_t k) {
    xs[index[k]] = ins[k];
  });
}

template <typename Number>
void CudaVectorOperations<Number>::scatter_add(const Array<std::uint32_t> &indices,
                                               const Array<Number> &in,
                                               Array<Number> &x) const
{
  const std::uint32_t *const index = indices.data();
  const Number *const ins          = in.data();
  Number *const xs                 = x.data();
  parallel_for(context_, indices.size(), [=] __device__(const std::size_t k) {
    xs[index[k]] += ins[k];
  });
}

template <typename Number>
void CudaVectorOperations<Number>::set(const Array<std::uint32_t> &indices,
                                       const Number value,
                                       Array<Number> &x) const
{
  const std::uint32_t *const index = indices.data();
  Number *const xs                 = x.data();
  parallel_for(context_, indices.size(), [=] __device__(const std::size_t k) {
    xs[index[k]] = value;
  });
}

template <typename Number>
std::unique_ptr<KrylovUpdates<Number>> CudaVectorOperations<Number>::make_krylov_updates() const
{
  return std::make_unique<CudaKrylovUpdates<Number>>(context_);
}

template class CudaVectorOperations<double>;
template class CudaVectorOperations<float>;
} // namespace strut::cuda
