// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/transport.h"

#include <strut/base/array.h>
#include <strut/base/host_device.h>

#include <cstddef>

namespace strut
{
/// The sums of an iteration of preconditioned conjugate gradients, and the scalars that follow from
/// them. p: direction; q = A p; r: residual; z = M^-1 r.
struct KrylovSums
{
  double pq      = 0; ///< p.q
  double rz      = 0; ///< r.z before the step
  double rz_next = 0; ///< r.z after the step
  double rr      = 0; ///< r.r after the step

  /// Length of the step. It is 0 where the operator is not positive definite along p.
  STRUT_HOST_DEVICE double alpha() const
  {
    return pq > 0. ? rz / pq : 0.;
  }

  /// The factor of p in the next direction (Fletcher and Reeves). The next direction is A-conjugate
  /// to p if M is constant and symmetric.
  STRUT_HOST_DEVICE double beta() const
  {
    return rz > 0. ? rz_next / rz : 0.;
  }
};

/// The vector work of preconditioned conjugate gradients, each operation one pass over the vectors.
/// The sums stay in the memory of the vectors, and the operations take step lengths from them:
/// nothing waits for the host.
///
/// All operations act on the first n entries and may be called with n = 0. d is the inverse
/// diagonal of a diagonal preconditioner, `z_i = d_i r_i`. Float is enough for it, since any
/// positive d gives a preconditioner. Sums are accumulated in double, in an order that depends on n
/// and the machine only.
///
/// Vectors x, r and q are of Number; z and p are of Low, which may be float for Number = double.
/// Entries of Low are computed in Number and rounded once.
template <typename Number, typename Low = Number>
class KrylovUpdates
{
public:
  virtual ~KrylovUpdates() = default;

  /// The current sums of this rank. Waits for the last operation that makes one, not for operations
  /// submitted after it.
  virtual KrylovSums sums() = 0;

  /// Replaces n sums of the last operation by those over all ranks. `first` is the first of them,
  /// in the order of KrylovSums. Collective.
  virtual void share(Transport &transport, double KrylovSums::*first, std::size_t n) = 0;

  /// Replaces the sums for the following operations.
  virtual void set_sums(const KrylovSums &sums) = 0;

  /// y_i = d_i x_i; y may be x
  virtual void
  scale(std::size_t n, const Array<float> &d, const Array<Number> &x, Array<Low> &y) = 0;

  /// rr = r.r, rz_next = sum_i d_i r_i^2
  virtual void norms(std::size_t n, const Array<float> &d, const Array<Number> &r) = 0;

  /// rr = r.r
  virtual void norm(std::size_t n, const Array<Number> &r) = 0;

  /// rz = rz_next, then pq = p.q
  virtual void curvature(std::size_t n, const Array<Low> &p, const Array<Number> &q) = 0;

  /// r -= alpha q, rr = r.r, rz_next = sum_i d_i r_i^2
  virtual void reduce_residual(std::size_t n,
                               const Array<Number> &q,
                               const Array<float> &d,
                               Array<Number> &r) = 0;

  /// x += alpha p, p_i = d_i r_i + beta p_i
  virtual void advance(std::size_t n,
                       const Array<float> &d,
                       const Array<Number> &r,
                       Array<Low> &p,
                       Array<Number> &x) = 0;

  /// x += alpha p, r -= alpha q, rr = r.r
  virtual void step(std::size_t n,
                    const Array<Low> &p,
                    const Array<Number> &q,
                    Array<Number> &x,
                    Array<Number> &r) = 0;

  /// rz_next = r.z
  virtual void scalar_product(std::size_t n, const Array<Number> &r, const Array<Low> &z) = 0;

  /// p = z + beta p
  virtual void next_direction(std::size_t n, const Array<Low> &z, Array<Low> &p) = 0;
};
} // namespace strut
