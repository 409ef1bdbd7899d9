// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/constraints/dependent_rows.h"

#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
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

  /// Condense the 3x3 blocks of nodes like condense_bound(), `[n_nodes][6]`, by the largest weights
  /// of the components. Where masters are at the node itself, as for no normal flux on an oblique
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
  Array<std::uint32_t> dofs_;
  Array<Number> values_;
  DependentRows<Number> of_nodes_; ///< rows of hanging nodes: one row for three DoFs
  DependentRows<Number> of_dofs_;  ///< rows of all other DoFs
  SparseRows<Number> blocks_;
  SparseRows<Number> within_nodes_; ///< entries of blocks whose masters are at the node itself
  Array<std::uint32_t> apart_,
    apart_entries_; ///< DoFs of nodes without elements, and their entries of blocks
};
} // namespace strut
