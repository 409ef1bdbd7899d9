// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/operator/dof_handler_checks.h"

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <string>
#include <utility>

namespace strut::plugin
{
namespace
{
/// Whether DoF `3 * v + d` of a cell is component d at vertex v.
bool is_trilinear_vector(const dealii::FiniteElement<3> &fe)
{
  if (fe.n_components() != 3 || fe.n_dofs_per_cell() != 24 || fe.n_dofs_per_vertex() != 3 ||
      !fe.is_primitive())
    return false;
  for (unsigned int b = 0; b < fe.n_base_elements(); ++b)
    if (fe.base_element(b).get_name() != "FE_Q<3>(1)")
      return false;
  for (unsigned int i = 0; i < 24; ++i)
    if (fe.system_to_component_index(i) != std::make_pair(i % 3, i / 3))
      return false;
  return true;
}
} // namespace

void check_dof_handler(const dealii::DoFHandler<3, 3> &dof_handler)
{
  if (!dof_handler.get_triangulation().all_reference_cells_are_hyper_cube())
    throw Error(
      "StiffnessOperator works on hexahedra, and the mesh has other cells.\n  Make a mesh "
      "of hexahedra (GridGenerator::convert_hypercube_to_simplex_mesh() has no way back).");
  if (!dof_handler.has_active_dofs())
    throw Error("The DoFHandler of the StiffnessOperator has no degrees of freedom.\n  Call "
                "dof_handler.distribute_dofs(fe) before.");
  if (dof_handler.get_fe_collection().size() != 1)
    throw Error("StiffnessOperator works with one finite element, FESystem<3>(FE_Q<3>(1), 3), and "
                "the DoFHandler has a collection of " +
                std::to_string(dof_handler.get_fe_collection().size()) +
                ".\n  Distribute the degrees of freedom of that element alone.");
  if (!is_trilinear_vector(dof_handler.get_fe()))
    throw Error("StiffnessOperator works with FESystem<3>(FE_Q<3>(1), 3), and the DoFHandler has " +
                dof_handler.get_fe().get_name() +
                ".\n  Distribute the degrees of freedom of that element.");
}
} // namespace strut::plugin
