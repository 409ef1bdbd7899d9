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

namespace strut::plugin
{
/// The weighted mean over all elements around each owned node, those of other ranks included; 0 where the weights are.
/// Collective.
///
/// A thread takes a range of nodes, and goes over the blocks of elements that have some of them: a few, since elements and
/// nodes follow each other in space. Sums have the same bits for any number of threads.
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
  // (1) Which of at most 64 ranges of nodes a block of elements has nodes of.
  constexpr std::size_t block_size = 4096;
  const auto n_ranges              = static_cast<std::size_t>(std::clamp(n_threads, 1, 64));
  const std::size_t size = mesh.n_nodes / n_ranges + 1, n_elements = mesh.n_elements;
  std::vector<std::uint64_t> ranges_of((n_elements + block_size - 1) / block_size, 0);
  cpu::parallel_blocks(
    n_threads, n_elements, block_size, [&](const std::size_t begin, const std::size_t end) {
      std::uint64_t ranges = 0;
      for (std::size_t v = 0; v < 8; ++v)
        for (std::size_t e = begin; e < end; ++e)
          ranges |= std::uint64_t(1) << mesh.connectivity[v * n_elements + e] / size;
      ranges_of[begin / block_size] = ranges;
    });

  // (2) The sums.
  std::vector<double> means   = cpu::filled_vector<double>(n_threads, mesh.n_nodes);
  std::vector<double> weights = cpu::filled_vector<double>(n_threads, mesh.n_nodes);
  cpu::parallel_blocks(n_threads, n_ranges, 1, [&](const std::size_t range, std::size_t) {
    const std::size_t first = range * size, last = first + size;
    for (std::size_t v = 0; v < 8; ++v)
      for (std::size_t block = 0; block < ranges_of.size(); ++block)
        if ((ranges_of[block] >> range & 1) != 0)
          for (std::size_t e = block * block_size;
               e < std::min(n_elements, (block + 1) * block_size);
               ++e)
            {
              const std::size_t node = mesh.connectivity[v * n_elements + e];
              if (node < first || node >= last)
                continue;
              const double w = weight(e);
              means[node] += w * values[e];
              weights[node] += w;
            }
  });
  add_to_owners(communicator, mesh, means);
  add_to_owners(communicator, mesh, weights);
  cpu::parallel_for(n_threads, mesh.n_owned_nodes, [&](const std::size_t node) {
    means[node] = weights[node] > 0. ? means[node] / weights[node] : 0.;
  });
  return means;
}
} // namespace strut::plugin
