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
/// The equation of the PDE filter with the matrices of HelmholtzMatrices, over all ranks.
class HelmholtzFilter
{
public:
  virtual ~HelmholtzFilter() = default;

  /// out = T^T A^-1 T in; the bits depend on nothing before. How exact A^-1 is, depends on the way:
  /// of the stored one the residual is 1e-12 of `f = T in` in the 2-norm; of Chebyshev's the error
  /// is 1e-11 of `B^-1 f` in the norm of the lumped mass B, or less. Collective.
  /// @param in  `[n_elements]`
  /// @param out  `[n_elements]`; may be `in`
  virtual void apply(const Array<double> &in, Array<double> &out) = 0;
};

/// For any mesh: by stored matrices, and conjugate gradients with the diagonal. Collective.
/// @param r  the length of the filter, not its radius
/// @param m  what the boundary adds, of owned nodes, zero of ghosts, `[n_nodes]`, length^3; empty:
///   nothing
std::unique_ptr<HelmholtzFilter> make_stored_filter(Backend &backend,
                                                    const Communicator &communicator,
                                                    const ElementMesh &mesh,
                                                    double r,
                                                    const std::vector<double> &m);

/// Where LatticeCells::find() finds some: without matrices, by Chebyshev's iteration, which needs
/// no sums over nodes. Else null, on every rank. Collective.
/// @param r  as above
/// @param m  as above
std::unique_ptr<HelmholtzFilter> make_lattice_filter(Backend &backend,
                                                     const Communicator &communicator,
                                                     const ElementMesh &mesh,
                                                     double r,
                                                     const std::vector<double> &m);

/// Bytes that the stored filter of a rank keeps on the backend, about.
double bytes_of_stored_filter(const ElementMesh &mesh);

/// The same of the lattice filter; nothing where make_lattice_filter() makes none. Collective.
/// @param has_boundary  whether m is there
std::optional<double> bytes_of_lattice_filter(const Communicator &communicator,
                                              const ElementMesh &mesh,
                                              bool has_boundary);
} // namespace strut
