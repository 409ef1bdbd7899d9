// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/mass_matrix.h"

#include <strut/backend/backend.h>
#include <strut/mesh/element_mesh.h>

#include <memory>
#include <vector>

namespace strut
{
/// The consistent mass matrix of the elements of this rank, with one density for each element.
/// Vectors may have either precision; products are those of MassMatrix, in double. As there, x must
/// hold valid ghosts, and y receives partial sums on ghosts.
template <typename Number>
class ConsistentMass
{
public:
  /// Make the matrix.
  /// @param densities  mass per volume, `[n_elements]`
  ConsistentMass(Backend &backend, const ElementMesh &mesh, const std::vector<double> &densities);

  /// Compute y += factor M x.
  void add(Number factor, const Array<Number> &x, Array<Number> &y) const;

  /// The diagonal of M, `[3 * n_nodes]`.
  const Array<Number> &diagonal() const
  {
    return diagonal_;
  }

private:
  Backend &backend_;
  const std::size_t n_dofs_;
  std::unique_ptr<MassMatrix> mass_;
  Array<double> densities_;
  Array<Number> diagonal_;
  mutable Array<double> Mx_;
  mutable Array<double> x_; ///< used only if vectors are in float
  /// Mx_ in the precision of the vectors, used only if they are in float.
  mutable Array<Number> converted_;
};

/// Computes int N_a N_b over a hex8, `[8][8]`.
/// @param X  vertex coordinates, `[3][8]`
void consistent_mass_matrix(const double (&X)[3][8], double (&M)[8][8]);
} // namespace strut
