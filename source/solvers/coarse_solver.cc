// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarse_solver.h"
#include "source/element/hexahedron.h"
#include "source/mesh/cuthill_mckee.h"
#include "source/parallel/node_numbers.h"

#include <strut/backend/backend.h>
#include <strut/base/exceptions.h>

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <array>

namespace strut
{
namespace
{
/// Stiffness that an element without any gets here, relative to the solid: its DoFs would have zero rows, and parts
/// that hang together with no support would be free. It makes the preconditioner definite, and changes no solution.
constexpr double stiffness_of_outside = 1e-6;
} // namespace

/// The system of all ranks. DoFs are numbered rank by rank, owned ones only; constrained ones have a
/// row of the unit matrix.
template <typename Number>
struct CoarseSolver<Number>::System
{
  using Matrix = Eigen::SparseMatrix<double>;

  std::size_t first = 0, n_owned = 0; ///< DoFs of this rank
  std::vector<bool> constrained;      ///< `[n]`
  std::vector<double> springs;        ///< `[n]`, or empty

  std::vector<std::array<double, 300>> matrices; ///< K0 of the elements, upper triangles by columns
  std::vector<std::array<int, 300>> entries;     ///< where they go in the values of K; -1: nowhere
  Matrix K;                                      ///< upper triangle
  Eigen::SimplicialLLT<Matrix, Eigen::Upper> factor;
};

namespace
{
/// The data of each element that every rank sends to the others: global numbers of the nodes, coordinates,
/// constrained DoFs.
struct GatheredElement
{
  std::array<double, 8> nodes;
  double X[3][8];
  std::array<double, 24> constrained; ///< 1 or 0
};
static_assert(sizeof(GatheredElement) == 56 * sizeof(double), "sent as numbers");

std::vector<GatheredElement>
gather_elements(Backend &backend, const Communicator &communicator, const ElementMesh &mesh)
{
  const std::vector<double> numbers = node_numbers(backend, communicator, mesh);

  std::vector<bool> constrained(mesh.n_dofs(), false);
  for (const LocalIndex dof : mesh.constrained_dofs)
    constrained[dof] = true;

  std::vector<double> own;
  own.reserve(56 * mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const auto node = [&](const std::size_t v) {
        return std::size_t(mesh.connectivity[v * mesh.n_elements + e]);
      };
      for (std::size_t v = 0; v < 8; ++v)
        own.push_back(numbers[node(v)]);
      for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t v = 0; v < 8; ++v)
          own.push_back(mesh.coordinates[d * mesh.n_nodes + node(v)]);
      for (std::size_t v = 0; v < 8; ++v)
        for (std::size_t c = 0; c < 3; ++c)
          own.push_back(constrained[3 * node(v) + c] ? 1. : 0.);
    }
  const std::vector<double> all = communicator.gather(own);
  std::vector<GatheredElement> elements(all.size() / 56);
  std::copy(all.begin(), all.end(), reinterpret_cast<double *>(elements.data()));
  return elements;
}
} // namespace

template <typename Number>
CoarseSolver<Number>::CoarseSolver(Backend &backend,
                                   const Communicator &communicator,
                                   const ElementMesh &mesh,
                                   const Material &material)
  : communicator_(communicator), system_(std::make_unique<System>())
{
  System &system = *system_;
  system.n_owned = mesh.n_owned_dofs();
  std::size_t n  = 0;
  const std::vector<double> counts =
    communicator.gather({static_cast<double>(mesh.n_owned_dofs())});
  for (int rank = 0; rank < communicator.size(); ++rank)
    {
      if (rank == communicator.rank())
        system.first = n;
      n += static_cast<std::size_t>(counts[rank]);
    }
  const std::vector<GatheredElement> elements = gather_elements(backend, communicator, mesh);

  // (1) Element matrices and the pattern.
  const auto dof = [&](const GatheredElement &element, const std::size_t i) {
    return 3 * static_cast<int>(element.nodes[i / 3]) + static_cast<int>(i % 3);
  };
  system.constrained.assign(n, false);
  std::vector<Eigen::Triplet<double>> pattern;
  for (const GatheredElement &element : elements)
    {
      std::array<double, 300> matrix;
      for (int a = 0; a < 8; ++a)
        {
          double rows[3][24];
          hexahedron::stiffness_rows(element.X, material, a, rows);
          for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3 * a + i + 1; ++k)
              matrix[(3 * a + i) * (3 * a + i + 1) / 2 + k] = rows[i][k];
        }
      system.matrices.push_back(matrix);
      for (std::size_t j = 0; j < 24; ++j)
        {
          system.constrained[dof(element, j)] =
            system.constrained[dof(element, j)] || element.constrained[j] > 0.;
          for (std::size_t i = 0; i <= j; ++i)
            if (element.constrained[i] == 0. && element.constrained[j] == 0.)
              pattern.emplace_back(std::min(dof(element, i), dof(element, j)),
                                   std::max(dof(element, i), dof(element, j)),
                                   0.);
        }
    }
  for (std::size_t i = 0; i < n; ++i)
    pattern.emplace_back(static_cast<int>(i), static_cast<int>(i), 0.);
  system.K.resize(static_cast<int>(n), static_cast<int>(n));
  system.K.setFromTriplets(pattern.begin(), pattern.end());
  system.K.makeCompressed();

  // (2) Where each entry of an element goes.
  for (const GatheredElement &element : elements)
    {
      std::array<int, 300> entries;
      for (std::size_t j = 0, k = 0; j < 24; ++j)
        for (std::size_t i = 0; i <= j; ++i, ++k)
          {
            const int row    = std::min(dof(element, i), dof(element, j));
            const int column = std::max(dof(element, i), dof(element, j));
            const int *begin = system.K.innerIndexPtr() + system.K.outerIndexPtr()[column];
            const int *end   = system.K.innerIndexPtr() + system.K.outerIndexPtr()[column + 1];
            entries[k] =
              element.constrained[i] > 0. || element.constrained[j] > 0.
                ? -1
                : static_cast<int>(std::lower_bound(begin, end, row) - system.K.innerIndexPtr());
          }
      system.entries.push_back(entries);
    }

  // (3) On the device if there is one and the matrix is small enough.
  if (communicator.size() == 1 && n <= most_inverted_dofs && !backend.memory().is_host())
    {
      SymmetricPattern symmetric;
      symmetric.n = n;
      std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;
      for (int column = 0; column < system.K.outerSize(); ++column)
        for (typename System::Matrix::InnerIterator entry(system.K, column); entry; ++entry)
          entries.emplace_back(entry.row(), column);
      symmetric.dofs = reverse_cuthill_mckee(n, entries);
      std::vector<std::uint32_t> row_of(n);
      for (std::size_t row = 0; row < n; ++row)
        {
          row_of[symmetric.dofs[row]] = static_cast<std::uint32_t>(row);
          symmetric.skipped.push_back(system.constrained[symmetric.dofs[row]] ? 1 : 0);
        }
      for (const auto &[i, j] : entries)
        {
          symmetric.rows.push_back(std::min(row_of[i], row_of[j]));
          symmetric.columns.push_back(std::max(row_of[i], row_of[j]));
        }
      inverse_ = backend.make_dense_inverse<Number>(symmetric);
    }
  if (inverse_ == nullptr)
    system.factor.analyzePattern(system.K);
}

