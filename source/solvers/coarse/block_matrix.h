// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// Pattern of the blocks of a sparse matrix, row by row, columns ascending.
struct BlockPattern
{
  std::size_t n_rows = 0, n_columns = 0; ///< rows and columns of blocks
  std::vector<std::uint32_t> begin;      ///< `[n_rows + 1]`
  std::vector<std::uint32_t> columns;

  std::size_t n_blocks() const
  {
    return columns.size();
  }

  /// The number of a block, which must exist.
  std::uint32_t find(std::size_t row, std::uint32_t column) const;
};

/// The blocks of a pattern column by column: their numbers and their rows, ascending.
struct TransposedPattern
{
  TransposedPattern() = default;
  explicit TransposedPattern(const BlockPattern &pattern);

  std::vector<std::uint32_t> begin; ///< `[n_columns + 1]`
  std::vector<std::uint32_t> blocks, rows;
};

/// A sparse matrix of dense blocks of R x C numbers, on the host. All loops give the same bits for
/// any number of threads.
template <int R, int C>
struct BlockMatrix
{
  static constexpr std::size_t block_size = std::size_t(R) * C;

  explicit BlockMatrix(BlockPattern &&with_pattern = {})
    : pattern(std::move(with_pattern)), values(block_size * pattern.n_blocks(), 0.)
  {}

  double *block(const std::size_t number)
  {
    return values.data() + block_size * number;
  }
  const double *block(const std::size_t number) const
  {
    return values.data() + block_size * number;
  }

  /// Compute y = A x.
  void multiply(int n_threads, const std::vector<double> &x, std::vector<double> &y) const;

  /// Compute y = A^T x.
  void multiply_transposed(int n_threads,
                           const TransposedPattern &transposed,
                           const std::vector<double> &x,
                           std::vector<double> &y) const;

  BlockPattern pattern;
  std::vector<double> values; ///< `[n_blocks][R][C]`
};

/// Computes the inverse blocks of the diagonal of a symmetric matrix, `[n_rows][B][B]`. A block is
/// first scaled to a unit diagonal. Directions whose eigenvalue is then below 1e-10 of the largest
/// one give zero, and so do rows without a diagonal. These belong to constrained degrees of
/// freedom, or to aggregates with too few nodes.
template <int B>
void invert_diagonal(int n_threads, const BlockMatrix<B, B> &A, std::vector<double> &inverse);

/// Estimates the largest eigenvalue of D^-1 A by twelve steps of Lanczos' method. The result is
/// some per cent too small.
template <int B>
double largest_eigenvalue(int n_threads,
                          const BlockMatrix<B, B> &A,
                          const std::vector<double> &inverse_diagonal);

/// Add a product with a block to parts of a vector: out(R) += block(R x C) in(C).
template <int R, int C>
inline void add_product(const double *const block, const double *const in, double *const out)
{
  for (int i = 0; i < R; ++i)
    {
      double sum = 0.;
      for (int j = 0; j < C; ++j)
        sum += block[i * C + j] * in[j];
      out[i] += sum;
    }
}
} // namespace strut
