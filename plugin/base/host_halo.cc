// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/host_halo.h"

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/parallel/halo_exchange.h>

namespace strut::plugin
{
namespace
{
using Exchange = HaloExchange<double>;

void exchange(MPI_Comm communicator,
              const ElementMesh &mesh,
              std::vector<double> &values,
              void (Exchange::*move)(Array<double> &))
{
  if (mesh.node_halo.neighbours.empty())
    return; // no ghosts, and nobody asks for ours
  const auto backend      = make_cpu_backend(1);
  const auto n_components = static_cast<unsigned int>(values.size() / mesh.n_nodes);
  Exchange exchange(*backend, Communicator(communicator), mesh.node_halo, n_components);
  Array<double> array(backend->memory(), values);
  (exchange.*move)(array);
  values = array.to_host();
}
} // namespace

void update_ghosts(MPI_Comm communicator, const ElementMesh &mesh, std::vector<double> &values)
{
  exchange(communicator, mesh, values, &Exchange::update_ghosts);
}

void add_to_owners(MPI_Comm communicator, const ElementMesh &mesh, std::vector<double> &values)
{
  exchange(communicator, mesh, values, &Exchange::add_to_owners);
}
} // namespace strut::plugin
