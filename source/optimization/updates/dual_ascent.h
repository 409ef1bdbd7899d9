// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace strut
{
/// A symmetric positive semidefinite matrix, its lower triangle row by row, `[n (n + 1) / 2]`.
struct PackedMatrix
{
  static std::size_t index(const std::size_t i, const std::size_t j)
  {
    return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
  }

  double operator()(const std::size_t i, const std::size_t j) const
  {
    return entries[index(i, j)];
  }

  std::vector<double> entries;
};

/// The minimiser of `g.p + p.A p / 2` over `lower <= p <= upper`, all `[n]`, where p = 0 is
/// allowed. It is found by Newton's method in the free variables (Bertsekas 1982). Steps end at the
/// first bound where a projected step does not descend. The method suits n up to some hundreds. The
/// diagonal of A is positive; nearly dependent rows are distinguished down to 1e-13.
std::vector<double> minimise_in_box(const PackedMatrix &A,
                                    const std::vector<double> &g,
                                    const std::vector<double> &lower,
                                    const std::vector<double> &upper);

/// A concave function W of m multipliers at one point.
struct DualValue
{
  double value = 0.;
  std::vector<double> gradient; ///< `[m]`
  PackedMatrix curvature;       ///< `[m, m]`: the negative second derivatives
};

struct DualMaximum
{
  std::vector<double> multipliers;
  unsigned int passes = 0;
  double residual     = 0.;    ///< max_i |min(lambda_i / size_i, -dW/dlambda_i / scale_i)|
  bool holds          = false; ///< whether the residual is within the tolerance
};

struct DualAscent
{
  double penalty          = 1000.; ///< c, the penalty of violated constraints
  double tolerance        = 1e-10; ///< tolerance of DualMaximum::residual
  unsigned int max_passes = 60;
};

/// Maximises `W(lambda) - c sum_i ((lambda_i / c - 1)^+)^2 / 2` over multipliers that are not
/// negative. W is concave, with piecewise continuous second derivatives. The other term is that of
/// elastic variables, y >= 0 at costs `c (y + y^2 / 2)`. They bound the multipliers where
/// constraints cannot hold.
///
/// In Newton's method each step maximises the quadratic model with its bounds, so the set of zero
/// multipliers is right in few steps. A multiplier changes by no more than a factor in a step. Far
/// from its maximum, where most elements are at bounds, the function is almost linear, and it bends
/// over decades. The factor grows while steps end at it. A step is shortened until the function
/// grows, by the slopes at both ends.
///
/// @param rigid_pass  W; an expensive function
/// @param first  multipliers to begin with
/// @param sizes  of the multipliers; the right order of magnitude is enough
/// @param scales  of the gradient
DualMaximum maximise_dual(const DualAscent &settings,
                          const std::function<DualValue(const std::vector<double> &)> &rigid_pass,
                          const std::vector<double> &first,
                          const std::vector<double> &sizes,
                          const std::vector<double> &scales);
} // namespace strut
