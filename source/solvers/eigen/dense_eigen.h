// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <vector>

namespace strut
{
/// Eigenvalues of a small symmetric matrix in ascending order, and their orthonormal eigenvectors.
struct DenseEigen
{
  std::vector<double> values;  ///< `[n]`
  std::vector<double> vectors; ///< `[n][n]`: vector j has the entries `vectors[i * n + j]`
};

/// Computes eigenvalues and eigenvectors by Eigen's SelfAdjointEigenSolver.
/// @param A  `[n][n]`
DenseEigen dense_eigen(const std::vector<double> &A, std::size_t n);

/// The lowest eigenvectors of a pair, `A y = theta B y` with B positive semidefinite, in the span
/// of a basis. The first vectors of the basis are the last eigenvectors. The steps from these to
/// the new ones are included.
///
/// Directions in which B, scaled to a diagonal of ones, is less than 1e-4 of its largest value are
/// left out. They would add mostly rounding (Stathopoulos and Wu 2002).
struct RitzVectors
{
  bool found = false;          ///< whether B has at least as many directions as wanted vectors
  std::vector<double> values;  ///< ascending, `[m]`
  std::vector<double> vectors; ///< `[n][m]`, orthonormal in B
  /// Steps, `[n][n_steps]`, orthonormal in B and orthogonal to the vectors. Together they span the
  /// parts of the vectors outside of the first m basis vectors (Duersch, Shao, Yang and Gu 2018,
  /// section 4).
  std::vector<double> steps;
  std::size_t n_steps = 0; ///< m, or less where some are linearly dependent
};

/// Computes the lowest Ritz vectors.
/// @param A, B  `[n][n]`
/// @param n_wanted  number of vectors, m
RitzVectors lowest_ritz_vectors(const std::vector<double> &A,
                                const std::vector<double> &B,
                                std::size_t n,
                                std::size_t n_wanted);
} // namespace strut
