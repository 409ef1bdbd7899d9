// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <memory>
#include <vector>

namespace strut
{
/// The equation of the PDE filter with the matrices of HelmholtzMatrices, over all ranks.
class HelmholtzFilter
{
public:
  virtual ~HelmholtzFilter() = default;

  /// out = T^T A^-1 T in, to 1e-12; `out` may be `in`. The bits depend on nothing before. Collective.
  /// @param in, out  `[n_elements]`
  virtual void apply(const Array<double> &in, Array<double> &out) = 0;
};

/// For any mesh: by stored matrices, and conjugate gradients with the diagonal. Collective.
/// @param r  the length of the filter, not its radius @param m  what the boundary adds, of owned nodes, zero of ghosts,
/// `[n_nodes]`, length^3; empty: nothing
std::unique_ptr<HelmholtzFilter> make_stored_filter(Backend &backend,
                                                    const Communicator &communicator,
                                                    const ElementMesh &mesh,
                                                    double r,
                                                    const std::vector<double> &m);

/// Where elements are equal boxes of a lattice on every rank, and no node hangs: without matrices, by Chebyshev's iteration, which
/// needs no sums over nodes. Else null. Collective. @param r, m  as above
std::unique_ptr<HelmholtzFilter> make_lattice_filter(Backend &backend,
                                                     const Communicator &communicator,
                                                     const ElementMesh &mesh,
                                                     double r,
                                                     const std::vector<double> &m);

/// Bytes that the filter of a mesh keeps on the backend, about, without those of a boundary (8 per place of a lattice).
double bytes_of_filter(const ElementMesh &mesh);
} // namespace strut
