// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/solvers/multigrid/coarse_constraints.h"

#include <strut/backend/backend.h>
#include <strut/parallel/halo_exchange.h>

#include <cstdint>
#include <vector>

namespace strut
{
namespace
{
/// Of each DoF, on owned nodes and ghosts: whether it is marked, as a number that ranks can add.
using Marks = std::vector<double>;

/// The marks of one rank go to all.
void unite(Backend &backend,
           const Communicator &communicator,
           const HaloPattern &pattern,
           Marks &marks)
{
  if (communicator.size() == 1)
    return;
  Array<double> values(backend.memory(), marks);
  HaloExchange<double> exchange(backend, communicator, pattern, 3);
  exchange.add_to_owners(values);
  exchange.update_ghosts(values);
  marks = values.to_host();
}
} // namespace

void constrain_coarse_dofs(const Communicator &communicator,
                           const ElementMesh &fine,
                           const LevelTransfer &transfer,
                           ElementMesh &coarse)
{
  std::vector<std::uint8_t> components(fine.n_nodes, 0); // a bit for each that is constrained
  for (const LocalIndex dof : fine.constrained_dofs)
    components[dof / 3] |= static_cast<std::uint8_t>(1u << dof % 3);

  // (1) Of the nodes that have a fine one at their place.
  const auto backend = make_cpu_backend(1);
  Marks marks(3 * transfer.n_coarse_nodes, 0.);
  for_each_common_node(fine, transfer, [&](const std::size_t child, const std::size_t node) {
    for (unsigned int d = 0; d < 3; ++d)
      if (components[child] >> d & 1u)
        marks[3 * node + d] = 1.;
  });
  unite(*backend, communicator, transfer.coarse_nodes, marks);

  // (2) The coarse mesh has the same owned nodes and other ghosts.
  marks.resize(coarse.n_owned_dofs());
  marks.resize(coarse.n_dofs(), 0.);
  unite(*backend, communicator, coarse.node_halo, marks);
  coarse.constrained_dofs.clear();
  for (std::size_t i = 0; i < coarse.n_dofs(); ++i)
    if (marks[i] > 0.)
      coarse.constrained_dofs.push_back(static_cast<LocalIndex>(i));
  coarse.constrained_values.assign(coarse.constrained_dofs.size(), 0.);
}

void place_coarse_nodes(const Communicator &communicator,
                        const ElementMesh &fine,
                        const LevelTransfer &transfer,
                        ElementMesh &coarse)
{
  // (1) x, y, z, 1: the mean over the ranks that know the place of a node.
  const auto backend = make_cpu_backend(1);
  std::vector<double> places(4 * transfer.n_coarse_nodes, 0.);
  for_each_common_node(fine, transfer, [&](const std::size_t child, const std::size_t node) {
    for (std::size_t d = 0; d < 3; ++d)
      places[4 * node + d] = fine.coordinates[d * fine.n_nodes + child];
    places[4 * node + 3] = 1.;
  });
  Array<double> sums(backend->memory(), places);
  HaloExchange<double>(*backend, communicator, transfer.coarse_nodes, 4).add_to_owners(sums);
  places = sums.to_host();

  // (2) The coarse mesh has the same owned nodes and other ghosts.
  places.resize(4 * coarse.n_owned_nodes);
  places.resize(4 * coarse.n_nodes, 0.);
  Array<double> of_all(backend->memory(), places);
  HaloExchange<double>(*backend, communicator, coarse.node_halo, 4).update_ghosts(of_all);
  places = of_all.to_host();
  for (std::size_t node = 0; node < coarse.n_nodes; ++node)
    for (std::size_t d = 0; d < 3; ++d)
      coarse.coordinates[d * coarse.n_nodes + node] = places[4 * node + d] / places[4 * node + 3];
}
} // namespace strut
