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
  const std::size_t n = fine.n_elements;
  std::vector<std::uint8_t> components(fine.n_nodes, 0); // a bit for each that is constrained
  for (const LocalIndex dof : fine.constrained_dofs)
    components[dof / 3] |= static_cast<std::uint8_t>(1u << dof % 3);

  // (1) Child c has its vertex c where the parent has it, an element left whole has all of them there.
  const auto backend = make_cpu_backend(1);
  Marks marks(3 * transfer.n_coarse_nodes, 0.);
  for (std::size_t e = 0; e < n; ++e)
    {
      const std::size_t octant = transfer.octants[e];
      const bool whole         = octant == LevelTransfer::whole;
      for (std::size_t c = whole ? 0 : octant; c <= (whole ? 7 : octant); ++c)
        {
          const std::size_t node = transfer.parent_nodes[transfer.parents[e]][c];
          for (unsigned int d = 0; d < 3; ++d)
            if (components[fine.connectivity[c * n + e]] >> d & 1u)
              marks[3 * node + d] = 1.;
        }
    }
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
} // namespace strut
