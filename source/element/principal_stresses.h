// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/stress.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace strut
{
/// The principal stresses, which are the eigenvalues of the tensor, in descending order; force per
/// area. Jacobi's rotations find them. Their errors are roundings of the largest stress, also where
/// eigenvalues are equal, for which the roots of the characteristic polynomial lose half the
/// digits.
inline std::array<double, 3> principal_stresses(const Stress &stress)
{
  const double(&s)[6]     = stress.component;
  double A[3][3]          = {{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}};
  const auto off_diagonal = [&] {
    return A[0][1] * A[0][1] + A[1][2] * A[1][2] + A[2][0] * A[2][0];
  };
  double size = 0.;
  for (const double component : s)
    size = std::max(size, std::abs(component));
  // Convergence is quadratic: four or five sweeps suffice.
  for (int sweep = 0; sweep < 20 && off_diagonal() > 1e-32 * size * size; ++sweep)
    for (int k = 0; k < 3; ++k)
      {
        const int i = k, j = (k + 1) % 3, other = (k + 2) % 3;
        if (A[i][j] == 0.)
          continue;
        // The tangent of the angle by which entry (i, j) becomes zero.
        const double ratio  = 0.5 * (A[j][j] - A[i][i]) / A[i][j];
        const double t      = std::copysign(1., ratio) / (std::abs(ratio) + std::hypot(1., ratio));
        const double cosine = 1. / std::hypot(1., t), sine = t * cosine;
        A[i][i] -= t * A[i][j];
        A[j][j] += t * A[i][j];
        A[i][j] = A[j][i]  = 0.;
        const double first = A[i][other], second = A[j][other];
        A[i][other] = A[other][i] = cosine * first - sine * second;
        A[j][other] = A[other][j] = sine * first + cosine * second;
      }
  std::array<double, 3> values{{A[0][0], A[1][1], A[2][2]}};
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}
} // namespace strut
