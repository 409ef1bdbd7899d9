// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// A sparse symmetric matrix whose entries are sums, without the numbers that are summed. The narrower
/// its band, the less work its inverse is.
struct SymmetricSums
{
  std::size_t n = 0;
  std::vector<std::uint32_t> dofs;           ///< `[n]`; the entry of a vector that a row belongs to
  std::vector<std::uint32_t> rows, columns;  ///< entries of the upper triangle, each once
  std::vector<std::uint32_t> summands_begin; ///< `[n_entries + 1]`; into the next
  std::vector<std::uint32_t> summands;       ///< places of the numbers, in the order of the sum
  std::vector<double> weights;               ///< of the summands, or empty: 1
  /// `[n]`; 1: this row is one of the unit matrix, and 0 in the inverse. Off the diagonal it has no entry.
  std::vector<std::uint8_t> skipped;
};

/// The inverse of a small symmetric positive definite matrix as a full matrix in the memory of a
/// backend: a product with it is one pass over n^2 numbers, where the two sweeps of a factor are n
/// steps one after another.
template <typename Number>
class DenseInverse
{
public:
  virtual ~DenseInverse() = default;

  /// Begin to invert the matrix that these numbers make. Computed in double, the same bits in every run; sums in
  /// the order of the summands. It goes on beside the backend's other work; until finish() the arguments stay as they are. A call
  /// that was begun before is given up.
  ///
  /// @param springs  added to the diagonal, `[n]` as vectors, or empty: none
  virtual void begin(const Array<double> &numbers, const Array<Number> &springs) = 0;

  /// What the backend does from now on comes after the inverse. @return false if the matrix is not positive definite
  virtual bool finish() = 0;

  /// y = A^-1 x on the first n entries, after finish()
  virtual void apply(const Array<Number> &x, Array<Number> &y) const = 0;
};
} // namespace strut
