// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/library_assembly.h"

#include <deal.II/base/multithread_info.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/work_stream.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q1.h>

#include <deal.II/grid/tria.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>

#include <deal.II/meshworker/copy_data.h>
#include <deal.II/meshworker/scratch_data.h>

#include <strut/base/exceptions.h>

#include <Epetra_CrsMatrix.h>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>

#include "plugin/studies/assembly/measure_generation.h"
#include "plugin/studies/report/status.h"
#include "source/base/measure.h"

namespace strut::plugin
{
namespace
{
using namespace dealii;
using Cell = DoFHandler<3>::active_cell_iterator;

/// deal.II's finite element, quadrature and mapping for an element type.
struct Discretisation
{
  explicit Discretisation(const ElementType type)
  {
    if (type == ElementType::hex8)
      {
        fe         = std::make_unique<FESystem<3>>(FE_Q<3>(1), 3);
        mapping    = std::make_unique<MappingQ1<3>>();
        quadrature = QGauss<3>(2);
      }
    else
      {
        const unsigned int degree = type == ElementType::tet4 ? 1 : 2;
        fe                        = std::make_unique<FESystem<3>>(FE_SimplexP<3>(degree), 3);
        mapping                   = std::make_unique<MappingFE<3>>(FE_SimplexP<3>(degree));
        quadrature                = QGaussSimplex<3>(degree);
      }
  }

  std::unique_ptr<FESystem<3>> fe;
  std::unique_ptr<Mapping<3>> mapping;
  Quadrature<3> quadrature;
};

using Scratch    = MeshWorker::ScratchData<3>;
using CellMatrix = MeshWorker::CopyData<1, 0, 1>;

class LibraryAssembly
{
public:
  LibraryAssembly(const Triangulation<3> &triangulation,
                  const TriangulationMesh &mesh,
                  const Material &material,
                  const unsigned int n_threads)
    : mesh_(mesh)
    , discretisation_(mesh.mesh.element_type)
    , dof_handler_(triangulation)
    , lambda_(material.lambda())
    , mu_(material.mu())
    , n_threads_(n_threads)
    , factor_of_cell_(mesh.cell_of_element.size())
  {
    dof_handler_.distribute_dofs(*discretisation_.fe);
    const std::vector<double> factors = generation_factors(factor_of_cell_.size());
    for (std::size_t e = 0; e < factors.size(); ++e)
      factor_of_cell_[mesh.cell_of_element[e]] = factors[e];
    for (unsigned int i = 0; i < discretisation_.fe->n_dofs_per_cell(); ++i)
      component_.push_back(discretisation_.fe->system_to_component_index(i).first);
  }

  void make_pattern(DynamicSparsityPattern &pattern) const
  {
    pattern.reinit(dof_handler_.n_dofs(), dof_handler_.n_dofs());
    DoFTools::make_sparsity_pattern(dof_handler_, pattern);
  }

  /// Cells that share no node with another of their colour: each gets the first colour that is free at all
  /// of its nodes. (deal.II's GraphColoring takes minutes for a million tetrahedra.)
  void find_colours()
  {
    std::vector<Cell> cells(factor_of_cell_.size());
    for (const Cell &cell : dof_handler_.active_cell_iterators())
      cells[cell->active_cell_index()] = cell;
    const Connectivity &connectivity = mesh_.mesh.connectivity;
    constexpr std::size_t n_most     = 256;
    std::vector<std::bitset<n_most>> taken(connectivity.n_nodes);
    colours_.clear();
    for (std::size_t e = 0; e < connectivity.n_elements; ++e)
      {
        std::bitset<n_most> at_nodes;
        for (int a = 0; a < connectivity.nodes_per_element; ++a)
          at_nodes |= taken[connectivity.node(e, a)];
        std::size_t colour = 0;
        while (colour < n_most && at_nodes[colour])
          ++colour;
        if (colour == n_most)
          throw Error("More than 256 colours of cells are needed: too many cells share a node.");
        for (int a = 0; a < connectivity.nodes_per_element; ++a)
          taken[connectivity.node(e, a)].set(colour);
        if (colour == colours_.size())
          colours_.emplace_back();
        colours_[colour].push_back(cells[mesh_.cell_of_element[e]]);
      }
  }

  template <typename Matrix>
  void assemble(Matrix &matrix) const
  {
    Scratch scratch(*discretisation_.mapping,
                    *discretisation_.fe,
                    discretisation_.quadrature,
                    update_gradients | update_JxW_values);
    CellMatrix copy(discretisation_.fe->n_dofs_per_cell());
    const auto add = [&](const CellMatrix &cell) {
      matrix.add(cell.local_dof_indices[0], cell.matrices[0]);
    };
    if (n_threads_ == 1)
      for (const Cell &cell : dof_handler_.active_cell_iterators())
        {
          integrate(cell, scratch, copy);
          add(copy);
        }
    else
      WorkStream::run(
        colours_,
        [&](const Cell &cell, Scratch &own, CellMatrix &result) { integrate(cell, own, result); },
        add,
        scratch,
        copy,
        2 * MultithreadInfo::n_threads(),
        /*chunk_size*/ 512);
  }

private:
  /// As step-8 of deal.II: lambda div div + mu (grad : grad + grad : grad^T).
  void integrate(const Cell &cell, Scratch &scratch, CellMatrix &result) const
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

