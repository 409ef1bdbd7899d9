// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/global_node_numbers.h"

#include <deal.II/base/mpi.h>

#include "plugin/base/host_halo.h"

namespace strut
{
GlobalNodeNumbers::GlobalNodeNumbers(MPI_Comm communicator, const ElementMesh &mesh)
  : n_owned_(mesh.n_owned_nodes)
{
  const std::uint64_t n_owned = mesh.n_owned_nodes, n_elements = mesh.n_elements;
  n_nodes_    = dealii::Utilities::MPI::sum(n_owned, communicator);
  n_elements_ = dealii::Utilities::MPI::sum(n_elements, communicator);
  MPI_Scan(&n_owned, &first_, 1, MPI_UINT64_T, MPI_SUM, communicator); // including this rank
  first_ -= n_owned;

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
