// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/output/shared_nodes.h"

#include "plugin/base/host_halo.h"

namespace strut::plugin
{
GlobalNodeNumbers::GlobalNodeNumbers(MPI_Comm communicator, const ElementMesh &mesh)
  : n_owned_(mesh.n_owned_nodes)
{
  const std::uint64_t mine[2] = {mesh.n_owned_nodes, mesh.n_elements};
  std::uint64_t all[2]        = {};
  MPI_Allreduce(mine, all, 2, MPI_UINT64_T, MPI_SUM, communicator);
  n_nodes_                      = all[0];
  n_elements_                   = all[1];
  std::uint64_t before_and_mine = 0;
  MPI_Scan(mine, &before_and_mine, 1, MPI_UINT64_T, MPI_SUM, communicator);
  first_ = before_and_mine - mine[0];

  // doubles hold these exactly
  std::vector<double> numbers(mesh.n_nodes, 0.);
  for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
    numbers[node] = static_cast<double>(first_ + node);
  update_ghosts(communicator, mesh, numbers);
  for (std::size_t node = mesh.n_owned_nodes; node < mesh.n_nodes; ++node)
    ghosts_.push_back(static_cast<std::uint64_t>(numbers[node]));
}

std::vector<double>
average_at_nodes(MPI_Comm communicator, const ElementMesh &mesh, const std::vector<double> &values)
{
  std::vector<double> sums(2 * mesh.n_nodes, 0.); // of the values, and of elements
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      {
        const std::size_t node = mesh.connectivity[v * mesh.n_elements + e];
        sums[2 * node] += values[e];
        sums[2 * node + 1] += 1.;
      }
  add_to_owners(communicator, mesh, sums);
  std::vector<double> means(mesh.n_owned_nodes);
  for (std::size_t node = 0; node < means.size(); ++node)
    means[node] = sums[2 * node] / sums[2 * node + 1];
  return means;
}
} // namespace strut::plugin
