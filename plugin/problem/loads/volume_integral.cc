// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_values.h>

#include <strut/base/exceptions.h>
#include <strut/plugin/load_integrals.h>


namespace strut::plugin
{
std::string
visit_elements(const LoadContext &context, const Load &load, const ElementVisitor &visit)
{
  if (load.region.has_boundary_ids())
    throw EntryError(
      load.path(),
      "Boundary ids",
      "A force per volume acts on elements, which have no boundary ids.\n  Name the region "
      "by 'Material ids' or 'Expression'.");
  unsigned int n_cells = 0;
  std::size_t number   = 0;
  for (const auto &cell : context.dof_handler.active_cell_iterators())
    if (cell->is_locally_owned())
      {
        if (load.region.has_cell(*cell) && load.region.holds_at(cell->center()))
          {
            ++n_cells;
            if (context.caught != nullptr)
              {
                context.caught->set_kind(Caught::Kind::elements);
                context.caught->count(cell->measure());
                for (const unsigned int v : cell->vertex_indices())
                  context.caught->include(cell->vertex(v));
              }
            visit(cell, number);
          }
        ++number;
      }
  n_cells = dealii::Utilities::MPI::sum(n_cells, context.communicator);
  if (n_cells == 0)
    load.region.throw_selects_nothing("element", context.summary);
  return std::to_string(n_cells) + " elements";
}

std::string
add_volume_integral(const LoadContext &context, const Load &load, const ForceDensity &force)
{
  const dealii::FiniteElement<3> &fe = context.dof_handler.get_fe();
  const dealii::QGauss<3> quadrature(2);
  dealii::FEValues<3> values(fe,
                             quadrature,
                             dealii::update_values | dealii::update_JxW_values |
                               dealii::update_quadrature_points);
  std::vector<dealii::types::global_dof_index> dofs(fe.n_dofs_per_cell());
  return visit_elements(context, load, [&](const auto &cell, std::size_t) {
    values.reinit(cell);
    cell->get_dof_indices(dofs);
    for (const unsigned int q : values.quadrature_point_indices())
      {
        const dealii::Tensor<1, 3> b = force(values.quadrature_point(q)) * values.JxW(q);
        for (const unsigned int i : values.dof_indices())
          context.forces(dofs[i]) +=
            values.shape_value(i, q) * b[fe.system_to_component_index(i).first];
      }
  });
}
} // namespace strut::plugin
