// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "plugin/base/host_halo.h"
#include "source/base/parallel_loop.h"

namespace strut::plugin
{
/// The weighted mean over all elements around each owned node, those of other ranks included; 0 where the weights are.
/// Collective.
///
/// Each thread goes over all elements and adds to the nodes of its own range: sums have the same bits for any
/// number of threads, and reading is a small part of the work.
///
/// @param values  `[n_elements]` @param weight  of an element, by its number
/// @return `[n_nodes]`; those of ghosts are undefined
template <typename Weight>
std::vector<double> means_at_nodes(MPI_Comm communicator,
                                   const ElementMesh &mesh,
                                   const std::vector<double> &values,
                                   const Weight &weight,
                                   const int n_threads)
{
  std::vector<double> means(mesh.n_nodes, 0.), weights(mesh.n_nodes, 0.);
  cpu::parallel_ranges(n_threads,
                       mesh.n_nodes,
                       [&](const std::size_t begin, const std::size_t end) {
                         for (std::size_t v = 0; v < 8; ++v)
                           for (std::size_t e = 0; e < mesh.n_elements; ++e)
                             {
                               const std::size_t node = mesh.connectivity[v * mesh.n_elements + e];
                               if (node < begin || node >= end)
                                 continue;
                               const double w = weight(e);
                               means[node] += w * values[e];
                               weights[node] += w;
                             }
                       });
  add_to_owners(communicator, mesh, means);
  add_to_owners(communicator, mesh, weights);
  for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
    means[node] = weights[node] > 0. ? means[node] / weights[node] : 0.;
  return means;
}
} // namespace strut::plugin
