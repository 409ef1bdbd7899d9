// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// A sparse symmetric matrix whose entries are sums of numbers that are given later. The narrower
/// its band, the less work its inverse is.
struct SymmetricSums
{
  std::size_t n = 0;
  std::vector<std::uint32_t> dofs;          ///< `[n]`; the vector entry of each row
  std::vector<std::uint32_t> rows, columns; ///< entries of the upper triangle, each once

  /// `[n_entries + 1]`; where the summands of each entry begin.
  std::vector<std::uint32_t> summands_begin;
  std::vector<std::uint32_t> summands; ///< indices of the numbers, in the order of summation
  std::vector<double> weights;         ///< weights of the summands; empty: all are 1
  /// `[n]`; 1: the row is one of the unit matrix, and zero in the inverse. It must have no entries
  /// off the diagonal.
  std::vector<std::uint8_t> skipped;
};

/// The inverse of a small symmetric positive definite matrix as a full matrix in the memory of a
/// backend. A product with it is one pass over n^2 numbers. The two sweeps of a factor would be n
/// sequential steps.
template <typename Number>
class DenseInverse
{
public:
  virtual ~DenseInverse() = default;

  /// Begins to invert the matrix that these numbers make. It is computed in double, with the same
  /// bits in every run; sums run in the order of the summands. The computation overlaps with other
  /// work of the backend. The arguments must stay unchanged until finish(). A call that has not
  /// finished is given up.
  ///
  /// @param numbers  the numbers that are summed
  /// @param springs  added to the diagonal, indexed by `dofs` like the vectors; empty: none
  virtual void begin(const Array<double> &numbers, const Array<Number> &springs) = 0;

  /// Orders the backend's following work after the inversion.
  ///
  /// @return false if the matrix is not positive definite
  virtual bool finish() = 0;

  /// y = A^-1 x on the first n entries. Requires finish().
  virtual void apply(const Array<Number> &x, Array<Number> &y) const = 0;
};
} // namespace strut
