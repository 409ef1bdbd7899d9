// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/gather_rows.h"

#include <strut/backend/backend.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// Rows as in AffineRows, for groups of `n_components` numbers with the same weights.
struct WeightedRows
{
  std::vector<std::uint32_t> rows; ///< ascending
  std::vector<std::uint32_t> offsets = {0};
  std::vector<std::uint32_t> columns;
  std::vector<double> weights;
};

/// Weighted rows on a backend. C gives the entries of the rows from others, which have no row.
template <typename Number>
class DependentRows
{
public:
  DependentRows() = default;

  /// Copy the rows to the backend.
  /// @param n  groups of `n_components` numbers in a vector
  DependentRows(Backend &backend,
                const WeightedRows &rows,
                std::size_t n,
                unsigned int n_components);

  void distribute(Array<Number> &x) const;     ///< x = C x
  void condense(Array<Number> &y) const;       ///< y = C^T y, except for the entries of the rows
  void condense_bound(Array<Number> &d) const; ///< condense() with the weights |w_ij| sum_k |w_ik|

private:
  void combine(const SparseRows<Number> &matrix, Number old, Array<Number> &x) const;

  Backend *backend_          = nullptr; ///< null if there are no rows
  unsigned int n_components_ = 1;
  SparseRows<Number> rows_, transposed_, bound_;
};

/// The dependent degrees of freedom of a mesh (AffineRows) on a backend. The matrix C gives all
/// DoFs of the elements from the free ones, and the operator is `C^T K C`. distribute() applies C
/// in place, condense() applies C^T.
///
/// Both work on the DoFs of this rank, ghosts included. C needs up-to-date ghosts, and C^T gives
/// ghosts the sums for their owners. Every sum has a fixed order.
template <typename Number>
class DependentDofs
{
public:
  DependentDofs(Backend &backend, const ElementMesh &mesh);

  /// Whether there are no such DoFs; then all members do nothing.
  bool empty() const
  {
    return dofs_.empty();
  }

  /// Set x_i = sum_j w_ij x_j for dependent i, those of ghosts included.
  void distribute(Array<Number> &x) const;

  /// Add y_j += sum_i w_ij y_i for the masters j, where an ElementOperator has just written y. The
  /// dependent entries stay.
  void condense(Array<Number> &y) const;

  /// Add d_j += sum_i |w_ij| (sum_k |w_ik|) d_i for the masters j. For a diagonal d of K >= 0 the
  /// result bounds C^T diag(d) C, as (sum_k w_k x_k)^2 <= (sum_k |w_k|) (sum_k |w_k| x_k^2).
  void condense_bound(Array<Number> &d) const;

  /// Condense the blocks of nodes (NodalBlock) like condense_bound(), by the largest weights of the
  /// components. Where masters are at the node itself, as for no normal flux on an oblique
  /// face, its block becomes `C^T block C`.
  void condense_blocks(Array<Number> &blocks) const;

  /// Set x_i = value for dependent i.
  void set(Number value, Array<Number> &x) const;

  /// Add x_i += values_i for dependent i.
  void add_values(Array<Number> &x) const;

  /// Set other values of the rows, in the order of AffineRows::dofs.
  void set_values(const std::vector<double> &values);

private:
  Backend &backend_;
  unsigned int n_entries_; ///< numbers of a block
  Array<std::uint32_t> dofs_;
  Array<Number> values_;
  DependentRows<Number> of_nodes_; ///< rows of hanging nodes: one row for the DoFs of a node
  DependentRows<Number> of_dofs_;  ///< rows of all other DoFs
  SparseRows<Number> blocks_;
  SparseRows<Number> within_nodes_; ///< entries of blocks whose masters are at the node itself
  Array<std::uint32_t> apart_,
    apart_entries_; ///< DoFs of nodes without elements, and their entries of blocks
};
} // namespace strut
