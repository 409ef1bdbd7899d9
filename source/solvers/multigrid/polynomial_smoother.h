// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <vector>

namespace strut
{
/// A polynomial smoother as a recursion: step k is `d = b_k d + a_k B r, x += d, r -= A d`, with
/// b_0 = 0.
struct PolynomialSmoother
{
  std::vector<double> a, b; ///< `[degree]`

  unsigned int degree() const
  {
    return static_cast<unsigned int>(a.size());
  }

  /// Chebyshev's polynomial of the fourth kind: for all eigenvalues up to `bound`, weighted for
  /// V-cycles (Phillips and Fischer 2022, algorithm 3). There is no range to choose.
  static PolynomialSmoother chebyshev_fourth_kind(unsigned int degree, double bound);

  /// Largest ratio of an eigenvalue to the bound for which chebyshev_fourth_kind() still reduces
  /// the error. The polynomial is W_n / (2 n + 1) at `1 - 2 x`, with x the eigenvalue over the
  /// bound. Beyond the bound, with `x = cosh^2 s`, that is
  /// `cosh((2 n + 1) s) / ((2 n + 1) cosh s)`. The ratio is 1.50, 1.25, 1.16 for 1, 2, 3 steps, and
  /// 1.03 for 10.
  static double tolerated_excess(unsigned int degree);

  /// Richardson's iteration, a_k = damping, b_k = 0. With the inverse diagonal as B it is Jacobi's.
  static PolynomialSmoother damped(unsigned int degree, double damping);
};
} // namespace strut
