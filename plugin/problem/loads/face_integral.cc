// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_values.h>

#include <strut/plugin/load_integrals.h>
#include <strut/plugin/mesh_summary.h>

#include <numeric>
#include <sstream>

namespace strut::plugin
{
namespace
{
/// Call visit(values) for each face of the region on locally owned cells.
void for_each_face(
  const LoadContext &context,
  const Load &load,
  const std::function<void(const dealii::FEFaceValues<3> &,
                           const dealii::DoFHandler<3, 3>::active_cell_iterator &)> &visit)
{
  const dealii::QGauss<2> quadrature(2);
  dealii::FEFaceValues<3> values(context.dof_handler.get_fe(),
                                 quadrature,
                                 dealii::update_values | dealii::update_JxW_values |
                                   dealii::update_normal_vectors |
                                   dealii::update_quadrature_points);
  for (const auto &cell : context.dof_handler.active_cell_iterators())
    if (cell->is_locally_owned() && load.region.has_cell(*cell))
      for (const unsigned int f : cell->face_indices())
        if (load.region.has_face(*cell, f) && load.region.holds_at(cell->face(f)->center()))
          {
            values.reinit(cell, f);
            visit(values, cell);
          }
}
} // namespace

std::string
add_face_integral(const LoadContext &context, const Load &load, const Traction &traction)
{
  const dealii::FiniteElement<3> &fe = context.dof_handler.get_fe();
  std::vector<dealii::types::global_dof_index> dofs(fe.n_dofs_per_cell());
  unsigned int n_faces = 0;
  for_each_face(context, load, [&](const auto &values, const auto &cell) {
    ++n_faces;
    if (context.caught != nullptr)
      {
        const auto &areas = values.get_JxW_values();
        context.caught->set_kind(Caught::Kind::faces);
        context.caught->count(std::accumulate(areas.begin(), areas.end(), 0.));
        for (const unsigned int v : cell->face(values.get_face_number())->vertex_indices())
          context.caught->include(cell->face(values.get_face_number())->vertex(v));
      }
    cell->get_dof_indices(dofs);
    for (const unsigned int q : values.quadrature_point_indices())
      {
        const dealii::Tensor<1, 3> t =
          traction(values.quadrature_point(q), values.normal_vector(q)) * values.JxW(q);
        for (const unsigned int i : values.dof_indices())
          {
            const double n = values.shape_value(i, q);
            if (n != 0.)
              context.forces(dofs[i]) += n * t[fe.system_to_component_index(i).first];
          }
      }
  });
  n_faces = dealii::Utilities::MPI::sum(n_faces, context.communicator);
  if (n_faces == 0)
    load.region.throw_selects_nothing("boundary face", context.summary);
  std::ostringstream text;
  text << n_faces << " faces of area " << region_area(context, load);
  return text.str();
}

double region_area(const LoadContext &context, const Load &load)
{
  double area = 0;
  for_each_face(context, load, [&](const auto &values, const auto &) {
    const auto &areas = values.get_JxW_values();
    area              = std::accumulate(areas.begin(), areas.end(), area);
  });
  return dealii::Utilities::MPI::sum(area, context.communicator);
}
} // namespace strut::plugin
