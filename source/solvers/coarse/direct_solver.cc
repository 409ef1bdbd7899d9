// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarse/direct_solver.h"
#include "source/backend/dense_inverse.h"
#include "source/backend/multigrid_operations.h"
#include "source/mesh/cuthill_mckee.h"
#include "source/parallel/all_gather.h"
#include "source/solvers/coarse/coarse_matrix.h"
#include "source/solvers/coarse/coarsest_factor.h"

#include <strut/backend/backend.h>

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <utility>

namespace strut
{
namespace
{
/// Returns the matrix in an order with a narrow band.
SymmetricSums in_a_band(const CoarseMatrix &matrix)
{
  SymmetricSums sums;
  sums.n              = matrix.n;
  sums.summands_begin = matrix.summands_begin;
  sums.summands       = matrix.summands;
  sums.weights        = matrix.weights;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::size_t k = 0; k < matrix.rows.size(); ++k)
    edges.emplace_back(matrix.rows[k], matrix.columns[k]);
  sums.dofs = reverse_cuthill_mckee(matrix.n, edges);
  std::vector<std::uint32_t> row_of(matrix.n);
  for (std::size_t row = 0; row < matrix.n; ++row)
    {
      row_of[sums.dofs[row]] = static_cast<std::uint32_t>(row);
      sums.skipped.push_back(matrix.constrained[sums.dofs[row]]);
    }
  for (const auto &[i, j] : edges)
    {
      sums.rows.push_back(std::min(row_of[i], row_of[j]));
      sums.columns.push_back(std::max(row_of[i], row_of[j]));
    }
  return sums;
}

} // namespace

/// The sparse factor of the system of all ranks, on the host.
template <typename Number>
struct DirectSolver<Number>::OnHost
{
  using Matrix = Eigen::SparseMatrix<double>;

  explicit OnHost(CoarseMatrix &&own) : matrix(std::move(own))
  {
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t k = 0; k < matrix.rows.size(); ++k)
      entries.emplace_back(static_cast<int>(matrix.rows[k]),
                           static_cast<int>(matrix.columns[k]),
                           0.);
    const auto n = static_cast<int>(matrix.n);
    K.resize(n, n);
    K.setFromTriplets(entries.begin(), entries.end());
    K.makeCompressed();
    factor.analyzePattern(K);
  }

  /// Factorise the matrix.
  /// @param get  returns the number at a place of the current element matrices
  template <typename Get>
  void factorize(const Get &get)
  {
    double *const values = K.valuePtr();
    for (std::size_t k = 0; k < matrix.rows.size(); ++k)
      {
        const std::size_t row = matrix.rows[k];
        values[k]             = matrix.sum(k, get);
        if (row != matrix.columns[k])
          continue;
        if (matrix.constrained[row] != 0)
          values[k] = 1.;
        else
          for (const std::vector<double> &diagonal : added)
            if (!diagonal.empty())
              values[k] += diagonal[row];
      }
    factor.factorize(K);
    require_cholesky_factor(factor.info() == Eigen::Success);
  }

  const CoarseMatrix matrix;
  std::vector<double> added[2]; ///< Diagonals, by AddedDiagonal: `[n]`, or empty
  Matrix K;                     ///< upper triangle, with values in the order of `matrix`
  Eigen::SimplicialLLT<Matrix, Eigen::Upper> factor;
};

/// The full inverse of the system of all ranks, in the memory of each device. No data of a design
/// are copied to the host.
template <typename Number>
struct DirectSolver<Number>::OnDevice
{
  OnDevice(Backend &backend,
           const Communicator &communicator,
           const ElementMesh &mesh,
           const CoarseMatrix &matrix)
    : vectors(backend.vector_operations<Number>())
    , multigrid(backend.multigrid_operations<Number>(mesh.n_components))
    , memory(backend.memory())
    , solid(memory, matrix.element_matrices)
    , matrices(memory, matrix.element_matrices.size())
    , inverse(multigrid.make_dense_inverse(memory, in_a_band(matrix)))
    , has_others(communicator.size() > 1)
    , dofs(backend, communicator, matrix.n_owned)
    , elements(backend, communicator, mesh.n_elements)
    , packed(backend, communicator, matrix.n_packed * mesh.n_elements)
  {
    if (!has_others)
      return;
    all_r = Array<Number>(memory, matrix.n);
    all_x = Array<Number>(memory, matrix.n);
  }

  /// Returns the values of all ranks.
  /// @param copy  receives them if there are several ranks
  template <typename T>
  const Array<T> &of_all(AllGather<T> &ranks, const Array<T> &own, Array<T> &copy)
  {
    if (!has_others)
      return own;
    if (copy.empty())
      copy = Array<T>(memory, ranks.n_all());
    ranks.gather(own, copy);
    return copy;
  }

  void set_diagonal(const AddedDiagonal which, const Array<Number> &own)
  {
    let_end();
    Array<Number> &all = added[static_cast<int>(which)];
    if (all.empty())
      all = Array<Number>(memory, dofs.n_all());
    dofs.gather(own, all);
  }

  void solve(const Array<Number> &r, Array<Number> &x)
  {
    if (!has_others)
      return inverse->apply(r, x);
    dofs.gather(r, all_r);
    inverse->apply(all_r, all_x);
    dofs.take_own(all_x, x);
  }

  void invert()
  {
    // Both are set anew for each matrix, so the springs may hold the sum.
    auto &[springs, shift] = added;
    if (!shift.empty() && !springs.empty())
      vectors.axpy(shift.size(), Number(1), shift, springs);
    has_begun = true;
    inverse->begin(matrices, springs.empty() ? shift : springs);
  }

