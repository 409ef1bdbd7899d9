// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/problem/void_nodes.h"

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/lac/la_parallel_vector.h>

#include <algorithm>

namespace strut::plugin
{
VoidNodes::VoidNodes(const dealii::DoFHandler<3, 3> &dof_handler,
                     const std::vector<bool> &is_void,
                     MPI_Comm communicator)
  : communicator_(communicator)
{
  const bool here = std::find(is_void.begin(), is_void.end(), true) != is_void.end();
  any_            = dealii::Utilities::MPI::max(here ? 1u : 0u, communicator) > 0;
  if (!any_)
    return;
  // Elements that are not void, at the first DoF of each node; those of other ranks are added.
  dealii::IndexSet relevant;
  dealii::DoFTools::extract_locally_relevant_dofs(dof_handler, relevant);
  dealii::LinearAlgebra::distributed::Vector<double> touching(dof_handler.locally_owned_dofs(),
                                                              relevant,
                                                              communicator);
  std::vector<dealii::types::global_dof_index> owned;
  std::size_t c = 0;
  for (const auto &cell : dof_handler.active_cell_iterators())
    {
      if (cell->is_artificial())
        continue;
      for (const unsigned int v : cell->vertex_indices())
        if (touching.in_local_range(cell->vertex_dof_index(v, 0)))
          owned.push_back(cell->vertex_dof_index(v, 0));
      if (cell->is_locally_owned() && !is_void[c++])
        for (const unsigned int v : cell->vertex_indices())
          touching(cell->vertex_dof_index(v, 0)) += 1.;
    }
  touching.compress(dealii::VectorOperation::add);
  std::sort(owned.begin(), owned.end());
  owned.erase(std::unique(owned.begin(), owned.end()), owned.end());
  for (const auto node : owned)
    if (touching(node) == 0.)
      nodes_.push_back(node);
}

std::string VoidNodes::note(const std::string &whose,
                            const std::vector<dealii::types::global_dof_index> &nodes) const
{
  if (!any_)
    return {};
  const auto found =
    static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), [&](const auto node) {
      return std::binary_search(nodes_.begin(), nodes_.end(), node);
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
} // namespace strut::plugin