  const TriangulationMesh &mesh_;
  const Discretisation discretisation_;
  DoFHandler<3> dof_handler_;
  const double lambda_, mu_;
  const unsigned int n_threads_;
  std::vector<double> factor_of_cell_;
  std::vector<unsigned int> component_;
  std::vector<std::vector<Cell>> colours_;
};

/// Wall time of the work as a step of the report.
void timed(StageReport &report, const std::string &name, const std::function<void()> &work)
{
  const WallClock clock;
  work();
  report.steps.push_back({name, clock.seconds(), /*bytes*/ 0.});
}

/// One run: the pattern, the colours that several threads need, and the values.
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

// Epetra's view: each of deal.II's iterators of such a matrix clears memory for a whole row of it.
double sum_of_squares(const TrilinosWrappers::SparseMatrix &matrix, const unsigned int row)
{
  int n          = 0;
  double *values = nullptr;
  matrix.trilinos_matrix().ExtractMyRowView(static_cast<int>(row), n, values);
  return std::inner_product(values, values + n, values, 0.);
}

/// Frobenius norm, rows first: the libraries' own is one running sum, which over the 3e8 entries of a
/// large matrix is off by more than the 1e-12 that the values are held to.
template <typename Matrix>
double frobenius_norm(const Matrix &matrix)
{
  double sum = 0;
  for (unsigned int row = 0; row < matrix.m(); ++row)
    sum += sum_of_squares(matrix, row);
  return std::sqrt(sum);
}

Run run_deal_ii(LibraryAssembly &assembly, const bool with_colours)
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
    assembly.assemble(matrix);
  });
  run.pattern_bytes = static_cast<double>(pattern.memory_consumption());
  run.matrix_bytes  = static_cast<double>(matrix.memory_consumption());
  run.norm          = frobenius_norm(matrix);
  return run;
}

Run run_trilinos(LibraryAssembly &assembly)
{
  Run run;
  DynamicSparsityPattern dynamic;
  TrilinosWrappers::SparseMatrix matrix;
  timed(run.pattern, "dynamic pattern", [&]() { assembly.make_pattern(dynamic); });
  timed(run.pattern, "graph and matrix", [&]() { matrix.reinit(dynamic); });
  dynamic.reinit(0, 0);
  timed(run.values, "values", [&]() {
    matrix = 0.;
    assembly.assemble(matrix);
    matrix.compress(VectorOperation::add);
  });
  run.matrix_bytes = static_cast<double>(matrix.memory_consumption());
  run.norm         = frobenius_norm(matrix);
  return run;
}

/// Why a library has nothing to measure; empty if it has.
std::string why_refused(const LibraryCase &what, const ElementType type)
{
  if (type != ElementType::hex8 && type != ElementType::tet4 && type != ElementType::tet10)
    return "refused: deal.II has no serendipity element";
  if (what.library == "Trilinos" && what.n_threads > 1)
    return "refused: its assembly has one thread per process";
  return {};
}
} // namespace

void measure_library(const LibraryCase &what,
                     const Triangulation<3> &triangulation,
                     const TriangulationMesh &mesh,
                     const Material &material,
                     AssemblyResults &results,
                     std::ostream &log)
{
  const bool is_deal_ii = what.library == "deal.II";
  StageResult pattern;
  pattern.element         = name(mesh.mesh.element_type);
  pattern.backend         = "cpu";
  pattern.n_threads       = what.n_threads;
  pattern.stage           = stage_names::pattern;
  pattern.format          = "CSR";
  pattern.method          = what.library;
  StageResult preparation = pattern, values = pattern;
  preparation.stage     = stage_names::preparation;
  values.stage          = stage_names::values;
  preparation.precision = values.precision = "double";
  values.status                            = why_refused(what, mesh.mesh.element_type);
  if (!values.status.empty())
    return add_stage(results, values, log);

  values.status = "ok";
  std::vector<StageReport> of_pattern, of_preparation, of_values;
  MultithreadInfo::set_thread_limit(what.n_threads);
  const auto work = [&]() {
    LibraryAssembly assembly(triangulation, mesh, material, what.n_threads);
    for (std::size_t k = what.n_runs > 1 ? 0 : 1; k <= what.n_runs; ++k)
      {
        const Run run =
          is_deal_ii ? run_deal_ii(assembly, what.n_threads > 1) : run_trilinos(assembly);
        values.norm          = run.norm;
        values.memory_bytes  = run.matrix_bytes;
        pattern.memory_bytes = run.pattern_bytes;
        if (k == 0)
          continue;
        of_pattern.push_back(run.pattern);
        of_preparation.push_back(run.preparation);
        of_values.push_back(run.values);
      }
    // the mapping of deal.II gives curved tetrahedra a slightly different shape
    const auto manifolds = triangulation.get_manifold_ids();
    const bool is_curved =
      std::any_of(manifolds.begin(), manifolds.end(), [](const types::manifold_id id) {
        return id != numbers::flat_manifold_id;
      });
    check_norm(results,
               values,
               is_curved && mesh.mesh.element_type == ElementType::tet10 ? 2e-2 : 1e-12);
  };
  attempt_part(Communicator(), values.status, work, "failed: ", "failed: ");
  MultithreadInfo::set_thread_limit(1);
  set_times(pattern, of_pattern); // times measured before a failure are not lost
  set_times(preparation, of_preparation);
  set_times(values, of_values);
  for (const StageResult *stage : {&pattern, &preparation, &values})
    if (!stage->steps.empty() || stage->status != "ok")
      add_stage(results, *stage, log);
}
} // namespace strut::plugin
