// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/library_assembly.h"

#include <deal.II/base/multithread_info.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_values.h>

#include <deal.II/grid/tria.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>

#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>

#include <Epetra_CrsMatrix.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "plugin/studies/assembly/library_matrix.h"
#include "plugin/studies/assembly/measure_generation.h"
#include "plugin/studies/assembly/measure_solve.h"
#include "plugin/studies/report/choices.h"
#include "plugin/studies/report/status.h"
#include "source/base/measure.h"

namespace strut
{
namespace
{
using namespace dealii;
/// Adds the wall-clock time of some work to the report, as a step.
void timed(StageReport &report, const std::string &name, const std::function<void()> &work)
{
  const WallClock clock;
  work();
  report.steps.push_back({name, clock.seconds(), /*bytes*/ 0.});
}

/// One run: the pattern, the colours if there are several threads, and the values.
struct Run
{
  StageReport pattern, preparation, values;
  double pattern_bytes = 0, matrix_bytes = 0, norm = 0;
};

double sum_of_squares(const SparseMatrix<double> &matrix, const unsigned int row)
{
  double sum     = 0;
  const auto end = matrix.end(row);
  for (auto entry = matrix.begin(row); entry != end; ++entry)
    sum += entry->value() * entry->value();
  return sum;
}

// Uses Epetra's view of the row: each of deal.II's iterators of such a matrix clears memory for a
// whole row.
double sum_of_squares(const TrilinosWrappers::SparseMatrix &matrix, const unsigned int row)
{
  int n          = 0;
  double *values = nullptr;
  matrix.trilinos_matrix().ExtractMyRowView(static_cast<int>(row), n, values);
  return std::inner_product(values, values + n, values, 0.);
}

/// Frobenius norm, summed row by row. The libraries use one running sum, whose error over the 3e8
/// entries of a large matrix exceeds the values' tolerance of 1e-12.
template <typename Matrix>
double frobenius_norm(const Matrix &matrix)
{
  double sum = 0;
  for (unsigned int row = 0; row < matrix.m(); ++row)
    sum += sum_of_squares(matrix, row);
  return std::sqrt(sum);
}

Run run_deal_ii(LibraryMatrix &assembly, const bool with_colours)
{
  Run run;
  DynamicSparsityPattern dynamic;
  SparsityPattern pattern;
  timed(run.pattern, "dynamic pattern", [&]() { assembly.make_pattern(dynamic); });
  timed(run.pattern, "compressed", [&]() { pattern.copy_from(dynamic); });
  if (with_colours)
    timed(run.preparation, "colours", [&]() { assembly.find_colours(); });
  dynamic.reinit(0, 0);
  SparseMatrix<double> matrix(pattern);
  timed(run.values, "values", [&]() {
    matrix = 0.;
    assembly.assemble([&](const auto &dofs, const auto &cell) { matrix.add(dofs, cell); });
  });
  run.pattern_bytes = static_cast<double>(pattern.memory_consumption());
  run.matrix_bytes  = static_cast<double>(matrix.memory_consumption());
  run.norm          = frobenius_norm(matrix);
  return run;
}

Run run_trilinos(LibraryMatrix &assembly)
{
  Run run;
  DynamicSparsityPattern dynamic;
  TrilinosWrappers::SparseMatrix matrix;
  timed(run.pattern, "dynamic pattern", [&]() { assembly.make_pattern(dynamic); });
  timed(run.pattern, "graph and matrix", [&]() { matrix.reinit(dynamic); });
  dynamic.reinit(0, 0);
  timed(run.values, "values", [&]() {
    matrix = 0.;
    assembly.assemble([&](const auto &dofs, const auto &cell) { matrix.add(dofs, cell); });
    matrix.compress(VectorOperation::add);
  });
  run.matrix_bytes = static_cast<double>(matrix.memory_consumption());
  run.norm         = frobenius_norm(matrix);
  return run;
}

/// Reason why a library is not measured; empty if it is.
std::string why_refused(const LibraryCase &library_case, const ElementType &type)
{
  if (!LibraryElement::exists(type))
    return "refused: deal.II has no serendipity element";
  if (library_case.library == "Trilinos" && library_case.n_threads > 1)
    return "refused: its assembly has one thread per process";
  return {};
}

/// Forces of a uniform traction on all loaded faces.
Vector<double> face_forces(const LibraryMatrix &matrix, const AssemblySolveParameters &solve)
{
  const LibraryElement &element = matrix.element;
  FEFaceValues<3> values(*element.mapping,
                         *element.fe,
                         element.face_quadrature,
                         update_values | update_JxW_values);
  Vector<double> forces(matrix.dof_handler.n_dofs());
  double area = 0.;
  std::vector<types::global_dof_index> dofs(element.fe->n_dofs_per_cell());
  for (const auto &cell : matrix.dof_handler.active_cell_iterators())
    for (const unsigned int f : cell->face_indices())
      {
        if (!cell->face(f)->at_boundary() ||
            !contains(solve.loaded_boundaries, cell->face(f)->boundary_id()))
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
    DoFTools::make_zero_boundary_constraints(matrix.dof_handler, id, constraints);
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

void measure_library(const LibraryCase &library_case,
                     const Triangulation<3> &triangulation,
                     const TriangulationMesh &mesh,
                     const Material &material,
                     AssemblyResults &results)
{
  const bool is_deal_ii = library_case.library == "deal.II";
  StageResult pattern;
  pattern.element         = mesh.mesh.type.name;
  pattern.backend         = "cpu";
  pattern.n_threads       = library_case.n_threads;
  pattern.stage           = stage_names::pattern;
  pattern.format          = "CSR";
  pattern.method          = library_case.library;
  StageResult preparation = pattern, values = pattern;
  preparation.stage     = stage_names::preparation;
  values.stage          = stage_names::values;
  preparation.precision = values.precision = "double";
  values.status                            = why_refused(library_case, mesh.mesh.type);
  if (!values.status.empty())
    return results.add(values);

  values.status = "ok";
  std::vector<StageReport> of_pattern, of_preparation, of_values;
  MultithreadInfo::set_thread_limit(library_case.n_threads);
  const auto work = [&]() {
    LibraryMatrix assembly(triangulation,
                           mesh,
                           material,
                           generation_factors(mesh.mesh.n_elements),
                           library_case.n_threads);
    for (std::size_t k = library_case.n_runs > 1 ? 0 : 1; k <= library_case.n_runs; ++k)
      {
        const Run run =
          is_deal_ii ? run_deal_ii(assembly, library_case.n_threads > 1) : run_trilinos(assembly);
        values.norm          = run.norm;
        values.memory_bytes  = run.matrix_bytes;
        pattern.memory_bytes = run.pattern_bytes;
        if (k == 0)
          continue;
        of_pattern.push_back(run.pattern);
        of_preparation.push_back(run.preparation);
        of_values.push_back(run.values);
      }
    // deal.II's mapping gives curved tetrahedra a slightly different shape
    const auto manifolds = triangulation.get_manifold_ids();
    const bool is_curved =
      std::any_of(manifolds.begin(), manifolds.end(), [](const types::manifold_id id) {
        return id != numbers::flat_manifold_id;
      });
    check_norm(results,
               values,
               is_curved && mesh.mesh.type.n_nodes == Tet10::n_nodes ? 2e-2 : 1e-12);
  };
  attempt_part(Communicator(), values.status, work, "failed: ", "failed: ");
  MultithreadInfo::set_thread_limit(1);
  set_times(pattern, of_pattern); // keeps times that were measured before a failure
  set_times(preparation, of_preparation);
  set_times(values, of_values);
  for (const StageResult *stage : {&pattern, &preparation, &values})
    if (!stage->steps.empty() || stage->status != "ok")
      results.add(*stage);
}

std::vector<double> solve_with_library(const Triangulation<3> &triangulation,
                                       const TriangulationMesh &mesh,
                                       const Material &material,
                                       const AssemblySolveParameters &solve,
                                       AssemblyResults &results)
{
  if (!LibraryElement::exists(mesh.mesh.type))
    return {};
  GeneratedSolve result;
  result.element   = mesh.mesh.type.name;
  result.backend   = "cpu";
  result.n_threads = 1;
  result.format    = "deal.II";
  std::vector<double> displacement;
  const auto work = [&]() {
    LibraryMatrix matrix(triangulation,
                         mesh,
                         material,
                         std::vector<double>(mesh.mesh.n_elements, 1.),
                         /*n_threads*/ 1);
    const Vector<double> u = generate_and_solve(matrix, solve, result);
    for (const types::global_dof_index dof : matrix.dofs_of_nodes())
      displacement.push_back(u[dof]);
    result.largest_displacement = largest_displacement(displacement);
  };
  attempt_part(Communicator(), result.status, work, "failed: ", "failed: ");
  results.add(result);
  return displacement;
}
} // namespace strut