  void finish()
  {
    let_end();
    require_cholesky_factor(is_definite);
  }

  /// Wait for an inversion that has begun, before its input changes, even if its result was not
  /// needed.
  void let_end()
  {
    if (std::exchange(has_begun, false))
      is_definite = inverse->finish();
  }

  const VectorOperations<Number> &vectors;
  const MultigridOperations<Number> &multigrid;
  Memory &memory;
  const Array<double> solid; ///< element matrices of stiffness 1
  Array<double> matrices;    ///< current element matrices
  Array<Number> added[2];    ///< Diagonals, by AddedDiagonal: `[n]`, or empty
  std::unique_ptr<DenseInverse<Number>> inverse;
  bool has_begun   = false; ///< an inversion has begun
  bool is_definite = true;  ///< whether the last inverted matrix was positive definite
  const bool has_others;    ///< whether there are other ranks
  AllGather<Number> dofs;
  AllGather<double> elements;
  AllGather<Number> packed;
  Array<Number> all_r, all_x, all_packed; ///< values of all ranks
  Array<double> all_factors;              ///< values of all ranks
};

template <typename Number>
DirectSolver<Number>::DirectSolver(Backend &backend,
                                   const Communicator &communicator,
                                   const ElementMesh &mesh,
                                   const Material &material)
  : communicator_(communicator)
{
  CoarseMatrix matrix = make_coarse_matrix(backend, communicator, mesh, material);
  if (matrix.n <= most_inverted_dofs && !backend.memory().is_host())
    on_device_ = std::make_unique<OnDevice>(backend, communicator, mesh, matrix);
  else
    on_host_ = std::make_unique<OnHost>(std::move(matrix));
}

template <typename Number>
DirectSolver<Number>::~DirectSolver() = default;

template <typename Number>
void DirectSolver<Number>::set_diagonal(const AddedDiagonal which, const Array<Number> &values)
{
  if (on_device_ != nullptr)
    return on_device_->set_diagonal(which, values);
  const std::vector<Number> own = values.to_host();
  on_host_->added[static_cast<int>(which)] =
    communicator_.gather(std::vector<double>(own.begin(), own.begin() + on_host_->matrix.n_owned));
}

template <typename Number>
bool DirectSolver<Number>::set(const Stiffness &stiffness)
{
  if (stiffness.law() != Law::factor)
    return false;
  Array<double> work;
  const Array<double> &factors = stiffness.component(0, 0, work);
  if (on_device_ != nullptr)
    {
      on_device_->let_end();
      on_device_->multigrid.scale_matrices(on_device_->solid,
                                           on_device_->of_all(on_device_->elements,
                                                              factors,
                                                              on_device_->all_factors),
                                           stiffness_of_outside,
                                           on_device_->matrices);
      on_device_->invert();
      return true;
    }
  const std::vector<double> all    = communicator_.gather(factors.to_host());
  const std::vector<double> &solid = on_host_->matrix.element_matrices;
  const std::size_t n_packed       = on_host_->matrix.n_packed;
  on_host_->factorize([&](const std::size_t k) {
    const double factor = all[k / n_packed];
    return (factor != 0. ? factor : stiffness_of_outside) * solid[k];
  });
  return true;
}

template <typename Number>
void DirectSolver<Number>::set_matrices(const Array<Number> &packed)
{
  if (on_device_ != nullptr)
    {
      on_device_->let_end();
      on_device_->multigrid.complete_matrices(on_device_->solid,
                                              on_device_->of_all(on_device_->packed,
                                                                 packed,
                                                                 on_device_->all_packed),
                                              stiffness_of_outside,
                                              on_device_->matrices);
      return on_device_->invert();
    }
  const std::vector<Number> own    = packed.to_host();
  const std::vector<double> all    = communicator_.gather({own.begin(), own.end()});
  const std::vector<double> &solid = on_host_->matrix.element_matrices;
  const std::size_t n_packed       = on_host_->matrix.n_packed;
  std::vector<bool> is_outside;
  for (auto matrix = all.begin(); matrix != all.end(); matrix += n_packed)
    is_outside.push_back(
      std::all_of(matrix, matrix + n_packed, [](const double x) { return x == 0.; }));
  on_host_->factorize([&](const std::size_t k) {
    return is_outside[k / n_packed] ? stiffness_of_outside * solid[k] : all[k];
  });
}

template <typename Number>
void DirectSolver<Number>::finish()
{
  if (on_device_ != nullptr)
    on_device_->finish();
}

template <typename Number>
bool DirectSolver<Number>::only_submits() const
{
  return on_device_ != nullptr;
}

template <typename Number>
void DirectSolver<Number>::solve(const Array<Number> &r, Array<Number> &x)
{
  if (on_device_ != nullptr)
    return on_device_->solve(r, x);
  const CoarseMatrix &matrix = on_host_->matrix;
  std::vector<Number> values = r.to_host();
  std::vector<double> all =
    communicator_.gather(std::vector<double>(values.begin(), values.begin() + matrix.n_owned));
  for (std::size_t i = 0; i < all.size(); ++i)
    if (matrix.constrained[i] != 0)
      all[i] = 0.;
  const Eigen::Map<Eigen::VectorXd> load(all.data(), static_cast<Eigen::Index>(all.size()));
  const Eigen::VectorXd solution = on_host_->factor.solve(load);
  std::copy(solution.data() + matrix.first,
            solution.data() + matrix.first + matrix.n_owned,
            values.begin());
  x.copy_from_host(values);
}

template class DirectSolver<double>;
template class DirectSolver<float>;
} // namespace strut
