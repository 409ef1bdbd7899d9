// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/coarse/block_matrix.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace strut
{
/// Throws SolverFailure unless the matrix of the coarsest level has a Cholesky factor.
void require_cholesky_factor(bool exists);

/// The sparse Cholesky factor of a matrix of blocks, scaled to a unit diagonal. Rows without a
/// diagonal are left out. Coarse functions may depend on one another up to rounding. So where the
/// factorisation fails, the diagonal grows by 1e-11, then by 1e-10 and so on, up to 1e-8.
class CoarsestFactor
{
public:
  CoarsestFactor();
  ~CoarsestFactor();

  /// Factorise a matrix. Throws SolverFailure if it is not positive definite.
  template <int B>
  void set(const BlockMatrix<B, B> &A);

  /// Compute x = A^-1 r.
  void solve(const std::vector<double> &r, std::vector<double> &x) const;

  std::size_t bytes() const;

private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};
} // namespace strut
