// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparators/trilinos_ml.h"

#include <deal.II/base/index_set.h>

#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/trilinos_precondition.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_sparsity_pattern.h>
#include <deal.II/lac/trilinos_vector.h>

#include <strut/base/exceptions.h>

#include <Epetra_MultiVector.h>
#include <Teuchos_ParameterList.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include "plugin/base/attempt.h"
#include "plugin/base/host_halo.h"
#include "source/base/measure.h"
#include "source/mesh/bounding_box.h"
#include "source/operators/stiffness_rows.h"

namespace strut
{
namespace
{
using GlobalIndex = dealii::types::global_dof_index;
using Vector      = dealii::TrilinosWrappers::MPI::Vector;

/// Number of times that the iteration may restart because its residual is not the true one.
constexpr int n_starts = 5;
/// Iterations between checks of the time, for which all ranks meet.
constexpr unsigned int iterations_between_looks = 10;

/// Result of StiffnessRows::row_begin(). All ranks throw if one rank's matrix is too large.
/// Collective.
std::vector<int> row_begin_of(const StiffnessRows &rows, const Communicator &communicator)
{
  std::vector<int> begin;
  attempt_together(communicator, [&]() { begin = rows.row_begin("ml"); });
  return begin;
}

/// Global numbers of the DoFs: those of a rank are contiguous, in its own order.
struct GlobalNumbers
{
  GlobalNumbers(const Communicator &communicator, const ElementMesh &mesh)
  {
    const auto counts = communicator.gather({static_cast<double>(mesh.n_owned_dofs())});
    for (int rank = 0; rank < communicator.size(); ++rank)
      {
        begin += rank < communicator.rank() ? static_cast<GlobalIndex>(counts[rank]) : 0;
        total += static_cast<GlobalIndex>(counts[rank]);
      }
    if (total > static_cast<GlobalIndex>(std::numeric_limits<int>::max()))
      throw Error("ml: the mesh has " + std::to_string(total) +
                  " degrees of freedom, and Epetra counts up to " +
                  std::to_string(std::numeric_limits<int>::max()) + ".");
    // double represents whole numbers of that size exactly
    std::vector<double> numbers(mesh.n_dofs());
    for (std::size_t i = 0; i < mesh.n_owned_dofs(); ++i)
      numbers[i] = static_cast<double>(begin + i);
    update_ghosts(communicator.mpi(), mesh, numbers);
    for (const double number : numbers)
      of_dof.push_back(static_cast<GlobalIndex>(number));
  }

  GlobalIndex begin = 0, total = 0;
  std::vector<GlobalIndex> of_dof; ///< `[3 * n_nodes]`
};

/// The rigid motions at the owned nodes: three translations, three rotations, `[6][3 *
/// n_owned_nodes]`. Rotations are about the middle of the mesh and scaled by its size, so that all
/// modes have the same magnitude.
std::vector<double> rigid_body_modes(const Communicator &communicator, const ElementMesh &mesh)
{
  const std::size_t n = mesh.n_owned_dofs();
  std::vector<double> modes(6 * n, 0.);
  const Box box                      = bounding_box(communicator, mesh.coordinates, mesh.n_nodes);
  const std::array<double, 3> middle = middle_of(box);
  double size                        = 0.;
  for (std::size_t d = 0; d < 3; ++d)
    size = std::max(size, 0.5 * (box[3 + d] - box[d]));
  for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
    for (std::size_t d = 0; d < 3; ++d)
      {
        // the rotation about axis d has -x_(d + 2) in component d + 1, and x_(d + 1) in component d
        // + 2
        const std::size_t a = (d + 1) % 3, b = (d + 2) % 3;
        modes[d * n + 3 * node + d] = 1.;
        modes[(3 + d) * n + 3 * node + a] =
          -(mesh.coordinates[b * mesh.n_nodes + node] - middle[b]) / size;
        modes[(3 + d) * n + 3 * node + b] =
          (mesh.coordinates[a * mesh.n_nodes + node] - middle[a]) / size;
      }
  return modes;
}
} // namespace

struct TrilinosMl::Implementation
{
  Implementation(const Communicator &comm, const ElementMesh &mesh, const Material &material)
    : communicator(comm)
    , rows(mesh, material, 1)
    , row_begin(row_begin_of(rows, comm))
    , columns(static_cast<std::size_t>(row_begin.back()))
    , numbers(comm, mesh)
    , constrained(mesh.n_dofs(), false)
    , modes(rigid_body_modes(comm, mesh))
    , n_owned(mesh.n_owned_dofs())
    , owned(numbers.total)
  {
    rows.fill_columns(row_begin.data(), columns.data());
    for (const LocalIndex dof : mesh.constrained_dofs)
      constrained[dof] = true;
    owned.add_range(numbers.begin, numbers.begin + n_owned);
    dealii::IndexSet writable(owned);
    writable.add_indices(numbers.of_dof.begin() + n_owned, numbers.of_dof.end());
    writable.compress();

    dealii::TrilinosWrappers::SparsityPattern pattern(owned, owned, writable, comm.mpi(), 81);
    for (std::size_t row = 0; row < rows.n_rows(); ++row)
      {
        take_row(row, nullptr);
        pattern.add_entries(numbers.of_dof[row], entries.begin(), entries.end());
      }
    pattern.compress();
    matrix.reinit(pattern);
  }

