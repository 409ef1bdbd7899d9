// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/library_solve.h"

#include <deal.II/fe/fe_values.h>

#include <deal.II/grid/tria.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparse_matrix.h>

#include <deal.II/dofs/dof_tools.h>

#include <strut/base/communicator.h>

#include <ostream>

#include "plugin/studies/assembly/library_matrix.h"
#include "plugin/studies/assembly/measure_solve.h"
#include "plugin/studies/report/status.h"
#include "source/base/measure.h"

namespace strut
{
namespace
{
using namespace dealii;

/// Forces of a uniform traction on all loaded faces.
Vector<double> face_forces(const LibraryMatrix &matrix, const AssemblySolveParameters &solve)
{
  const LibraryElement &element = matrix.element();
  FEFaceValues<3> values(*element.mapping,
                         *element.fe,
                         element.face_quadrature,
                         update_values | update_JxW_values);
  Vector<double> forces(matrix.dof_handler().n_dofs());
  double area = 0.;
  std::vector<types::global_dof_index> dofs(element.fe->n_dofs_per_cell());
  for (const auto &cell : matrix.dof_handler().active_cell_iterators())
    for (const unsigned int f : cell->face_indices())
      {
        if (!cell->face(f)->at_boundary() ||
            !solve.has(solve.loaded_boundaries, cell->face(f)->boundary_id()))
          continue;
        values.reinit(cell, f);
        cell->get_dof_indices(dofs);
        for (unsigned int q = 0; q < values.n_quadrature_points; ++q)
          {
            area += values.JxW(q);
            for (unsigned int i = 0; i < dofs.size(); ++i)
              forces[dofs[i]] += solve.force[element.fe->system_to_component_index(i).first] *
                                 values.shape_value(i, q) * values.JxW(q);
          }
      }
  forces /= area;
  return forces;
}

std::vector<double>
at_nodes(const LibraryMatrix &matrix, const TriangulationMesh &mesh, const Vector<double> &u)
{
  const Connectivity &connectivity = mesh.mesh.connectivity;
  const FESystem<3> &fe            = *matrix.element().fe;
  std::vector<std::size_t> element_of_cell(connectivity.n_elements);
  for (std::size_t e = 0; e < connectivity.n_elements; ++e)
    element_of_cell[mesh.cell_of_element[e]] = e;
  std::vector<double> result(3 * connectivity.n_nodes);
  std::vector<types::global_dof_index> dofs(fe.n_dofs_per_cell());
  for (const auto &cell : matrix.dof_handler().active_cell_iterators())
    {
      cell->get_dof_indices(dofs);
      for (unsigned int i = 0; i < dofs.size(); ++i)
        {
          const auto [component, node] = fe.system_to_component_index(i);
          const std::size_t e          = element_of_cell[cell->active_cell_index()];
          result[3 * connectivity.node(e, static_cast<int>(node)) + component] = u[dofs[i]];
        }
    }
  return result;
}

Vector<double> generate_and_solve(LibraryMatrix &matrix,
                                  const AssemblySolveParameters &solve,
                                  GeneratedSolve &result)
{
  const WallClock generation;
  DynamicSparsityPattern dynamic;
  matrix.make_pattern(dynamic);
  SparsityPattern pattern;
  pattern.copy_from(dynamic);
  SparseMatrix<double> K(pattern);
  matrix.assemble([&](const auto &dofs, const auto &values) { K.add(dofs, values); });
  Vector<double> f = face_forces(matrix, solve), u(f.size());
  AffineConstraints<double> constraints;
  for (const unsigned int id : solve.fixed_boundaries)
    DoFTools::make_zero_boundary_constraints(matrix.dof_handler(), id, constraints);
  constraints.close();
  constraints.condense(K, f);
  result.generation = generation.seconds();

  const WallClock clock;
  PreconditionJacobi<SparseMatrix<double>> jacobi;
  jacobi.initialize(K);
  dealii::SolverControl control(solve.max_iterations, solve.tolerance * f.l2_norm());
  SolverCG<Vector<double>>(control).solve(K, u, f, jacobi);
  constraints.distribute(u);
  result.solve      = clock.seconds();
  result.iterations = control.last_step();
  result.residual   = control.last_value() / f.l2_norm();
  result.compliance = f * u;
  return u;
}
} // namespace

std::vector<double> solve_with_library(const Triangulation<3> &triangulation,
                                       const TriangulationMesh &mesh,
                                       const Material &material,
                                       const AssemblySolveParameters &solve,
                                       AssemblyResults &results,
                                       std::ostream &log)
{
  if (!LibraryElement::exists(mesh.mesh.element_type))
    return {};
  GeneratedSolve result;
  result.element   = name(mesh.mesh.element_type);
  result.backend   = "cpu";
  result.n_threads = 1;
  result.format    = "deal.II";
  std::vector<double> displacement;
  const auto work = [&]() {
    LibraryMatrix matrix(triangulation,
                         mesh,
                         material,
                         std::vector<double>(mesh.cell_of_element.size(), 1.),
                         /*n_threads*/ 1);
    displacement                = at_nodes(matrix, mesh, generate_and_solve(matrix, solve, result));
    result.largest_displacement = largest_displacement(displacement);
  };
  attempt_part(Communicator(), result.status, work, "failed: ", "failed: ");
  report_solve(result, results, log);
  return displacement;
}
} // namespace strut
