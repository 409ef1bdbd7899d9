// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "../base/context.h"

#include <strut/backend/krylov_updates.h>

namespace strut::cuda
{
/// KrylovUpdates on one device; everything is submitted, only sums() waits.
template <typename Number>
class CudaKrylovUpdates : public KrylovUpdates<Number>
{
public:
  /// What the kernels share.
  struct Scratch
  {
    KrylovSums *sums;       ///< on the device
    KrylovSums *on_host;    ///< page-locked copy that the device writes
    double *partial;        ///< `[2][blocks]`, sums of the blocks
    unsigned int *finished; ///< blocks that are done; 0 between kernels
  };

  explicit CudaKrylovUpdates(const Context &context);
  ~CudaKrylovUpdates() override;
  CudaKrylovUpdates(const CudaKrylovUpdates &)            = delete;
  CudaKrylovUpdates &operator=(const CudaKrylovUpdates &) = delete;

  KrylovSums sums() override;
  void set_sums(const KrylovSums &sums) override;
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
  template <typename Operation>
  void walk(std::size_t n, const Operation &operation);
  void release() noexcept;

  const Context &context_;
  unsigned int max_blocks_;
  Scratch scratch_   = {nullptr, nullptr, nullptr, nullptr};
  cudaEvent_t ready_ = nullptr; ///< the sums are on the host
};
} // namespace strut::cuda
