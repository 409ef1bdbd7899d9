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

/// The sparse factor of the system of all ranks, on the host.
template <typename Number>
class FactorOnHost : public CoarseSolver<Number>
{
public:
  FactorOnHost(const Communicator &communicator, CoarseMatrix &&own)
    : communicator_(communicator), matrix_(std::move(own))
  {
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t k = 0; k < matrix_.rows.size(); ++k)
      entries.emplace_back(static_cast<int>(matrix_.rows[k]),
                           static_cast<int>(matrix_.columns[k]),
                           0.);
    const auto n = static_cast<int>(matrix_.n);
    K_.resize(n, n);
    K_.setFromTriplets(entries.begin(), entries.end());
    K_.makeCompressed();
    factor_.analyzePattern(K_);
  }

  void set_diagonal(const AddedDiagonal which, const Array<Number> &values) override
  {
    added_[static_cast<int>(which)] = gather_owned(values.to_host());
  }

  bool set(const Stiffness &stiffness) override
  {
    if (!stiffness.law().answers().are_factors)
      return false;
    Array<double> work;
    const std::vector<double> all = communicator_.gather(stiffness.component(0, 0, work).to_host());
    factorize([&](const std::size_t k) {
      const double factor = all[k / matrix_.n_packed];
      return (factor != 0. ? factor : stiffness_of_outside) * matrix_.element_matrices[k];
    });
    return true;
  }

  void set_matrices(const Array<Number> &packed) override
  {
    const std::vector<Number> own = packed.to_host();
    const std::vector<double> all = communicator_.gather({own.begin(), own.end()});
    std::vector<bool> is_outside;
    for (auto matrix = all.begin(); matrix != all.end(); matrix += matrix_.n_packed)
      is_outside.push_back(
        std::all_of(matrix, matrix + matrix_.n_packed, [](const double x) { return x == 0.; }));
    factorize([&](const std::size_t k) {
      return is_outside[k / matrix_.n_packed] ? stiffness_of_outside * matrix_.element_matrices[k]
                                              : all[k];
    });
  }

  void solve(const Array<Number> &r, Array<Number> &x) override
  {
    std::vector<Number> values = r.to_host();
    std::vector<double> all    = gather_owned(values);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (matrix_.constrained[i] != 0)
        all[i] = 0.;
    const Eigen::Map<Eigen::VectorXd> load(all.data(), static_cast<Eigen::Index>(all.size()));
    const Eigen::VectorXd solution = factor_.solve(load);
    std::copy(solution.data() + matrix_.first,
              solution.data() + matrix_.first + matrix_.n_owned,
              values.begin());
    x.copy_from_host(values);
  }

private:
  using Matrix = Eigen::SparseMatrix<double>;

  std::vector<double> gather_owned(const std::vector<Number> &values) const
  {
    return communicator_.gather({values.begin(), values.begin() + matrix_.n_owned});
  }

  /// Factorise the matrix.
  /// @param get  returns the number at a place of the current element matrices
  template <typename Get>
  void factorize(const Get &get)
  {
    double *const values = K_.valuePtr();
    for (std::size_t k = 0; k < matrix_.rows.size(); ++k)
      {
        const std::size_t row = matrix_.rows[k];
        values[k]             = matrix_.sum(k, get);
        if (row != matrix_.columns[k])
          continue;
        if (matrix_.constrained[row] != 0)
          values[k] = 1.;
        else
          for (const std::vector<double> &diagonal : added_)
            if (!diagonal.empty())
              values[k] += diagonal[row];
      }
    factor_.factorize(K_);
    require_cholesky_factor(factor_.info() == Eigen::Success);
  }

  const Communicator communicator_;
  const CoarseMatrix matrix_;
  std::vector<double> added_[2]; ///< Diagonals, by AddedDiagonal: `[n]`, or empty
  Matrix K_;                     ///< upper triangle, with values in the order of `matrix_`
  Eigen::SimplicialLLT<Matrix, Eigen::Upper> factor_;
};

