// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// A sparse symmetric matrix without its values. The narrower its band, the less work its inverse is.
struct SymmetricPattern
{
  std::size_t n = 0;
  std::vector<std::uint32_t> dofs;          ///< `[n]`; the entry of a vector that a row belongs to
  std::vector<std::uint32_t> rows, columns; ///< entries of the upper triangle, each once
  std::vector<std::uint8_t>
    skipped; ///< `[n]`; 1: this row is one of the unit matrix, and 0 in the inverse
};

/// The inverse of a small symmetric positive definite matrix as a full matrix in the memory of a
/// backend: a product with it is one pass over n^2 numbers, where the two sweeps of a factor are n
/// steps one after another.
template <typename Number>
class DenseInverse
{
public:
  virtual ~DenseInverse() = default;

  /// Invert the matrix with these values, in the order of the pattern. Computed in double, the same
  /// bits in every run. @return false if it is not positive definite
  virtual bool invert(const std::vector<double> &values) = 0;

  /// y = A^-1 x on the first n entries
  virtual void apply(const Array<Number> &x, Array<Number> &y) const = 0;
};
} // namespace strut
