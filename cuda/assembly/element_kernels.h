// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"
#include "source/assembly/value_stage.h"

namespace strut::cuda
{
template <typename Number>
struct MatrixTarget;

/// The places of the entries of stored element matrices: entry (i, j) of block (a, b) of element e
/// is at `(a npe + b) block + (3 i + j) entry + e element`.
struct MatrixStrides
{
  std::size_t block, entry, element;

  /// Strides of `[npe][npe][3][3][n_elements]`, for one thread per element.
  static MatrixStrides entry_major(const std::size_t n_elements)
  {
    return {9 * n_elements, n_elements, 1};
  }
  /// Strides of `[n_elements][npe][npe][3][3]`. The blocks of a node of an element, which one row
  /// of the global matrix contains, are consecutive.
  static MatrixStrides element_major(const int npe)
  {
    return {9, 1, 9 * static_cast<std::size_t>(npe) * static_cast<std::size_t>(npe)};
  }
};

/// Computes all K0_e at stiffness factor 1.
/// @param matrices  `[9 npe^2 n_elements]`
template <typename Number>
void store_element_matrices(const Context &context,
                            const MeshArrays &mesh,
                            const Material &material,
                            bool one_thread_per_element,
                            const MatrixStrides &strides,
                            Number *matrices);

/// The first kernel of Sanfui and Sharma (2020), which integrates each element and adds it to the
/// matrix.
template <typename Number>
void integrate_and_add(const Context &context,
                       const MeshArrays &mesh,
                       const Material &material,
                       bool one_thread_per_element,
                       const double *factors,
                       const MatrixTarget<Number> &target);

/// The second kernel of the other version of Sanfui and Sharma (2020), which adds stored matrices
/// (entry-major).
template <typename Number>
void add_stored(const Context &context,
                const MeshArrays &mesh,
                const Number *matrices,
                const double *factors,
                const MatrixTarget<Number> &target);
} // namespace strut::cuda
