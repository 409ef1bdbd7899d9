// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/vector_operations.h>

namespace strut::cpu
{
/// VectorOperations with threads of the host.
template <typename Number>
class CpuVectorOperations : public VectorOperations<Number>
{
public:
  explicit CpuVectorOperations(const int n_threads) : n_threads_(n_threads)
  {}

  void fill(std::size_t n, Number value, Array<Number> &x) const override;
  void copy(std::size_t n, const Array<Number> &x, Array<Number> &y) const override;
  void axpy(std::size_t n, Number a, const Array<Number> &x, Array<Number> &y) const override;
  void xpby(std::size_t n, const Array<Number> &x, Number b, Array<Number> &y) const override;
  void multiply(std::size_t n,
                const Array<Number> &x,
                const Array<Number> &y,
                Array<Number> &z) const override;
  void divide(std::size_t n,
              const Array<Number> &x,
              const Array<Number> &y,
              Array<Number> &z) const override;
  void reciprocal(std::size_t n, const Array<Number> &x, Array<float> &y) const override;
  double dot(std::size_t n, const Array<Number> &x, const Array<Number> &y) const override;
  double sum(std::size_t n, const Array<Number> &x) const override;
  double
  max_difference(std::size_t n, const Array<Number> &x, const Array<Number> &y) const override;
  void gather(const Array<std::uint32_t> &indices,
              const Array<Number> &x,
              Array<Number> &out) const override;
  void scatter(const Array<std::uint32_t> &indices,
               const Array<Number> &in,
               Array<Number> &x) const override;
  void scatter_add(const Array<std::uint32_t> &indices,
                   const Array<Number> &in,
                   Array<Number> &x) const override;
  void set(const Array<std::uint32_t> &indices, Number value, Array<Number> &x) const override;
  std::unique_ptr<KrylovUpdates<Number>> make_krylov_updates() const override;

private:
  int n_threads_;
};
} // namespace strut::cpu
