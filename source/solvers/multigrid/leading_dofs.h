// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

namespace strut
{
/// DoFs that many others follow, as the six of a rigid region, between a level and the coarser one.
///
/// The coarser level knows no rigid region. The sum of its forces at the nodes of six DoFs would be
/// a concentrated load there, and the displacements of these nodes alone would move all of it. So
/// forces go to all nodes, and the displacement is the nearest one to theirs. With u = A v for the
/// DoFs v and all that follow them, and G = (A^T A)^-1,
///
///     forces:         A G r
///     displacements:  G A^T d
///
/// which are the transposes of each other. These are the DoFs that more than 16 follow, if they are
/// at most 1200, on one rank.
template <typename Number>
class LeadingDofs
{
public:
  LeadingDofs(Backend &backend, const Communicator &communicator, const ElementMesh &mesh);

  bool empty() const
  {
    return dofs_.empty();
  }

  /// Distributes the forces r on the DoFs over all that follow, where r is 0.
  void spread(Array<Number> &r);

  /// Restores the forces before spread().
  void collect(Array<Number> &r);

  /// Sets the DoFs to the mean of their displacements and of those that follow.
  void average(Array<Number> &d);

private:
  /// Multiplies the DoFs of x by a matrix.
  void multiply(SparseRows<Number> &matrix, Array<Number> &x);

  Backend &backend_;
  Array<std::uint32_t> dofs_, followers_;
  SparseRows<Number> rows_, transposed_; ///< A without the DoFs themselves
  /// G and its inverse, from the first half of numbers_ to the second.
  SparseRows<Number> G_, inverse_;
  Array<std::uint32_t> offsets_, places_; ///< Rows of sum_rows(): one place in the second half.
  Array<Number> numbers_;
};
} // namespace strut
