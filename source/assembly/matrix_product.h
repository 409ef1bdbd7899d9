// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/assembly/sparse_pattern.h"

#include <strut/base/array.h>

namespace strut
{
/// What solvers need of a generated matrix of 3 DoFs per node. Keeps references to all that it was made from; follows
/// the values when they are assembled again.
template <typename Number>
class MatrixProduct
{
public:
  virtual ~MatrixProduct() = default;

  /// y = A x. @param x, y  `[n_rows]`, two arrays
  virtual void apply(const Array<Number> &x, Array<Number> &y) const = 0;

  /// @param d  `[n_rows]`: the diagonal; overwritten. 0 at nodes without elements
  virtual void diagonal(Array<Number> &d) const = 0;
};

/// A generated matrix: stages 1, 2 and 3.
template <typename Number>
struct GeneratedMatrix
{
  const NeighbourMatrix &neighbours;
  const SparsePattern &pattern; ///< with its arrays
  const Array<Number> &values;  ///< `[pattern.n_stored]`
};
} // namespace strut
