// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <memory>
#include <optional>
#include <vector>

namespace strut
{
/// Solver for the equation of the PDE filter with the matrices of HelmholtzMatrices, over all
/// ranks.
class HelmholtzFilter
{
public:
  virtual ~HelmholtzFilter() = default;

  /// Compute out = T^T A^-1 T in. The bits do not depend on earlier calls. The accuracy of A^-1
  /// depends on the filter:
  ///
  /// - Stored matrices: the residual is 1e-12 of `f = T in` in the 2-norm.
  /// - Chebyshev: the error is at most 1e-11 of `B^-1 f` in the norm of the lumped mass B.
  ///
  /// Collective.
  /// @param in  `[n_elements]`
  /// @param out  `[n_elements]`; may be `in`
  virtual void apply(const Array<double> &in, Array<double> &out) = 0;
};

/// Make a filter for any mesh, with stored matrices and conjugate gradients with the diagonal.
/// Collective.
/// @param r  the length of the filter, not its radius
/// @param m  contribution of the boundary, length^3, `[n_nodes]`, for owned nodes, zero for ghosts;
///   empty for none
std::unique_ptr<HelmholtzFilter> make_stored_filter(Backend &backend,
                                                    const Communicator &communicator,
                                                    const ElementMesh &mesh,
                                                    double r,
                                                    const std::vector<double> &m);

/// Make a filter without matrices for meshes for which LatticeCells::find() finds cells. It uses
/// Chebyshev's iteration, which needs no sums over nodes. Returns null on every rank for other
/// meshes. Collective.
/// @param r  the length of the filter, not its radius
/// @param m  contribution of the boundary, as for make_stored_filter()
std::unique_ptr<HelmholtzFilter> make_lattice_filter(Backend &backend,
                                                     const Communicator &communicator,
                                                     const ElementMesh &mesh,
                                                     double r,
                                                     const std::vector<double> &m);

/// Estimated bytes that the stored filter of a rank keeps on the backend.
double bytes_of_stored_filter(const ElementMesh &mesh);

/// Estimated bytes that the lattice filter of a rank keeps on the backend; no value where
/// make_lattice_filter() makes none. Collective.
/// @param has_boundary  whether m is not empty
std::optional<double> bytes_of_lattice_filter(const Communicator &communicator,
                                              const ElementMesh &mesh,
                                              bool has_boundary);
} // namespace strut
