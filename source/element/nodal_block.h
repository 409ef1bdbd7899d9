// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

namespace strut
{
/// A symmetric block of n x n numbers for the n components of a node: the rows of its upper
/// triangle.
template <typename Number, int n = 3>
struct NodalBlock;

/// A symmetric 3x3 block: xx, xy, xz, yy, yz, zz.
template <typename Number>
struct NodalBlock<Number, 3>
{
  static constexpr int size = 6;

  Number entry[size];

  STRUT_HOST_DEVICE static constexpr int index(const int i, const int j)
  {
    // no recursion with i and j exchanged: nvcc would keep blocks in memory
    return i <= j ? 3 * i - i * (i + 1) / 2 + j : 3 * j - j * (j + 1) / 2 + i;
  }

  /// Computes y = block x.
  STRUT_HOST_DEVICE void multiply(const Number (&x)[3], Number (&y)[3]) const
  {
    for (int i = 0; i < 3; ++i)
      y[i] = entry[index(i, 0)] * x[0] + entry[index(i, 1)] * x[1] + entry[index(i, 2)] * x[2];
  }

  /// The inverse of the part of the components that are not in `constrained` (bit c), zero in the
  /// rows and columns of the others. It is all zero if that part is not positive definite. Computed
  /// by Cholesky's L D L^T in double.
  STRUT_HOST_DEVICE NodalBlock inverse_of_free_part(const unsigned int constrained) const
  {
    double A[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        A[i][j] = (constrained >> i & 1) != 0 || (constrained >> j & 1) != 0
                    ? (i == j ? 1. : 0.)
                    : static_cast<double>(entry[index(i, j)]);
    NodalBlock result = {};
    const double d0   = A[0][0];
    const double l10 = A[1][0] / d0, l20 = A[2][0] / d0;
    const double d1  = A[1][1] - l10 * A[1][0];
    const double m21 = A[2][1] - l20 * A[1][0];
    const double l21 = m21 / d1;
    const double d2  = A[2][2] - l20 * A[2][0] - l21 * m21;
    if (!(d0 > 0. && d1 > 0. && d2 > 0.))
      return result;
    for (int column = 0; column < 3; ++column)
      {
        double y[3] = {column == 0 ? 1. : 0., column == 1 ? 1. : 0., column == 2 ? 1. : 0.};
        y[1] -= l10 * y[0];
        y[2] -= l20 * y[0] + l21 * y[1];
        y[2] /= d2;
        y[1] = y[1] / d1 - l21 * y[2];
        y[0] = y[0] / d0 - l10 * y[1] - l20 * y[2];
        for (int row = 0; row <= column; ++row)
          if ((constrained >> row & 1) == 0 && (constrained >> column & 1) == 0)
            result.entry[index(row, column)] = static_cast<Number>(y[row]);
      }
    return result;
  }
};

/// The block of one component: a number.
template <typename Number>
struct NodalBlock<Number, 1>
{
  static constexpr int size = 1;

  Number entry[size];

  STRUT_HOST_DEVICE static constexpr int index(int, int)
  {
    return 0;
  }

  STRUT_HOST_DEVICE void multiply(const Number (&x)[1], Number (&y)[1]) const
  {
    y[0] = entry[0] * x[0];
  }

  /// The inverse of the number, and zero if it is not positive or its component is constrained.
  STRUT_HOST_DEVICE NodalBlock inverse_of_free_part(const unsigned int constrained) const
  {
    const bool is_free = (constrained & 1) == 0 && entry[0] > Number(0);
    return {{is_free ? Number(1) / entry[0] : Number(0)}};
  }
};
} // namespace strut
