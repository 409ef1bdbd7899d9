// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <vector>

#include "plugin/base/host_halo.h"

namespace strut::plugin
{
/// The weighted mean over all elements around each owned node, those of other ranks included; 0 where the weights are.
/// Collective.
/// @param values  `[n_elements]` @param weight  of an element, by its number
/// @return `[n_nodes]`; those of ghosts are undefined
template <typename Weight>
std::vector<double> means_at_nodes(MPI_Comm communicator,
                                   const ElementMesh &mesh,
                                   const std::vector<double> &values,
                                   const Weight &weight)
{
  std::vector<double> sums(2 * mesh.n_nodes, 0.); // of weight times value, and of weights
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      {
        const std::size_t node = mesh.connectivity[v * mesh.n_elements + e];
        sums[2 * node] += weight(e) * values[e];
        sums[2 * node + 1] += weight(e);
      }
  add_to_owners(communicator, mesh, sums);
  std::vector<double> means(mesh.n_nodes, 0.);
  for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
    if (sums[2 * node + 1] > 0.)
      means[node] = sums[2 * node] / sums[2 * node + 1];
  return means;
}
} // namespace strut::plugin
