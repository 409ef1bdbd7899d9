// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/backend/backend.h>
#include <strut/base/exceptions.h>

#include <Epetra_CrsGraph.h>
#include <Epetra_CrsMatrix.h>
#include <Epetra_Map.h>
#include <Epetra_SerialComm.h>
#include <Epetra_Vector.h>

#include "plugin/studies/comparators/comparator.h"
#include "plugin/studies/comparators/comparators.h"
#include "source/operators/stiffness_rows.h"

namespace strut
{
namespace
{
#if defined(EPETRA_HAVE_OMP)
constexpr bool has_threads = true;
#else
constexpr bool has_threads = false;
#endif

/// Matrix in compressed rows, as Trilinos multiplies with it (Epetra_CrsMatrix), over all DoFs of
/// this rank, without constraints, for elements of any type. Reads 12 bytes per non-zero entry, of
/// which there are about 81 per row with hex8.
///
/// set_stiffness() sums the entries anew (StiffnessRows).
class TrilinosCsr : public Comparator<double>
{
public:
  TrilinosCsr(Backend &backend, const ElementMesh &mesh, const Material &material);

  void set_stiffness(const Array<double> &factors) override;
  void apply(const Array<double> &x, Array<double> &y) const override;
  void diagonal(Array<double> &d) const override;
  OperatorCost cost() const override;

  static double memory_estimate(const OperatorSize &size);

private:
  void build_graph();
  void sum_values(const double *factors);

  /// View of our array as a vector of Epetra, without a copy.
  Epetra_Vector view(const double *data) const
  {
    return Epetra_Vector(View, matrix_->RowMap(), const_cast<double *>(data));
  }

  StiffnessRows rows_;
  std::unique_ptr<Epetra_CrsMatrix> matrix_;
};

TrilinosCsr::TrilinosCsr(Backend &backend, const ElementMesh &mesh, const Material &material)
  : Comparator<double>(backend, mesh, material)
  , rows_(mesh, material, static_cast<int>(backend.n_threads()))
{
  build_graph();
  sum_values(std::vector<double>(mesh.n_elements, 1.).data());
}

void TrilinosCsr::build_graph()
{
  // (1) The pattern. A matrix that is too large for Epetra's numbers is refused before allocation.
  const int n_rows                 = static_cast<int>(rows_.n_rows());
  const std::vector<int> row_begin = rows_.row_begin("trilinos_csr");
  std::vector<int> columns(static_cast<std::size_t>(row_begin.back()));
  rows_.fill_columns(row_begin.data(), columns.data());

  // (2) The graph.
  std::vector<int> row_lengths(rows_.n_rows());
  for (int row = 0; row < n_rows; ++row)
    row_lengths[row] = row_begin[row + 1] - row_begin[row];
  const Epetra_Map map(n_rows, 0, Epetra_SerialComm());
  Epetra_CrsGraph graph(Copy, map, map, row_lengths.data(), /*StaticProfile*/ true);
  for (int row = 0; row < n_rows; ++row)
    graph.InsertMyIndices(row, row_lengths[row], &columns[row_begin[row]]);
  graph.FillComplete();
  graph.OptimizeStorage();

  // (3) The matrix, in one block of memory.
  matrix_ = std::make_unique<Epetra_CrsMatrix>(Copy, graph);
  matrix_->FillComplete();
  matrix_->OptimizeStorage();
}

void TrilinosCsr::set_stiffness(const Array<double> &factors)
{
  Comparator<double>::set_stiffness(factors);
  sum_values(factors.data());
}

void TrilinosCsr::sum_values(const double *const factors)
{
  int *row_begin = nullptr, *columns = nullptr;
  double *values = nullptr;
  if (rows_.n_rows() == 0)
    return;
  if (matrix_->ExtractCrsDataPointers(row_begin, columns, values) != 0)
    throw Error("trilinos_csr: Epetra does not keep the matrix in compressed rows.");
  rows_.sum_values(factors, row_begin, columns, values);
}

void TrilinosCsr::apply(const Array<double> &x, Array<double> &y) const
{
  Epetra_Vector result = view(y.data());
  matrix_->Multiply(/*TransA*/ false, view(x.data()), result);
}

void TrilinosCsr::diagonal(Array<double> &d) const
{
  Epetra_Vector result = view(d.data());
  matrix_->ExtractDiagonalCopy(result);
}

OperatorCost TrilinosCsr::cost() const
{
  const double n_rows     = static_cast<double>(rows_.n_rows());
  const double n_nonzeros = matrix_->NumMyNonzeros();
  OperatorCost cost;
  cost.bytes_per_apply = (sizeof(double) + sizeof(int)) * n_nonzeros + sizeof(int) * (n_rows + 1) +
                         2. * sizeof(double) * n_rows;
  cost.flops_per_apply = 2. * n_nonzeros;
  // for each row Epetra keeps its position, its length and its allocated length
  cost.memory_bytes = (sizeof(double) + sizeof(int)) * n_nonzeros + 3. * sizeof(int) * n_rows +
                      own_bytes() + rows_.memory_bytes();
  return cost;
}

double TrilinosCsr::memory_estimate(const OperatorSize &size)
{
  return (sizeof(double) + sizeof(int)) * StiffnessRows::n_entries_estimate(size) +
         9. * sizeof(int) * static_cast<double>(size.n_nodes) + own_estimate(size) +
         StiffnessRows::memory_estimate(size);
}
} // namespace

Strategy<double> trilinos_csr()
{
  Strategy<double> strategy{
    "trilinos_csr",
    has_threads ? "assembled matrix of Trilinos (Epetra), compressed rows"
                : "assembled matrix of Trilinos (Epetra), compressed rows; one thread per rank, "
                  "since this Epetra has no OpenMP",
    true,
    &TrilinosCsr::memory_estimate,
    [](Backend &backend,
       const ElementMesh &mesh,
       const Material &material) -> std::unique_ptr<ElementOperator<double>> {
      return std::make_unique<TrilinosCsr>(backend, mesh, material);
    },
    /*identical_elements_only*/ false,
    has_threads};
  strategy.takes_types = true;
  return strategy;
}
} // namespace strut
