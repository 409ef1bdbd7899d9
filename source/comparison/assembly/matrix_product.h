// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/comparison/assembly/sparse_pattern.h"

#include <strut/base/array.h>

namespace strut
{
/// The operations of solvers with a generated matrix of 3 DoFs per node. It keeps references to its
/// inputs, and so uses the new values when they are assembled again.
template <typename Number>
class MatrixProduct
{
public:
  virtual ~MatrixProduct() = default;

  /// Computes y = A x.
  ///
  /// @param x,  y  `[n_rows]`, two different arrays
  virtual void apply(const Array<Number> &x, Array<Number> &y) const = 0;

  /// Computes the diagonal, 0 at nodes without elements.
  ///
  /// @param d  `[n_rows]`; overwritten
  virtual void diagonal(Array<Number> &d) const = 0;
};

/// A generated matrix: the result of stages 1, 2 and 3.
template <typename Number>
struct GeneratedMatrix
{
  const NeighbourMatrix &neighbours;
  const SparsePattern &pattern; ///< pattern including its arrays
  const Array<Number> &values;  ///< `[pattern.n_stored]`
};
} // namespace strut
