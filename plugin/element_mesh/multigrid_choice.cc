// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/multigrid_choice.h"

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/grid/tria.h>

#include <strut/solvers/multigrid.h>
#include <strut/solvers/smoothing_steps.h>

#include <sstream>

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
  if (!choice.obstacle.empty())
    return choice;
  choice.coarser  = build_mesh_hierarchy(dof_handler, mesh, communicator.mpi());
  choice.obstacle = why_too_fine(communicator, choice.coarser);
  if (!choice.obstacle.empty())
    choice.coarser.clear();
  return choice;
}

std::string why_too_fine(const Communicator &communicator, const MeshHierarchy &coarser)
{
  const std::size_t n_dofs = communicator.sum(coarser.back().mesh.n_owned_dofs());
  if (n_dofs <= most_coarse_dofs)
    return "";
  return "the coarsest mesh has " + std::to_string(n_dofs) +
         " degrees of freedom, and multigrid solves directly for at most " +
         std::to_string(most_coarse_dofs) + ". A coarser mesh that is refined more often would do";
}

std::string describe_levels(const Communicator &communicator,
                            const ElementMesh &mesh,
                            const MeshHierarchy &coarser)
{
  const std::size_t n_coarser = n_coarser_levels(communicator, coarser, MultigridSettings());
  std::ostringstream text;
  text << "multigrid, " << n_coarser + 1 << " levels: " << communicator.sum(mesh.n_elements);
  for (std::size_t l = 0; l < n_coarser; ++l)
    text << ", " << communicator.sum(coarser[l].mesh.n_elements);
  text << " elements";
  if (const unsigned int steps = smoothing_steps_for(communicator, mesh); steps > 3)
    text << "; elements " << (steps < 10 ? "" : "at least ") << steps
         << " times longer than thick want " << steps << " smoothing steps"
         << (steps < 10 ? "" : ", the most there are; cubes would take fewer iterations");
  return text.str();
}
} // namespace strut::plugin
