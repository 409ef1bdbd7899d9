// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/output/cell_keys.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <limits>
#include <map>

namespace strut::plugin
{
std::vector<std::uint64_t> node_keys(MPI_Comm communicator,
                                     const ElementMesh &mesh,
                                     const std::vector<std::uint64_t> &cell_keys)
{
  std::vector<std::uint64_t> keys(mesh.n_nodes, std::numeric_limits<std::uint64_t>::max());
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      {
        std::uint64_t &key = keys[mesh.connectivity[v * mesh.n_elements + e]];
        key                = std::min(key, 8 * cell_keys[e] + v);
      }

  // Every rank with a cell at the node that does not own it has the node as a ghost.
  std::map<unsigned int, std::vector<std::uint64_t>> of_ghosts;
  for (const HaloPattern::Neighbour &neighbour : mesh.node_halo.neighbours)
    of_ghosts[neighbour.rank] = {keys.begin() + neighbour.ghosts_begin,
                                 keys.begin() + neighbour.ghosts_end};
  const auto received = dealii::Utilities::MPI::some_to_some(communicator, of_ghosts);
  for (const HaloPattern::Neighbour &neighbour : mesh.node_halo.neighbours)
    for (std::size_t i = 0; i < neighbour.send.size(); ++i)
      {
        std::uint64_t &key = keys[neighbour.send[i]];
        key                = std::min(key, received.at(neighbour.rank)[i]);
      }
  keys.resize(mesh.n_owned_nodes);
  return keys;
}
} // namespace strut::plugin
