// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <vector>

namespace strut
{
/// Eigenvalues of a small symmetric matrix in ascending order, and their vectors, of length 1 and
/// orthogonal.
struct DenseEigen
{
  std::vector<double> values;  ///< `[n]`
  std::vector<double> vectors; ///< `[n][n]`: vector j has the entries `vectors[i * n + j]`
};

/// By the cyclic method of Jacobi (Golub and Van Loan 2013, section 8.5), which is accurate for
/// small eigenvalues, too.
/// @param A  `[n][n]`
DenseEigen dense_eigen(std::vector<double> A, std::size_t n);

/// The lowest eigenvectors of a pair, `A y = theta B y` with B positive semidefinite, in the span
/// of a basis whose first ones are the vectors of before; and the steps that were taken to them.
///
/// Directions in which B, scaled to a diagonal of ones, is less than 1e-4 of its largest are left
/// out: what they would add is mostly rounding (Stathopoulos and Wu 2002).
struct RitzVectors
{
  bool found = false;          ///< whether B has as many directions as vectors were asked for
  std::vector<double> values;  ///< ascending, `[m]`
  std::vector<double> vectors; ///< `[n][m]`, orthonormal in B
  /// `[n][n_steps]`, orthonormal in B, orthogonal to the vectors: with these the span has what the
  /// vectors have of the basis but its first m (Duersch, Shao, Yang and Gu 2018, section 4).
  std::vector<double> steps;
  std::size_t n_steps = 0; ///< m, or less where some depend on others
};

/// @param A, B  `[n][n]` @param m  how many
RitzVectors lowest_ritz_vectors(const std::vector<double> &A,
                                const std::vector<double> &B,
                                std::size_t n,
                                std::size_t m);
} // namespace strut