/// The full inverse of the system of all ranks, in the memory of each device. No data of a design
/// are copied to the host.
template <typename Number>
class InverseOnDevice : public CoarseSolver<Number>
{
public:
  InverseOnDevice(Backend &backend,
                  const Communicator &communicator,
                  const ElementMesh &mesh,
                  const CoarseMatrix &matrix)
    : vectors_(backend.vector_operations<Number>())
    , multigrid_(backend.multigrid_operations<Number>(mesh.n_components))
    , memory_(backend.memory())
    , solid_(memory_, matrix.element_matrices)
    , matrices_(memory_, matrix.element_matrices.size())
    , inverse_(multigrid_.make_dense_inverse(memory_, in_a_band(matrix)))
    , has_others_(communicator.size() > 1)
    , dofs_(backend, communicator, matrix.n_owned)
    , elements_(backend, communicator, mesh.n_elements)
    , packed_(backend, communicator, matrix.n_packed * mesh.n_elements)
  {
    if (!has_others_)
      return;
    all_r_ = Array<Number>(memory_, matrix.n);
    all_x_ = Array<Number>(memory_, matrix.n);
  }

  void set_diagonal(const AddedDiagonal which, const Array<Number> &own) override
  {
    let_end();
    Array<Number> &all = added_[static_cast<int>(which)];
    if (all.empty())
      all = Array<Number>(memory_, dofs_.n_all());
    dofs_.gather(own, all);
  }

  bool set(const Stiffness &stiffness) override
  {
    if (!stiffness.law().answers().are_factors)
      return false;
    Array<double> work;
    let_end();
    multigrid_.scale_matrices(solid_,
                              of_all(elements_, stiffness.component(0, 0, work), all_factors_),
                              stiffness_of_outside,
                              matrices_);
    invert();
    return true;
  }

  void set_matrices(const Array<Number> &packed) override
  {
    let_end();
    multigrid_.complete_matrices(solid_,
                                 of_all(packed_, packed, all_packed_),
                                 stiffness_of_outside,
                                 matrices_);
    invert();
  }

  void finish() override
  {
    let_end();
    require_cholesky_factor(is_definite_);
  }

  bool only_submits() const override
  {
    return true;
  }

  void solve(const Array<Number> &r, Array<Number> &x) override
  {
    if (!has_others_)
      return inverse_->apply(r, x);
    dofs_.gather(r, all_r_);
    inverse_->apply(all_r_, all_x_);
    dofs_.take_own(all_x_, x);
  }

private:
  /// Returns the values of all ranks.
  /// @param copy  receives them if there are several ranks
  template <typename T>
  const Array<T> &of_all(AllGather<T> &ranks, const Array<T> &own, Array<T> &copy)
  {
    if (!has_others_)
      return own;
    if (copy.empty())
      copy = Array<T>(memory_, ranks.n_all());
    ranks.gather(own, copy);
    return copy;
  }

  void invert()
  {
    // Both are set anew for each matrix, so the springs may hold the sum.
    auto &[springs, shift] = added_;
    if (!shift.empty() && !springs.empty())
      vectors_.axpy(shift.size(), Number(1), shift, springs);
    has_begun_ = true;
    inverse_->begin(matrices_, springs.empty() ? shift : springs);
  }

  /// Wait for an inversion that has begun, before its input changes, even if its result was not
  /// needed.
  void let_end()
  {
    if (std::exchange(has_begun_, false))
      is_definite_ = inverse_->finish();
  }

  const VectorOperations<Number> &vectors_;
  const MultigridOperations<Number> &multigrid_;
  Memory &memory_;
  const Array<double> solid_; ///< element matrices of stiffness 1
  Array<double> matrices_;    ///< current element matrices
  Array<Number> added_[2];    ///< Diagonals, by AddedDiagonal: `[n]`, or empty
  std::unique_ptr<DenseInverse<Number>> inverse_;
  bool has_begun_   = false; ///< an inversion has begun
  bool is_definite_ = true;  ///< whether the last inverted matrix was positive definite
  const bool has_others_;    ///< whether there are other ranks
  AllGather<Number> dofs_;
  AllGather<double> elements_;
  AllGather<Number> packed_;
  Array<Number> all_r_, all_x_, all_packed_; ///< values of all ranks
  Array<double> all_factors_;                ///< values of all ranks
};
} // namespace

template <typename Number>
std::unique_ptr<CoarseSolver<Number>> make_direct_solver(Backend &backend,
                                                         const Communicator &communicator,
                                                         const ElementMesh &mesh,
                                                         const Material &material)
{
  CoarseMatrix matrix = make_coarse_matrix(backend, communicator, mesh, material);
  if (matrix.n <= most_inverted_dofs && !backend.memory().is_host())
    return std::make_unique<InverseOnDevice<Number>>(backend, communicator, mesh, matrix);
  return std::make_unique<FactorOnHost<Number>>(communicator, std::move(matrix));
}

template decltype(make_direct_solver<double>) make_direct_solver<double>;
template decltype(make_direct_solver<float>) make_direct_solver<float>;
} // namespace strut
