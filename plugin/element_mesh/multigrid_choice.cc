// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/multigrid_choice.h"

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/grid/tria.h>

#include "plugin/element_mesh/mesh_hierarchy_builder.h"

namespace strut::plugin
{
namespace
{
using Triangulation = dealii::Triangulation<3, 3>;

/// Whether every cell that this rank sees was cut into eight as often as the others.
bool is_refined_globally(const Triangulation &triangulation)
{
  const int finest = static_cast<int>(triangulation.n_global_levels()) - 1;
  for (const auto &cell : triangulation.cell_iterators())
    if (cell->has_children() ? cell->n_children() != 8
                             : cell->is_locally_owned() && cell->level() != finest)
      return false;
  return true;
}

std::string obstacle_of(const Triangulation &triangulation, const Communicator &communicator)
{
  if (triangulation.n_global_levels() == 1)
    return "the mesh was refined from no coarser one. Multigrid wants a coarse mesh and "
           "refine_global()";
  if (communicator.any(!is_refined_globally(triangulation)))
    return "not all cells were cut into eight equally often. Multigrid wants refine_global()";
  if (!knows_level_owners(triangulation, communicator.mpi()))
    return "the triangulation does not know which rank owns which coarser cell. On several ranks "
           "multigrid wants it constructed with construct_multigrid_hierarchy";
  return "";
}
} // namespace

MultigridChoice choose_multigrid(const dealii::DoFHandler<3, 3> &dof_handler,
                                 const ElementMesh &mesh,
                                 const Communicator &communicator)
{
  MultigridChoice choice;
  choice.obstacle = obstacle_of(dof_handler.get_triangulation(), communicator);
  if (choice.obstacle.empty())
    choice.coarser = build_mesh_hierarchy(dof_handler, mesh, communicator.mpi());
  return choice;
}
} // namespace strut::plugin
