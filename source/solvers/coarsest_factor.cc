// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarsest_factor.h"

#include <strut/base/exceptions.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include <cmath>

namespace strut
{
namespace
{
constexpr std::size_t most_dense_dofs = 4000;
constexpr double shifts[]             = {0., 1e-11, 1e-10, 1e-9, 1e-8};
} // namespace

struct CoarsestFactor::Factor
{
  Eigen::VectorXd scale;
  Eigen::LLT<Eigen::MatrixXd> dense;
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower> sparse;
  bool is_dense         = true;
  std::size_t n_numbers = 0;
};

CoarsestFactor::CoarsestFactor() : factor_(std::make_unique<Factor>())
{}

CoarsestFactor::~CoarsestFactor() = default;

template <int B>
void CoarsestFactor::set(const BlockMatrix<B, B> &A)
{
  const auto n = static_cast<Eigen::Index>(B * A.pattern.n_rows);
  auto &[scale, dense, sparse, is_dense, n_numbers] = *factor_;

  // (1) The scaled lower triangle.
  scale                     = Eigen::VectorXd::Zero(n);
  const auto for_each_entry = [&](const auto &body) {
    for (std::size_t row = 0; row < A.pattern.n_rows; ++row)
      for (std::uint32_t k = A.pattern.begin[row]; k < A.pattern.begin[row + 1]; ++k)
        for (int i = 0; i < B; ++i)
          for (int j = 0; j < B; ++j)
            body(static_cast<Eigen::Index>(B * row + static_cast<std::size_t>(i)),
                 static_cast<Eigen::Index>(B * std::size_t(A.pattern.columns[k]) +
                                           static_cast<std::size_t>(j)),
                 A.block(k)[B * i + j]);
  };
  for_each_entry([&](const Eigen::Index i, const Eigen::Index j, const double value) {
    if (i == j && value > 0.)
      scale[i] = 1. / std::sqrt(value);
  });
  const auto scaled = [&](const Eigen::Index i, const Eigen::Index j, const double value) {
    return i != j ? scale[i] * scale[j] * value : 1.;
  };

  // (2) Its factor.
  is_dense       = static_cast<std::size_t>(n) <= most_dense_dofs;
  bool succeeded = false;
  if (is_dense)
    {
      Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(n, n);
      for_each_entry([&](const Eigen::Index i, const Eigen::Index j, const double value) {
        if (j <= i)
          matrix(i, j) = scaled(i, j, value);
      });
      for (const double shift : shifts)
        {
          if (succeeded)
            break;
          matrix.diagonal().array() += shift;
          dense.compute(matrix);
          succeeded = dense.info() == Eigen::Success;
        }
      n_numbers = static_cast<std::size_t>(n * n);
    }
  else
    {
      std::vector<Eigen::Triplet<double>> entries;
      for_each_entry([&](const Eigen::Index i, const Eigen::Index j, const double value) {
        if (j <= i && (i == j || scaled(i, j, value) != 0.))
          entries.emplace_back(static_cast<int>(i), static_cast<int>(j), scaled(i, j, value));
      });
      Eigen::SparseMatrix<double> matrix(n, n);
      matrix.setFromTriplets(entries.begin(), entries.end());
      sparse.analyzePattern(matrix);
      for (const double shift : shifts)
        {
          if (succeeded)
            break;
          sparse.setShift(shift);
          sparse.factorize(matrix);
          succeeded = sparse.info() == Eigen::Success;
        }
      n_numbers = static_cast<std::size_t>(sparse.matrixL().nestedExpression().nonZeros());
    }
  if (!succeeded)
    throw SolverFailure("The coarsest level of multigrid has no Cholesky factor: its matrix is not "
                        "positive definite.",
                        Remedy::check_supports_or_use_jacobi);
}

void CoarsestFactor::solve(const std::vector<double> &r, std::vector<double> &x) const
{
  const auto n = static_cast<Eigen::Index>(r.size());
  const Eigen::VectorXd load =
    factor_->scale.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(r.data(), n));
  Eigen::Map<Eigen::VectorXd> result(x.data(), n);
  if (factor_->is_dense)
    result = factor_->dense.solve(load);
  else
    result = factor_->sparse.solve(load);
  result.array() *= factor_->scale.array();
}

std::size_t CoarsestFactor::bytes() const
{
  return sizeof(double) * factor_->n_numbers;
}

template void CoarsestFactor::set(const BlockMatrix<3, 3> &);
template void CoarsestFactor::set(const BlockMatrix<6, 6> &);
} // namespace strut
