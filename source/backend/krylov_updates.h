// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/krylov_updates.h>

namespace strut::cpu
{
/// KrylovUpdates with threads of the host; sums as parallel_sum() makes them.
template <typename Number>
class CpuKrylovUpdates : public KrylovUpdates<Number>
{
public:
  explicit CpuKrylovUpdates(const int n_threads) : n_threads_(n_threads)
  {}

  KrylovSums sums() override
  {
    return sums_;
  }
  void set_sums(const KrylovSums &sums) override
  {
    sums_ = sums;
  }
  void
  scale(std::size_t n, const Array<float> &d, const Array<Number> &x, Array<Number> &y) override;
  void norms(std::size_t n, const Array<float> &d, const Array<Number> &r) override;
  void norm(std::size_t n, const Array<Number> &r) override;
  void curvature(std::size_t n, const Array<Number> &p, const Array<Number> &q) override;
  void reduce_residual(std::size_t n,
                       const Array<Number> &q,
                       const Array<float> &d,
                       Array<Number> &r) override;
  void advance(std::size_t n,
               const Array<float> &d,
               const Array<Number> &r,
               Array<Number> &p,
               Array<Number> &x) override;
  void step(std::size_t n,
            const Array<Number> &p,
            const Array<Number> &q,
            Array<Number> &x,
            Array<Number> &r) override;
  void products(std::size_t n,
                const Array<Number> &r,
                const Array<Number> &z,
                const Array<Number> &q) override;
  void
  next_direction(std::size_t n, const Array<Number> &z, bool flexible, Array<Number> &p) override;

private:
  int n_threads_;
  KrylovSums sums_;
};
} // namespace strut::cpu
