// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

namespace strut
{
/// The place of entry (i, j) in the rows of the upper triangle of a symmetric n x n block.
STRUT_HOST_DEVICE constexpr int index_in_block(const int n, const int i, const int j)
{
  // no recursion with i and j exchanged: nvcc would keep blocks in memory
  return i <= j ? n * i - i * (i + 1) / 2 + j : n * j - j * (j + 1) / 2 + i;
}

/// A symmetric block of n x n numbers for the n components of a node: the rows of its upper
/// triangle. With three components these are xx, xy, xz, yy, yz, zz.
template <typename Number, int n = 3>
struct NodalBlock
{
  static constexpr int size = n * (n + 1) / 2;

  Number entry[size];

  STRUT_HOST_DEVICE static constexpr int index(const int i, const int j)
  {
    return index_in_block(n, i, j);
  }

  /// Computes y = block x.
  STRUT_HOST_DEVICE void multiply(const Number (&x)[n], Number (&y)[n]) const
  {
    STRUT_UNROLL
    for (int i = 0; i < n; ++i)
      {
        Number sum = entry[index(i, 0)] * x[0];
        STRUT_UNROLL
        for (int j = 1; j < n; ++j)
          sum += entry[index(i, j)] * x[j];
        y[i] = sum;
      }
  }

  /// The inverse of the part of the components that are not in `constrained` (bit c), zero in the
  /// rows and columns of the others. It is all zero if that part is not positive definite. Computed
  /// by Cholesky's L D L^T in double.
  STRUT_HOST_DEVICE NodalBlock inverse_of_free_part(const unsigned int constrained) const
  {
    // (1) The factors: M = L D.
    double L[n][n], M[n][n], d[n];
    bool is_definite = true;
    STRUT_UNROLL
    for (int i = 0; i < n; ++i)
      STRUT_UNROLL
    for (int j = 0; j <= i; ++j)
      {
        M[i][j] = (constrained >> i & 1) != 0 || (constrained >> j & 1) != 0
                    ? (i == j ? 1. : 0.)
                    : static_cast<double>(entry[index(i, j)]);
        STRUT_UNROLL
        for (int k = 0; k < j; ++k)
          M[i][j] -= L[i][k] * M[j][k];
        if (j < i)
          L[i][j] = M[i][j] / d[j];
        else
          d[i] = M[i][j];
      }
    STRUT_UNROLL
    for (int i = 0; i < n; ++i)
      is_definite = is_definite && d[i] > 0.;
    NodalBlock result = {};
    if (!is_definite)
      return result;

    // (2) The columns of the inverse.
    STRUT_UNROLL
    for (int column = 0; column < n; ++column)
      {
        double y[n];
        STRUT_UNROLL
        for (int i = 0; i < n; ++i)
          {
            y[i] = column == i ? 1. : 0.;
            if (i == 0)
              continue;
            double sum = L[i][0] * y[0];
            STRUT_UNROLL
            for (int k = 1; k < i; ++k)
              sum += L[i][k] * y[k];
            y[i] -= sum;
          }
        STRUT_UNROLL
        for (int i = n - 1; i >= 0; --i)
          {
            y[i] = y[i] / d[i];
            STRUT_UNROLL
            for (int k = i + 1; k < n; ++k)
              y[i] -= L[k][i] * y[k];
          }
        STRUT_UNROLL
        for (int row = 0; row <= column; ++row)
          if ((constrained >> row & 1) == 0 && (constrained >> column & 1) == 0)
            result.entry[index(row, column)] = static_cast<Number>(y[row]);
      }
    return result;
  }
};
} // namespace strut
