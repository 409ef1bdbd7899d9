// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarse/coarsest_factor.h"

#include <strut/base/exceptions.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include <cmath>

namespace strut
{
namespace
{
constexpr double shifts[] = {0., 1e-11, 1e-10, 1e-9, 1e-8};
} // namespace

void require_cholesky_factor(const bool exists)
{
  if (!exists)
    throw SolverFailure("The coarsest level of multigrid has no Cholesky factor: its matrix is not "
                        "positive definite.",
                        Remedy::check_supports_or_use_jacobi);
}

struct CoarsestFactor::Factor
{
  Eigen::VectorXd scale;
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor;
};

CoarsestFactor::CoarsestFactor() : factor_(std::make_unique<Factor>())
{}

CoarsestFactor::~CoarsestFactor() = default;

template <int B>
void CoarsestFactor::set(const BlockMatrix<B, B> &A)
{
  const auto n          = static_cast<Eigen::Index>(B * A.pattern.n_rows);
  auto &[scale, factor] = *factor_;

  // (1) Compute the scaled lower triangle.
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

  std::vector<Eigen::Triplet<double>> entries;
  for_each_entry([&](const Eigen::Index i, const Eigen::Index j, const double value) {
    if (j <= i && (i == j || scaled(i, j, value) != 0.))
      entries.emplace_back(static_cast<int>(i), static_cast<int>(j), scaled(i, j, value));
  });
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());

  // (2) Factorise it.
  factor.analyzePattern(matrix);
  bool succeeded = false;
  for (const double shift : shifts)
    {
      if (succeeded)
        break;
      factor.setShift(shift);
      factor.factorize(matrix);
      succeeded = factor.info() == Eigen::Success;
    }
  require_cholesky_factor(succeeded);
}

void CoarsestFactor::solve(const std::vector<double> &r, std::vector<double> &x) const
{
  const auto n = static_cast<Eigen::Index>(r.size());
  const Eigen::VectorXd load =
    factor_->scale.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(r.data(), n));
  Eigen::Map<Eigen::VectorXd> result(x.data(), n);
  result = factor_->factor.solve(load);
  result.array() *= factor_->scale.array();
}

std::size_t CoarsestFactor::bytes() const
{
  return (sizeof(double) + sizeof(int)) *
         static_cast<std::size_t>(factor_->factor.matrixL().nestedExpression().nonZeros());
}

template void CoarsestFactor::set(const BlockMatrix<3, 3> &);
template void CoarsestFactor::set(const BlockMatrix<6, 6> &);
} // namespace strut
