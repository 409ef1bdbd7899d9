// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/library_matrix.h"

#include <deal.II/base/multithread_info.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/work_stream.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <bitset>

namespace strut
{
using namespace dealii;

LibraryElement::LibraryElement(const ElementType &type)
{
  const unsigned int degree = type.n_nodes == type.n_vertices ? 1 : 2;
  if (type.n_vertices == 8)
    {
      fe              = std::make_unique<FESystem<3>>(FE_Q<3>(degree), 3);
      mapping         = std::make_unique<MappingQ<3>>(degree);
      quadrature      = QGauss<3>(degree + 1);
      face_quadrature = QGauss<2>(degree + 1);
    }
  else
    {
      fe              = std::make_unique<FESystem<3>>(FE_SimplexP<3>(degree), 3);
      mapping         = std::make_unique<MappingFE<3>>(FE_SimplexP<3>(degree));
      quadrature      = QGaussSimplex<3>(degree);
      face_quadrature = QGaussSimplex<2>(degree + 1);
    }
}

bool LibraryElement::exists(const ElementType &type)
{
  return type.n_nodes != Hex20::n_nodes;
}

LibraryMatrix::LibraryMatrix(const Triangulation<3> &triangulation,
                             const TriangulationMesh &mesh,
                             const Material &material,
                             const std::vector<double> &factors,
                             const unsigned int n_threads)
  : element(mesh.mesh.type)
  , dof_handler(triangulation)
  , mesh_(mesh)
  , lambda_(material.lambda())
  , mu_(material.mu())
  , n_threads_(n_threads)
  , factor_of_cell_(mesh.mesh.n_elements)
{
  dof_handler.distribute_dofs(*element.fe);
  for (std::size_t e = 0; e < factors.size(); ++e)
    factor_of_cell_[mesh.mesh.element_to_cell[e]] = factors[e];
  for (unsigned int i = 0; i < element.fe->n_dofs_per_cell(); ++i)
    component_.push_back(element.fe->system_to_component_index(i).first);
}

void LibraryMatrix::make_pattern(DynamicSparsityPattern &pattern) const
{
  pattern.reinit(dof_handler.n_dofs(), dof_handler.n_dofs());
  DoFTools::make_sparsity_pattern(dof_handler, pattern);
}

void LibraryMatrix::find_colours()
{
  std::vector<Cell> cells(factor_of_cell_.size());
  for (const Cell &cell : dof_handler.active_cell_iterators())
    cells[cell->active_cell_index()] = cell;
  const ElementMesh &mesh      = mesh_.mesh;
  constexpr std::size_t n_most = 256;
  std::vector<std::bitset<n_most>> taken(mesh.n_nodes);
  colours_.clear();
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      std::bitset<n_most> at_nodes;
      for (std::size_t a = 0; a < mesh.type.n_nodes; ++a)
        at_nodes |= taken[mesh.node(e, a)];
      std::size_t colour = 0;
      while (colour < n_most && at_nodes[colour])
        ++colour;
      if (colour == n_most)
        throw Error("More than 256 colours of cells are needed: too many cells share a node.");
      for (std::size_t a = 0; a < mesh.type.n_nodes; ++a)
        taken[mesh.node(e, a)].set(colour);
      if (colour == colours_.size())
        colours_.emplace_back();
      colours_[colour].push_back(cells[mesh.element_to_cell[e]]);
    }
}

void LibraryMatrix::assemble(const Add &add) const
{
  Scratch scratch(*element.mapping,
                  *element.fe,
                  element.quadrature,
                  update_gradients | update_JxW_values);
  CellMatrix copy(element.fe->n_dofs_per_cell());
  const auto add_cell = [&](const CellMatrix &cell) {
    add(cell.local_dof_indices[0], cell.matrices[0]);
  };
  if (n_threads_ == 1)
    for (const Cell &cell : dof_handler.active_cell_iterators())
      {
        integrate(cell, scratch, copy);
        add_cell(copy);
      }
  else
    WorkStream::run(
      colours_,
      [&](const Cell &cell, Scratch &own, CellMatrix &result) { integrate(cell, own, result); },
      add_cell,
      scratch,
      copy,
      2 * MultithreadInfo::n_threads(),
      /*chunk_size*/ 512);
}

std::vector<types::global_dof_index> LibraryMatrix::dofs_of_nodes() const
{
  const ElementMesh &mesh = mesh_.mesh;
  std::vector<std::size_t> element_of_cell(mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    element_of_cell[mesh.element_to_cell[e]] = e;
  std::vector<types::global_dof_index> result(3 * mesh.n_nodes, numbers::invalid_dof_index);
  std::vector<types::global_dof_index> dofs(element.fe->n_dofs_per_cell());
  for (const Cell &cell : dof_handler.active_cell_iterators())
    {
      cell->get_dof_indices(dofs);
      const std::size_t e = element_of_cell[cell->active_cell_index()];
      for (unsigned int i = 0; i < dofs.size(); ++i)
        {
          const auto [component, node]               = element.fe->system_to_component_index(i);
          result[3 * mesh.node(e, node) + component] = dofs[i];
        }
    }
  return result;
}

/// Integrand of deal.II's step-8: lambda div div + mu (grad : grad + grad : grad^T).
void LibraryMatrix::integrate(const Cell &cell, Scratch &scratch, CellMatrix &result) const
{
  const FEValues<3> &values  = scratch.reinit(cell);
  const unsigned int n       = static_cast<unsigned int>(component_.size());
  FullMatrix<double> &matrix = result.matrices[0];
  matrix                     = 0.;
  for (unsigned int q = 0; q < values.n_quadrature_points; ++q)
    {
      const double weight = factor_of_cell_[cell->active_cell_index()] * values.JxW(q);
      for (unsigned int i = 0; i < n; ++i)
        {
          const Tensor<1, 3> &a = values.shape_grad(i, q);
          for (unsigned int j = 0; j < n; ++j)
            {
              const Tensor<1, 3> &b = values.shape_grad(j, q);
              matrix(i, j) += weight * (lambda_ * a[component_[i]] * b[component_[j]] +
                                        mu_ * a[component_[j]] * b[component_[i]] +
                                        (component_[i] == component_[j] ? mu_ * (a * b) : 0.));
            }
        }
    }
  cell->get_dof_indices(result.local_dof_indices[0]);
}
} // namespace strut
