// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/parallel/node_numbers.h"

#include <strut/backend/backend.h>
#include <strut/parallel/halo_exchange.h>

#include <numeric>

namespace strut
{
std::vector<double> as_owners_have_it(Backend &backend,
                                      const Communicator &communicator,
                                      const ElementMesh &mesh,
                                      const std::vector<double> &values)
{
  Array<double> on_backend(backend.memory(), values);
  HaloExchange<double>(backend, communicator, mesh.node_halo, 1).update_ghosts(on_backend);
  return on_backend.to_host();
}

std::vector<double>
node_numbers(Backend &backend, const Communicator &communicator, const ElementMesh &mesh)
{
  const std::vector<double> counts = communicator.gather({static_cast<double>(mesh.n_owned_nodes)});
  const double first = std::accumulate(counts.begin(), counts.begin() + communicator.rank(), 0.);
  std::vector<double> numbers(mesh.n_nodes, 0.);
  std::iota(numbers.begin(),
            numbers.begin() + static_cast<std::ptrdiff_t>(mesh.n_owned_nodes),
            first);
  return as_owners_have_it(backend, communicator, mesh, numbers);
}
} // namespace strut
