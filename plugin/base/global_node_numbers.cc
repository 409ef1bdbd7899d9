// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/global_node_numbers.h"

#include "plugin/base/host_halo.h"

namespace strut
{
std::uint64_t sum_before(MPI_Comm communicator, const std::uint64_t n)
{
  std::uint64_t with_ours = 0;
  MPI_Scan(&n, &with_ours, 1, MPI_UINT64_T, MPI_SUM, communicator);
  return with_ours - n;
}

GlobalNodeNumbers::GlobalNodeNumbers(MPI_Comm communicator, const ElementMesh &mesh)
  : n_owned_(mesh.n_owned_nodes)
  , first_(sum_before(communicator, mesh.n_owned_nodes))
  , first_element_(sum_before(communicator, mesh.n_elements))
  , n_nodes_(dealii::Utilities::MPI::sum(std::uint64_t(mesh.n_owned_nodes), communicator))
  , n_elements_(dealii::Utilities::MPI::sum(std::uint64_t(mesh.n_elements), communicator))
{
  if (dealii::Utilities::MPI::n_mpi_processes(communicator) == 1)
    return;

  // Doubles represent these numbers exactly.
  std::vector<double> numbers(mesh.n_nodes, 0.);
  for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
    numbers[node] = static_cast<double>(first_ + node);
  update_ghosts(communicator, mesh, numbers);
  for (std::size_t node = mesh.n_owned_nodes; node < mesh.n_nodes; ++node)
    ghosts_.push_back(static_cast<std::uint64_t>(numbers[node]));
}
} // namespace strut
