// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/scratch.h"
#include "source/backend/krylov_updates.h"

#include <strut/backend/backend.h>

/// The comparators are what benchmarks measure beside strut's own, and nothing else uses. They are
/// a library of their own, so that strut does not need cuSPARSE.
namespace strut::cuda
{
class Context;

/// Strategies for the list of a backend:
///
/// - `csr (cuSPARSE)`, if the build has found that library: the matrix of `assembled` with the
///   product of NVIDIA's library;
/// - `nbn (table)`: `nbn` with C_rev as the thesis stores it, 17 numbers for each node, one node
///   after the other;
/// - `nbn (columns)`: the same, number by number, so that neighbouring threads read neighbours.
template <typename Number>
StrategyList<Number> comparators();

/// The vector work of PCG by Thrust, as in the thesis (Ratnakar 2022, algorithm 1, lines 8 to 15).
/// Six calls give alpha = r.z / p.q, x += alpha p, r -= alpha q, z = M^-1 r, r.z and
/// p = z + beta p; the two sums go to the host.
class ThrustIteration
{
public:
  explicit ThrustIteration(Backend &backend);

  /// @param rz  r.z before
  /// @param d   diagonal of M^-1; all vectors have its length
  /// @return sums, without rr
  template <typename Number>
  KrylovSums run(double rz,
                 const Array<float> &d,
                 const Array<Number> &q,
                 Array<Number> &p,
                 Array<Number> &r,
                 Array<Number> &z,
                 Array<Number> &x);

private:
  const Context &context_;
  Scratch scratch_; ///< memory for the sums of Thrust
};
} // namespace strut::cuda
