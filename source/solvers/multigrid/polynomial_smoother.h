// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <vector>

namespace strut
{
/// A polynomial smoother as a recursion: step k is `d = b_k d + a_k B r, x += d, r -= A d`, b_0 = 0.
struct PolynomialSmoother
{
  std::vector<double> a, b; ///< `[degree]`

  unsigned int degree() const
  {
    return static_cast<unsigned int>(a.size());
  }

  /// Of the fourth kind: for all eigenvalues up to `bound`, weighted as the V-cycle wants them
  /// (Phillips and Fischer 2022, algorithm 3; no range to choose).
  static PolynomialSmoother chebyshev_fourth_kind(unsigned int degree, double bound);

  /// Richardson's iteration, a_k = damping, b_k = 0: with the inverse diagonal as B it is Jacobi's.
  static PolynomialSmoother damped(unsigned int degree, double damping);
};
} // namespace strut
