// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/constraints/dependent_rows.h"

#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
/// The dependent degrees of freedom of a mesh (AffineRows) on a backend. With C the matrix that
/// gives all DoFs of the elements from the free ones, the operator is `C^T K C`: distribute()
/// applies C in place, condense() applies C^T. Both work on the DoFs of this rank, ghosts included:
/// C needs up-to-date ghosts, and ghosts get sums for their owners from C^T. Every sum has a fixed
/// order.
template <typename Number>
class DependentDofs
{
public:
  DependentDofs(Backend &backend, const ElementMesh &mesh);

  /// Without any, all members do nothing.
  bool empty() const
  {
    return dofs_.empty();
  }

  /// x_i = sum_j w_ij x_j for dependent i, those of ghosts included.
  void distribute(Array<Number> &x) const;

  /// y_j += sum_i w_ij y_i for the masters j; for y that an ElementOperator has just written. The
  /// dependent entries stay.
  void condense(Array<Number> &y) const;

  /// d_j += sum_i |w_ij| (sum_k |w_ik|) d_i for the masters j: for a diagonal d of K >= 0 the
  /// result bounds C^T diag(d) C, as (sum_k w_k x_k)^2 <= (sum_k |w_k|) (sum_k |w_k| x_k^2).
  void condense_bound(Array<Number> &d) const;

  /// The same for the 3x3 blocks of nodes, `[n_nodes][6]`, by the largest weights of the
  /// components. Where masters are at the node itself, as for no normal flux on an oblique face,
  /// its block becomes `C^T block C`.
  void condense_blocks(Array<Number> &blocks) const;

  /// x_i = value for dependent i.
  void set(Number value, Array<Number> &x) const;

  /// x_i += values_i for dependent i.
  void add_values(Array<Number> &x) const;

  /// Other values of the rows, in the order of AffineRows::dofs.
  void set_values(const std::vector<double> &values);

private:
  Backend &backend_;
  Array<std::uint32_t> dofs_;
  Array<Number> values_;
  DependentRows<Number> of_nodes_; ///< nodes that hang: one row for three DoFs
  DependentRows<Number> of_dofs_;  ///< all others
  SparseRows<Number> blocks_;
  SparseRows<Number> within_nodes_; ///< of entries of blocks: masters at the node itself
  Array<std::uint32_t> apart_,
    apart_entries_; ///< DoFs, and entries of blocks, of nodes without elements
};
} // namespace strut
