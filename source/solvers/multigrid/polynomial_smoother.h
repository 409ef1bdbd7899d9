// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <vector>

namespace strut
{
/// A polynomial smoother as a recursion: step k is `d = b_k d + a_k B r, x += d, r -= A d`, b_0 =
/// 0.
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

  /// How many times its bound an eigenvalue may be at which that one still reduces the error. Its
  /// polynomial is W_n / (2 n + 1) at `1 - 2 x`, x the eigenvalue over the bound; beyond the bound,
  /// with `x = cosh^2 s`, that is `cosh((2 n + 1) s) / ((2 n + 1) cosh s)`: 1.50, 1.25, 1.16 for 1,
  /// 2, 3 steps, 1.03 for 10.
  static double tolerated_excess(unsigned int degree);

  /// Richardson's iteration, a_k = damping, b_k = 0: with the inverse diagonal as B it is Jacobi's.
  static PolynomialSmoother damped(unsigned int degree, double damping);
};
} // namespace strut
