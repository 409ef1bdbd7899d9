// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/comparison/assembly/neighbour_matrix.h"

#include <string>

namespace strut
{
/// Storage formats of sparse matrices.
enum class MatrixFormat
{
  coo, ///< row and column of each entry, sorted by row, then column
  csr, ///< compressed rows, columns ascending
  ell  ///< all rows as long as the longest, column-major: consecutive rows are side by side
};

std::string to_string(MatrixFormat format);

/// The positions of matrix entries in the array of values. They depend only on the neighbour rows,
/// so neither rows nor columns have to be read. With d DoFs per node and m neighbours of node r,
/// the entry (i, j) of the block of r and its k-th neighbour is at
///
///     COO, CSR   d^2 begin[r] + i d m + k d + j
///     ELL        (k d + j) n_rows + r d + i
struct EntryPlaces
{
  const std::uint64_t *begin; ///< begin of the neighbour rows, `[n_nodes + 1]`
  std::size_t n_rows;
  int dofs_per_node;
  bool is_ell;

  /// The position of entry (0, 0) of the block of `node` and its neighbour in `slot`. Entry (i, j)
  /// follows at a distance of `i row_stride(node) + j column_stride()`.
  STRUT_HOST_DEVICE std::size_t block(const std::size_t node, const std::size_t slot) const
  {
    const std::size_t d = static_cast<std::size_t>(dofs_per_node);
    return is_ell ? slot * d * n_rows + node * d
                  : d * d * static_cast<std::size_t>(begin[node]) + slot * d;
  }
  STRUT_HOST_DEVICE std::size_t row_stride(const std::size_t node) const
  {
    return is_ell ? 1
                  : static_cast<std::size_t>(dofs_per_node) *
                      static_cast<std::size_t>(begin[node + 1] - begin[node]);
  }
  STRUT_HOST_DEVICE std::size_t column_stride() const
  {
    return is_ell ? n_rows : 1;
  }
};

/// Stage 2: the indices of a matrix with `dofs_per_node` DoFs at each node, `dofs_per_node * node +
/// component`. Offsets have 64 bits, rows and columns 32.
struct SparsePattern
{
  MatrixFormat format   = MatrixFormat::csr;
  int dofs_per_node     = 3;
  std::size_t n_rows    = 0;
  std::size_t n_entries = 0; ///< entries of the matrix
  std::size_t n_stored  = 0; ///< entries of its array of values, including the padding of ELL
  std::size_t width     = 0; ///< ELL: entries of the longest row

  Array<std::uint64_t> row_begin; ///< CSR: `[n_rows + 1]`
  Array<LocalIndex> rows;         ///< COO: `[n_entries]`
  Array<LocalIndex>
    columns; ///< COO, CSR: `[n_entries]`; ELL: `[width][n_rows]`, padded with the row's number

  EntryPlaces places(const NeighbourMatrix &neighbours) const
  {
    return {neighbours.begin.data(), n_rows, dofs_per_node, format == MatrixFormat::ell};
  }
};

/// Sizes of the pattern without its arrays.
///
/// @throws Error if rows and columns exceed the range of LocalIndex, with the number
SparsePattern
pattern_sizes(const NeighbourMatrix &neighbours, MatrixFormat format, int dofs_per_node);

/// Bytes of the index arrays of a pattern whose sizes are set.
double index_bytes(const SparsePattern &pattern);
} // namespace strut
