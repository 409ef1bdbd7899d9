// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/void_nodes.h"

#include <deal.II/base/mpi.h>

#include <algorithm>

#include "plugin/base/host_halo.h"
#include "source/base/parallel_loop.h"

namespace strut
{
VoidNodes::VoidNodes(const ElementMesh &mesh, MPI_Comm communicator) : communicator_(communicator)
{
  const std::size_t n = mesh.n_elements;
  const double largest =
    cpu::parallel_max(cpu::parts_of_loop(cpu::default_n_threads(), n), n, [&](const std::size_t e) {
      return mesh.flags[e] == DesignFlag::empty ? 1. : 0.;
    });
  const bool here = largest > 0.;
  any_            = dealii::Utilities::MPI::max(here ? 1u : 0u, communicator) > 0;
  if (!any_)
    return;
  // Number of elements at each node that are not void, summed over ranks.
  std::vector<double> touching(mesh.n_nodes, 0.);
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      if (mesh.flags[e] != DesignFlag::empty)
        touching[mesh.connectivity[v * mesh.n_elements + e]] += 1.;
  add_to_owners(communicator, mesh, touching);
  is_among_.resize(mesh.n_owned_nodes);
  for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
    is_among_[node] = touching[node] == 0.;
}

std::string VoidNodes::note(const std::string &whose, const std::vector<LocalIndex> &nodes) const
{
  if (!any_)
    return {};
  const auto found =
    static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), [&](const LocalIndex node) {
      return is_among_[node];
    }));
  const auto all     = dealii::Utilities::MPI::sum(nodes.size(), communicator_);
  const auto in_void = dealii::Utilities::MPI::sum(found, communicator_);
  if (in_void == 0)
    return {};
  return "NOTE: " + whose + ": " + (in_void == all ? "all" : std::to_string(in_void) + " of") +
         " its " + std::to_string(all) +
         " nodes are in void regions only, where the minimum density alone connects them to the "
         "structure";
}
} // namespace strut
