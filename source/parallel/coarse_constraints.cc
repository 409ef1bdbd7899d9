// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/parallel/coarse_constraints.h"
#include <strut/parallel/halo_exchange.h>

#include <strut/backend/backend.h>

#include <cstdint>
#include <vector>

#include "source/base/filled_vector.h"
#include "source/mesh/constrained_components.h"
#include "source/mesh/numbers_where.h"
#include "source/parallel/halo_border.h"

namespace strut
{
namespace
{
/// Marks of the nodes, owned ones and ghosts: one bit for each marked DoF.
using Marks = std::vector<std::uint8_t>;

/// Combines the marks of all ranks.
void unite(Backend &backend,
           const Communicator &communicator,
           const HaloPattern &pattern,
           const unsigned int n_components,
           Marks &marks)
{
  if (communicator.size() == 1)
    return;
  const HaloBorder border(pattern);
  std::vector<double> values;
  for (const std::uint32_t node : border.entities)
    for (unsigned int c = 0; c < n_components; ++c)
      values.push_back(marks[node] >> c & 1u);
  Array<double> numbers(backend.memory(), values);
  HaloExchange<double> exchange(backend, communicator, border.pattern, n_components);
  exchange.add_to_owners(numbers);
  exchange.update_ghosts(numbers);
  values = numbers.to_host();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] > 0.)
      marks[border.entities[i / n_components]] |= static_cast<std::uint8_t>(1u << i % n_components);
}
} // namespace

void constrain_coarse_dofs(const Communicator &communicator,
                           const ElementMesh &fine,
                           const LevelTransfer &transfer,
                           ElementMesh &coarse)
{
  const int n_threads     = cpu::default_n_threads();
  const unsigned int n    = fine.n_components;
  const Marks constrained = constrained_components(fine.constrained_dofs, fine.n_nodes, n);

  // (1) Mark coarse nodes at the place of a fine one. Nodes of few elements are constrained.
  const auto backend = make_cpu_backend(1);
  Marks marks        = cpu::filled_vector<std::uint8_t>(n_threads, transfer.n_coarse_nodes);
  const auto is_held = [&](const std::size_t e) {
    bool any = false;
    for_each_common_node(fine, transfer, e, [&](const std::size_t child, std::size_t) {
      any = any || constrained[child] != 0;
    });
    return any;
  };
  for (const LocalIndex e : numbers_where(n_threads, fine.n_elements, is_held))
    for_each_common_node(fine, transfer, e, [&](const std::size_t child, const std::size_t node) {
      marks[node] |= constrained[child];
    });
  unite(*backend, communicator, transfer.coarse_nodes, n, marks);

  // (2) The coarse mesh has the same owned nodes, and other ghosts.
  marks.resize(coarse.n_owned_nodes);
  marks.resize(coarse.n_nodes, 0);
  unite(*backend, communicator, coarse.node_halo, n, marks);
  coarse.n_components     = n;
  coarse.constrained_dofs = numbers_where(n_threads, coarse.n_dofs(), [&](const std::size_t dof) {
    return (marks[dof / n] >> dof % n & 1u) != 0;
  });
  coarse.constrained_values.assign(coarse.constrained_dofs.size(), 0.);
}

void place_coarse_nodes(const Communicator &communicator,
                        const ElementMesh &fine,
                        const LevelTransfer &transfer,
                        ElementMesh &coarse)
{
  // (1) Sums of x, y, z and 1 give the mean over the ranks that know the place of a node.
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

  // (2) The coarse mesh has the same owned nodes, and other ghosts.
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
