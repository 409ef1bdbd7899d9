// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/parallel/node_numbers.h"
#include "source/backend/to_host.h"
#include <strut/parallel/halo_exchange.h>

#include <strut/backend/backend.h>

#include <utility>

namespace strut
{
namespace
{
std::vector<double> from_owners(Backend &backend,
                                const Communicator &communicator,
                                const HaloPattern &pattern,
                                std::vector<double> values)
{
  if (communicator.size() == 1)
    return values; // this rank owns all nodes
  Array<double> on_backend(backend.memory(), values);
  HaloExchange<double>(backend, communicator, pattern, 1).update_ghosts(on_backend);
  return to_host(backend.memory(), on_backend);
}
} // namespace

std::vector<double> as_owners_have_it(Backend &backend,
                                      const Communicator &communicator,
                                      const ElementMesh &mesh,
                                      std::vector<double> values)
{
  return from_owners(backend, communicator, mesh.node_halo, std::move(values));
}

std::vector<std::size_t> begins_over_ranks(const Communicator &communicator,
                                           const std::size_t n_owned)
{
  std::vector<std::size_t> begins{0};
  for (const double n : communicator.gather({static_cast<double>(n_owned)}))
    begins.push_back(begins.back() + static_cast<std::size_t>(n));
  return begins;
}

std::vector<double> numbers_over_ranks(Backend &backend,
                                       const Communicator &communicator,
                                       const HaloPattern &pattern,
                                       const std::size_t n_owned,
                                       const std::size_t n)
{
  const int n_threads         = cpu::default_n_threads();
  const std::size_t first     = begins_over_ranks(communicator, n_owned)[communicator.rank()];
  std::vector<double> numbers = cpu::filled_vector<double>(n_threads, n);
  cpu::parallel_for(n_threads, n_owned, [&](const std::size_t i) {
    numbers[i] = static_cast<double>(first + i);
  });
  return from_owners(backend, communicator, pattern, std::move(numbers));
}

std::vector<double>
node_numbers(Backend &backend, const Communicator &communicator, const ElementMesh &mesh)
{
  return numbers_over_ranks(
    backend, communicator, mesh.node_halo, mesh.n_owned_nodes, mesh.n_nodes);
}
} // namespace strut
