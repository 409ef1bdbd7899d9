// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/operators/trilinos_csr.h"

#include <strut/base/backend.h>
#include <strut/base/exceptions.h>
#include <strut/element/hexahedron.h>
#include <strut/mesh/node_to_element.h>

#include <Epetra_CrsGraph.h>
#include <Epetra_CrsMatrix.h>
#include <Epetra_Map.h>
#include <Epetra_SerialComm.h>
#include <Epetra_Vector.h>

#include <algorithm>
#include <array>
#include <limits>

#include "plugin/operators/element_geometry.h"

namespace strut::plugin
{
namespace
{
#if defined(EPETRA_HAVE_OMP)
constexpr bool has_threads = true;
#else
constexpr bool has_threads = false;
#endif

/// The nodes that share an element with a node, itself included, ascending.
void find_neighbours(const ElementGeometry &geometry,
                     const NodeToElement &node_to_element,
                     const std::size_t node,
                     std::vector<LocalIndex> &neighbours)
{
  neighbours.clear();
  for (LocalIndex k = node_to_element.begin[node]; k < node_to_element.begin[node + 1]; ++k)
    for (std::size_t v = 0; v < 8; ++v)
      neighbours.push_back(geometry.node(node_to_element.entries[k] / 8, v));
  std::sort(neighbours.begin(), neighbours.end());
  neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
}

/// The matrix in compressed rows, as Trilinos multiplies with it (Epetra_CrsMatrix), over all DoFs
/// of this rank, without constraints. Reads 12 bytes a non-zero entry, about 81 of them a row.
///
/// set_stiffness() sums the entries anew: each node computes its three rows of the matrices of the
/// elements around it (hexahedron::stiffness_rows), on OpenMP threads. Element matrices are not
/// stored, they would take more memory than the sum.
class TrilinosCsr : public ElementOperator<double>
{
public:
  TrilinosCsr(Backend &backend, const ElementMesh &mesh, const Material &material);

  void set_stiffness(const Array<double> &factors) override;
  void apply(const Array<double> &x, Array<double> &y) const override;
  void diagonal(Array<double> &d) const override;
  OperatorCost cost() const override;

  void energies(const Array<double> &u, Array<double> &c) const override
  {
    geometry_.energies(u, c);
  }

  static double memory_estimate(std::size_t n_elements, std::size_t n_nodes);

private:
  void build_graph();
  void sum_values(const double *factors);

  /// Our array as a vector of Epetra, without a copy.
  Epetra_Vector view(const double *data) const
  {
    return Epetra_Vector(View, matrix_->RowMap(), const_cast<double *>(data));
  }

