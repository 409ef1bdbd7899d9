// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plugin/base/host_halo.h"
#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"

namespace strut
{
/// The weighted mean over all elements around each owned node, including those of other ranks. It
/// is 0 where the weights are 0. Collective.
///
/// A thread handles a range of nodes, and visits the blocks of elements that have some of them.
/// These are few, since elements and nodes follow each other in space. The sums have the same bits
/// for any number of threads. Without neighbour ranks, only the sums of the ranges at work are in
/// memory, 16 bytes per node. Otherwise, the sums of all nodes are in memory, to be added over
/// ranks.
///
/// @param values  `[n_elements]`
/// @param weight  function of the number of an element
/// @return `[n_nodes]`; those of ghosts are undefined
template <typename Number = double, typename Weight>
std::vector<Number> means_at_nodes(MPI_Comm communicator,
                                   const ElementMesh &mesh,
                                   const std::vector<double> &values,
                                   const Weight &weight,
                                   const int n_threads)
{
  // (1) Find which of 64 ranges of nodes occur in each block of elements.
  constexpr std::size_t block_size = 4096, n_ranges = 64;
  const std::size_t n_nodes = mesh.n_nodes, n_elements = mesh.n_elements;
  const std::size_t size = n_nodes / n_ranges + 1;
  std::vector<std::uint64_t> ranges_of((n_elements + block_size - 1) / block_size, 0);
  cpu::parallel_blocks(
    n_threads, n_elements, block_size, [&](const std::size_t begin, const std::size_t end) {
      std::uint64_t ranges = 0;
      for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
        for (std::size_t e = begin; e < end; ++e)
          ranges |= std::uint64_t(1) << mesh.connectivity[v * n_elements + e] / size;
      ranges_of[begin / block_size] = ranges;
    });

  // (2) Compute the sums of a range, which begins at node `first`.
  const auto add_up = [&](const std::size_t first, double *const sums, double *const weights) {
    const std::size_t last = std::min(first + size, n_nodes);
    for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
      for (std::size_t block = 0; block < ranges_of.size(); ++block)
        if ((ranges_of[block] >> first / size & 1) != 0)
          for (std::size_t e = block * block_size;
               e < std::min(n_elements, (block + 1) * block_size);
               ++e)
            {
              const std::size_t node = mesh.connectivity[v * n_elements + e];
              if (node < first || node >= last)
                continue;
              const double w = weight(e);
              sums[node - first] += w * values[e];
              weights[node - first] += w;
            }
  };
  const auto mean = [](const double sum, const double of_weights) {
    return static_cast<Number>(of_weights > 0. ? sum / of_weights : 0.);
  };

  // (3) Compute the means.
  std::vector<Number> means = cpu::filled_vector<Number>(n_threads, n_nodes);
  if (mesh.node_halo.neighbours.empty()) // no MPI: another thread may do this
    {
      cpu::parallel_blocks(n_threads,
                           n_nodes,
                           size,
                           [&](const std::size_t first, const std::size_t last) {
                             std::vector<double> sums(last - first), weights(last - first);
                             add_up(first, sums.data(), weights.data());
                             for (std::size_t node = first; node < last; ++node)
                               means[node] = mean(sums[node - first], weights[node - first]);
                           });
      return means;
    }
  std::vector<double> sums    = cpu::filled_vector<double>(n_threads, n_nodes);
  std::vector<double> weights = cpu::filled_vector<double>(n_threads, n_nodes);
  cpu::parallel_blocks(n_threads, n_nodes, size, [&](const std::size_t first, std::size_t) {
    add_up(first, &sums[first], &weights[first]);
  });
  add_to_owners(communicator, mesh, sums);
  add_to_owners(communicator, mesh, weights);
  cpu::parallel_for(n_threads, mesh.n_owned_nodes, [&](const std::size_t node) {
    means[node] = mean(sums[node], weights[node]);
  });
  return means;
}
} // namespace strut
