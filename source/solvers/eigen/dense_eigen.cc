// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/eigen/dense_eigen.h"

#include <Eigen/Eigenvalues>

namespace strut
{
namespace
{
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix matrix_of(const std::vector<double> &A, const std::size_t n)
{
  return Eigen::Map<const Matrix>(A.data(), Eigen::Index(n), Eigen::Index(n));
}

std::vector<double> numbers_of(const Matrix &A)
{
  return {A.data(), A.data() + A.size()};
}

/// Returns an orthonormal basis of the part of the columns of `candidates` that is orthogonal to
/// the columns of `basis`, by two passes of Gram-Schmidt. Columns of which only rounding remains
/// are left out.
Matrix complement(const Matrix &candidates, const Matrix &basis)
{
  const Eigen::Index m = basis.cols();
  Matrix all(basis.rows(), m + candidates.cols());
  all.leftCols(m) = basis;
  Eigen::Index n  = m;
  for (Eigen::Index j = 0; j < candidates.cols(); ++j)
    {
      Eigen::VectorXd x   = candidates.col(j);
      const double before = x.norm();
      for (int pass = 0; pass < 2; ++pass)
        for (Eigen::Index i = 0; i < n; ++i)
          x -= all.col(i).dot(x) * all.col(i);
      if (x.norm() > 1e-12 * before)
        all.col(n++) = x.normalized();
    }
  return all.middleCols(m, n - m);
}
} // namespace

DenseEigen dense_eigen(const std::vector<double> &A, const std::size_t n)
{
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix_of(A, n));
  const Eigen::VectorXd &values = solver.eigenvalues();
  return {{values.data(), values.data() + values.size()}, numbers_of(solver.eigenvectors())};
}

RitzVectors lowest_ritz_vectors(const std::vector<double> &A,
                                const std::vector<double> &B,
                                const std::size_t n,
                                const std::size_t n_wanted)
{
  const Matrix stiffness = matrix_of(A, n), mass = matrix_of(B, n);
  const auto m = Eigen::Index(n_wanted);
  // T has B-orthonormal columns.
  const Eigen::VectorXd scale = mass.diagonal().unaryExpr(
    [](const double value) { return value > 0. ? 1. / std::sqrt(value) : 0.; });
  const Eigen::SelfAdjointEigenSolver<Matrix> of_B(scale.asDiagonal() * mass * scale.asDiagonal());
  const Eigen::VectorXd &values = of_B.eigenvalues(); // ascending
  const Eigen::Index r          = (values.array() > 1e-4 * values.maxCoeff()).count();
  RitzVectors result;
  if (r < m)
    return result;
  const Matrix T = scale.asDiagonal() * of_B.eigenvectors().rightCols(r) *
                   values.tail(r).cwiseSqrt().cwiseInverse().asDiagonal();

  const Matrix inner = T.transpose() * stiffness * T;
  const Eigen::SelfAdjointEigenSolver<Matrix> ritz(0.5 * (inner + inner.transpose()));
  const Matrix Z       = ritz.eigenvectors().leftCols(m);
  const Matrix vectors = T * Z;
  result.found         = true;
  result.values.assign(ritz.eigenvalues().data(), ritz.eigenvalues().data() + m);
  result.vectors = numbers_of(vectors);

  Matrix steps = vectors;
  steps.topRows(m).setZero();
  const Matrix added = complement(T.transpose() * mass * steps, Z);
  result.n_steps     = static_cast<std::size_t>(added.cols());
  result.steps       = numbers_of(T * added);
  return result;
}
} // namespace strut