  ElementGeometry geometry_;
  NodeToElement node_to_element_;
  std::unique_ptr<Epetra_CrsMatrix> matrix_;
};

TrilinosCsr::TrilinosCsr(Backend &backend, const ElementMesh &mesh, const Material &material)
  : geometry_(mesh, material, static_cast<int>(backend.n_threads()))
  , node_to_element_(NodeToElement::build(mesh))
{
  build_graph();
  sum_values(std::vector<double>(mesh.n_elements, 1.).data());
}

void TrilinosCsr::build_graph()
{
  // (1) Lengths of the rows. A matrix that Epetra cannot number is refused before it is allocated.
  const std::size_t n_nodes = geometry_.n_nodes();
  std::vector<int> row_lengths(3 * n_nodes);
  std::size_t n_nonzeros = 0;
#pragma omp parallel num_threads(geometry_.n_threads()) reduction(+ : n_nonzeros)
  {
    std::vector<LocalIndex> neighbours;
#pragma omp for schedule(static)
    for (std::size_t node = 0; node < n_nodes; ++node)
      {
        find_neighbours(geometry_, node_to_element_, node, neighbours);
        std::fill_n(&row_lengths[3 * node], 3, static_cast<int>(3 * neighbours.size()));
        n_nonzeros += 9 * neighbours.size();
      }
  }
  require_epetra_size(n_nonzeros);

  // (2) The graph: three equal rows of 3x3 blocks a node, columns ascending.
  const Epetra_Map map(static_cast<int>(3 * n_nodes), 0, Epetra_SerialComm());
  Epetra_CrsGraph graph(Copy, map, map, row_lengths.data(), /*StaticProfile*/ true);
  std::vector<LocalIndex> neighbours;
  std::vector<int> columns;
  for (std::size_t node = 0; node < n_nodes; ++node)
    {
      find_neighbours(geometry_, node_to_element_, node, neighbours);
      columns.clear();
      for (const LocalIndex neighbour : neighbours)
        for (int c = 0; c < 3; ++c)
          columns.push_back(static_cast<int>(3 * neighbour) + c);
      for (int c = 0; c < 3; ++c)
        graph.InsertMyIndices(static_cast<int>(3 * node) + c,
                              static_cast<int>(columns.size()),
                              columns.data());
    }
  graph.FillComplete();
  graph.OptimizeStorage();

  // (3) The matrix, in one piece.
  matrix_ = std::make_unique<Epetra_CrsMatrix>(Copy, graph);
  matrix_->FillComplete();
  matrix_->OptimizeStorage();
}

void TrilinosCsr::set_stiffness(const Array<double> &factors)
{
  sum_values(factors.data());
}

void TrilinosCsr::sum_values(const double *const factors)
{
  int *row_begin = nullptr, *columns = nullptr;
  double *values = nullptr;
  if (geometry_.n_nodes() == 0)
    return;
  if (matrix_->ExtractCrsDataPointers(row_begin, columns, values) != 0)
    throw Error("trilinos_csr: Epetra does not keep the matrix in compressed rows.");

#pragma omp parallel for num_threads(geometry_.n_threads()) schedule(static)
  for (std::size_t node = 0; node < geometry_.n_nodes(); ++node)
    {
      const int *const begin = row_begin + 3 * node; // of the three rows of the node
      const int *const first = columns + begin[0];
      const int *const last  = columns + begin[1];
      std::fill(values + begin[0], values + begin[3], 0.);
      for (LocalIndex k = node_to_element_.begin[node]; k < node_to_element_.begin[node + 1]; ++k)
        {
          const std::size_t e = node_to_element_.entries[k] / 8;
          double X[3][8], rows[3][24];
          geometry_.vertices(e, X);
          hexahedron::stiffness_rows(X,
                                     geometry_.material(),
                                     static_cast<int>(node_to_element_.entries[k] % 8),
                                     rows);
          for (std::size_t v = 0; v < 8; ++v)
            {
              const int column    = static_cast<int>(3 * geometry_.node(e, v));
              const auto position = std::lower_bound(first, last, column) - first;
              for (int i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j)
                  values[begin[i] + position + j] += factors[e] * rows[i][3 * v + j];
            }
        }
    }
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
  const double n_rows     = 3. * geometry_.n_nodes();
  const double n_nonzeros = matrix_->NumMyNonzeros();
  OperatorCost cost;
  cost.bytes_per_apply = (sizeof(double) + sizeof(int)) * n_nonzeros + sizeof(int) * (n_rows + 1) +
                         2. * sizeof(double) * n_rows;
  cost.flops_per_apply = 2. * n_nonzeros;
  // Epetra keeps the length of each row as well as its place, and that of its allocation
  cost.memory_bytes =
    (sizeof(double) + sizeof(int)) * n_nonzeros + 3. * sizeof(int) * n_rows +
    geometry_.memory_bytes() +
    static_cast<double>((node_to_element_.begin.size() + node_to_element_.entries.size()) *
                        sizeof(LocalIndex));
  return cost;
}

double TrilinosCsr::memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
{
  // Pairs of nodes that share an element: each node with itself, and both ways over the edges, the
  // two diagonals of a face and the four of an element. Euler's formula leaves the faces on the
  // boundary, about twice as many as there are nodes more than elements: 27 pairs a node inside.
  const double n_pairs    = 9. * n_nodes + 18. * n_elements;
  const double n_nonzeros = 9. * n_pairs;
  return (sizeof(double) + sizeof(int)) * n_nonzeros + 9. * sizeof(int) * n_nodes +
         ElementGeometry::memory_estimate(n_elements, n_nodes) +
         sizeof(LocalIndex) * (n_nodes + 8. * n_elements);
}
} // namespace

void require_epetra_size(const std::size_t n_nonzeros)
{
  constexpr std::size_t largest = std::numeric_limits<int>::max();
  if (n_nonzeros > largest)
    throw Error("trilinos_csr: the matrix of this rank has " + std::to_string(n_nonzeros) +
                " non-zero entries, Epetra counts up to " + std::to_string(largest) +
                ".\n  Use more ranks, a coarser mesh, or another operator.");
}

Strategy<double> trilinos_csr()
{
  return {"trilinos_csr",
          has_threads
            ? "assembled matrix of Trilinos (Epetra), compressed rows"
            : "assembled matrix of Trilinos (Epetra), compressed rows; one thread a rank, "
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
}
} // namespace strut::plugin