template <typename Number>
CoarseSolver<Number>::~CoarseSolver() = default;

template <typename Number>
void CoarseSolver<Number>::set_springs(const Array<Number> &springs)
{
  const std::vector<Number> values = springs.to_host();
  system_->springs =
    communicator_.gather(std::vector<double>(values.begin(), values.begin() + system_->n_owned));
}

template <typename Number>
void CoarseSolver<Number>::set_stiffness(const Array<double> &factors)
{
  const std::vector<double> all = communicator_.gather(factors.to_host());
  factor([&](const std::size_t e, const std::size_t k) {
    return (all[e] != 0. ? all[e] : stiffness_of_outside) * system_->matrices[e][k];
  });
}

template <typename Number>
void CoarseSolver<Number>::set_matrices(const std::vector<double> &matrices)
{
  const std::vector<double> all = communicator_.gather(matrices);
  const auto is_zero            = [](const double x) { return x == 0.; };
  std::vector<bool> is_outside;
  for (auto matrix = all.begin(); matrix != all.end(); matrix += 300)
    is_outside.push_back(std::all_of(matrix, matrix + 300, is_zero));
  factor([&](const std::size_t e, const std::size_t k) {
    return is_outside[e] ? stiffness_of_outside * system_->matrices[e][k] : all[300 * e + k];
  });
}

template <typename Number>
template <typename Get>
void CoarseSolver<Number>::factor(const Get &get)
{
  System &system       = *system_;
  double *const values = system.K.valuePtr();
  std::fill(values, values + system.K.nonZeros(), 0.);
  for (std::size_t e = 0; e < system.entries.size(); ++e)
    for (std::size_t k = 0; k < 300; ++k)
      if (system.entries[e][k] >= 0)
        values[system.entries[e][k]] += get(e, k);
  for (std::size_t i = 0; i < system.constrained.size(); ++i)
    {
      double &diagonal = system.K.coeffRef(static_cast<int>(i), static_cast<int>(i));
      if (system.constrained[i])
        diagonal = 1.;
      else if (!system.springs.empty())
        diagonal += system.springs[i];
    }
  bool positive_definite = false;
  if (inverse_ != nullptr)
    positive_definite = inverse_->invert({values, values + system.K.nonZeros()});
  else
    {
      system.factor.factorize(system.K);
      positive_definite = system.factor.info() == Eigen::Success;
    }
  if (!positive_definite)
    throw SolverFailure("The coarsest level of multigrid has no Cholesky factor: its matrix is not "
                        "positive definite.",
                        Remedy::check_supports_or_use_jacobi);
}

template <typename Number>
void CoarseSolver<Number>::solve_on_host(std::vector<double> &x) const
{
  const System &system    = *system_;
  std::vector<double> all = communicator_.gather(x);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (system.constrained[i])
      all[i] = 0.;
  Eigen::Map<Eigen::VectorXd> values(all.data(), static_cast<Eigen::Index>(all.size()));
  const Eigen::VectorXd solution = system.factor.solve(values);
  std::copy(solution.data() + system.first,
            solution.data() + system.first + system.n_owned,
            x.begin());
}

template <typename Number>
void CoarseSolver<Number>::solve(const Array<Number> &r, Array<Number> &x) const
{
  if (inverse_ != nullptr)
    return inverse_->apply(r, x);
  std::vector<Number> values = r.to_host();
  std::vector<double> owned(values.begin(), values.begin() + system_->n_owned);
  solve_on_host(owned);
  std::copy(owned.begin(), owned.end(), values.begin());
  x.copy_from_host(values);
}

template class CoarseSolver<double>;
template class CoarseSolver<float>;
} // namespace strut
