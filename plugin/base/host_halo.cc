// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/host_halo.h"
#include <strut/parallel/halo_exchange.h>

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>

#include <algorithm>

namespace strut
{
namespace
{
using Exchange = HaloExchange<double>;

using Move = void (Exchange::*)(Array<double> &);

void exchange(MPI_Comm communicator,
              const HaloBorder &border,
              std::vector<double> &values,
              const Move move)
{
  if (border.pattern.neighbours.empty())
    return; // this rank has no ghosts, and no rank needs its values
  const auto backend = make_cpu_backend(1);
  const std::size_t n_components =
    border.entities.empty() ? 1
                            : values.size() / border.entities.size(); // empty messages are sent too
  Exchange exchange(*backend,
                    Communicator(communicator),
                    border.pattern,
                    static_cast<unsigned int>(n_components));
  Array<double> array(backend->memory(), values);
  (exchange.*move)(array);
  values = array.to_host();
}

void exchange(MPI_Comm communicator,
              const ElementMesh &mesh,
              std::vector<double> &values,
              const Move move)
{
  const HaloBorder border(mesh.node_halo);
  std::vector<double> of_border =
    border.take(values,
                static_cast<unsigned int>(values.size() / std::max<std::size_t>(mesh.n_nodes, 1)));
  exchange(communicator, border, of_border, move);
  border.put(of_border, values);
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

void update_ghosts(MPI_Comm communicator, const HaloBorder &border, std::vector<double> &values)
{
  exchange(communicator, border, values, &Exchange::update_ghosts);
}

void add_to_owners(MPI_Comm communicator, const HaloBorder &border, std::vector<double> &values)
{
  exchange(communicator, border, values, &Exchange::add_to_owners);
}
} // namespace strut