  /// Collects the entries of a row that are not constrained: their global columns, and their values
  /// if there are any.
  void take_row(const std::size_t row, const double *const from)
  {
    entries.clear();
    values.clear();
    for (int k = row_begin[row]; k < row_begin[row + 1]; ++k)
      {
        const auto column = static_cast<std::size_t>(columns[k]);
        if (column != row && (constrained[row] || constrained[column]))
          continue;
        entries.push_back(numbers.of_dof[column]);
        if (from != nullptr)
          values.push_back(from[k]);
      }
  }

  Communicator communicator;
  StiffnessRows rows;
  std::vector<int> row_begin, columns; ///< pattern of this rank, including rows of ghosts
  GlobalNumbers numbers;
  std::vector<bool> constrained; ///< `[3 * n_nodes]`
  std::vector<double> modes;     ///< `[6][3 * n_owned_nodes]`
  std::size_t n_owned;
  dealii::IndexSet owned;
  std::vector<GlobalIndex> entries; ///< columns of one row
  std::vector<double> values;
  dealii::TrilinosWrappers::SparseMatrix matrix;
  dealii::TrilinosWrappers::PreconditionAMG preconditioner;
};

TrilinosMl::TrilinosMl(const Communicator &communicator,
                       const ElementMesh &mesh,
                       const Material &material)
  : implementation_(std::make_unique<Implementation>(communicator, mesh, material))
{}

TrilinosMl::~TrilinosMl() = default;

void TrilinosMl::set_stiffness(const std::vector<double> &factors)
{
  Implementation &ml = *implementation_;
  ml.preconditioner.clear();

  // (1) The matrix; rows of ghosts are sent to their owners.
  {
    std::vector<double> values(ml.columns.size());
    ml.rows.sum_values(factors.data(), ml.row_begin.data(), ml.columns.data(), values.data());
    ml.matrix = 0.;
    for (std::size_t row = 0; row < ml.rows.n_rows(); ++row)
      {
        ml.take_row(row, values.data());
        ml.matrix.add(ml.numbers.of_dof[row],
                      static_cast<GlobalIndex>(ml.entries.size()),
                      ml.entries.data(),
                      ml.values.data(),
                      /*elide_zero_values*/ false);
      }
    ml.matrix.compress(dealii::VectorOperation::add);
  }

  // (2) ML, with deal.II's parameters. deal.II's own null space has translations only, so ours
  // replaces it.
  dealii::TrilinosWrappers::PreconditionAMG::AdditionalData data;
  data.elliptic              = true;
  data.higher_order_elements = false;
  Teuchos::ParameterList parameters;
  std::unique_ptr<Epetra_MultiVector> no_modes;
  data.set_parameters(parameters, no_modes, ml.matrix);
  parameters.set("PDE equations", 3);
  parameters.set("null space: type", "pre-computed");
  parameters.set("null space: dimension", 6);
  parameters.set("null space: vectors", ml.modes.data());
  ml.preconditioner.initialize(ml.matrix, parameters);
}

TrilinosMl::Report TrilinosMl::solve(const double tolerance,
                                     const unsigned int max_iterations,
                                     const double seconds,
                                     const std::vector<double> &f,
                                     std::vector<double> &u)
{
  Implementation &ml = *implementation_;
  const WallClock clock;
  Vector b(ml.owned, ml.communicator.mpi()), x(b), r(b);
  std::copy(f.begin(), f.end(), b.begin());
  const double goal = tolerance * b.l2_norm();

  Report report;
  report.converged = goal == 0.;
  bool stopped     = false;
  for (int start = 0; start < n_starts && !stopped && !report.converged; ++start)
    {
      dealii::SolverControl control(max_iterations - report.iterations, goal);
      dealii::SolverCG<Vector> cg(control);
      cg.connect([&](const unsigned int iteration, const double, const Vector &) {
        if (iteration % iterations_between_looks == 0)
          stopped = ml.communicator.any(clock.seconds() > seconds);
        return stopped ? dealii::SolverControl::failure : dealii::SolverControl::success;
      });
      try
        {
          cg.solve(ml.matrix, x, b, ml.preconditioner);
        }
      catch (const dealii::SolverControl::NoConvergence &)
        {
          stopped = true;
        }
      report.iterations += control.last_step();
      report.converged = ml.matrix.residual(r, x, b) <= goal;
    }
  u.assign(x.begin(), x.end());
  return report;
}
} // namespace strut
