// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarse/block_matrix.h"
#include "source/base/parallel_loop.h"

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>

namespace strut
{
std::uint32_t BlockPattern::find(const std::size_t row, const std::uint32_t column) const
{
  return static_cast<std::uint32_t>(
    std::lower_bound(columns.begin() + begin[row], columns.begin() + begin[row + 1], column) -
    columns.begin());
}

TransposedPattern::TransposedPattern(const BlockPattern &pattern)
  : begin(pattern.n_columns + 1, 0), blocks(pattern.n_blocks()), rows(pattern.n_blocks())
{
  for (const std::uint32_t column : pattern.columns)
    ++begin[column + 1];
  for (std::size_t column = 0; column < pattern.n_columns; ++column)
    begin[column + 1] += begin[column];
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t row = 0; row < pattern.n_rows; ++row)
    for (std::uint32_t k = pattern.begin[row]; k < pattern.begin[row + 1]; ++k)
      {
        const std::uint32_t at = next[pattern.columns[k]]++;
        blocks[at]             = k;
        rows[at]               = static_cast<std::uint32_t>(row);
      }
}

template <int R, int C>
void BlockMatrix<R, C>::multiply(const int n_threads,
                                 const std::vector<double> &x,
                                 std::vector<double> &y) const
{
  cpu::parallel_for(n_threads, pattern.n_rows, [&](const std::size_t row) {
    double sum[R] = {};
    for (std::size_t k = pattern.begin[row]; k < pattern.begin[row + 1]; ++k)
      add_product<R, C>(block(k), &x[C * std::size_t(pattern.columns[k])], sum);
    std::copy(sum, sum + R, &y[R * row]);
  });
}

template <int R, int C>
void BlockMatrix<R, C>::multiply_transposed(const int n_threads,
                                            const TransposedPattern &transposed,
                                            const std::vector<double> &x,
                                            std::vector<double> &y) const
{
  cpu::parallel_for_long(n_threads, pattern.n_columns, [&](const std::size_t column) {
    double sum[C] = {};
    for (std::size_t k = transposed.begin[column]; k < transposed.begin[column + 1]; ++k)
      {
        const double *const a    = block(transposed.blocks[k]);
        const double *const part = &x[R * std::size_t(transposed.rows[k])];
        for (int i = 0; i < R; ++i)
          for (int j = 0; j < C; ++j)
            sum[j] += a[i * C + j] * part[i];
      }
    std::copy(sum, sum + C, &y[C * column]);
  });
}

template <int B>
void invert_diagonal(const int n_threads, const BlockMatrix<B, B> &A, std::vector<double> &inverse)
{
  using Block        = Eigen::Matrix<double, B, B, Eigen::RowMajor>;
  constexpr auto cut = 1e-10;
  inverse.resize(A.block_size * A.pattern.n_rows);
  cpu::parallel_for_long(n_threads, A.pattern.n_rows, [&](const std::size_t row) {
    Eigen::Map<Block> result(&inverse[A.block_size * row]);
    result.setZero();
    const std::uint32_t place = A.pattern.find(row, static_cast<std::uint32_t>(row));
    if (place == A.pattern.begin[row + 1] || A.pattern.columns[place] != row)
      return;
    Block block = Eigen::Map<const Block>(A.block(place));
    Eigen::Matrix<double, B, 1> scale;
    for (int i = 0; i < B; ++i)
      scale[i] = block(i, i) > 0. ? 1. / std::sqrt(block(i, i)) : 0.;
    block = (scale.asDiagonal() * (0.5 * (block + block.transpose())) * scale.asDiagonal()).eval();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, B, B>> eigen(block);
    const auto &values = eigen.eigenvalues();
    if (!(values[B - 1] > 0.))
      return;
    Eigen::Matrix<double, B, 1> inverted;
    for (int i = 0; i < B; ++i)
      inverted[i] = values[i] > cut * values[B - 1] ? 1. / values[i] : 0.;
    const Block unscaled =
      eigen.eigenvectors() * inverted.asDiagonal() * eigen.eigenvectors().transpose();
    result = scale.asDiagonal() * unscaled * scale.asDiagonal();
  });
}

template <int B>
double largest_eigenvalue(const int n_threads,
                          const BlockMatrix<B, B> &A,
                          const std::vector<double> &inverse_diagonal)
{
  constexpr int n_steps = 12;
  const std::size_t n   = B * A.pattern.n_rows;
  const auto scaled     = [&](const std::vector<double> &r, std::vector<double> &z) {
    cpu::parallel_for(n_threads, A.pattern.n_rows, [&](const std::size_t row) {
      double sum[B] = {};
      add_product<B, B>(&inverse_diagonal[A.block_size * row], &r[B * row], sum);
      std::copy(sum, sum + B, &z[B * row]);
    });
  };
  const auto dot = [&](const std::vector<double> &a, const std::vector<double> &b) {
    return cpu::parallel_sum(n_threads, n, [&](const std::size_t i) { return a[i] * b[i]; });
  };

  // (1) Conjugate gradients with D, from a residual A x with random x.
  std::vector<double> r(n), z(n), p(n), q(n);
  std::uint32_t state = 1;
  for (double &value : p)
    {
      state = 1664525u * state + 1013904223u;
      value = static_cast<double>(state >> 8) / (1u << 23) - 1.;
    }
  A.multiply(n_threads, p, r);
  scaled(r, p);
  double rz = dot(r, p);
  std::array<double, n_steps> diagonal{}, beside{};
  double alpha_before = 1., beta = 0.;
  int n_done = 0;
  for (; n_done < n_steps && rz > 0.; ++n_done)
    {
      A.multiply(n_threads, p, q);
      const double pq = dot(p, q);
      if (!(pq > 0.))
        break;
      const double alpha = rz / pq;
      cpu::parallel_for(n_threads, n, [&](const std::size_t i) { r[i] -= alpha * q[i]; });
      scaled(r, z);
      diagonal[n_done]  = 1. / alpha + (n_done > 0 ? beta / alpha_before : 0.);
      const double next = dot(r, z);
      beta              = next / rz;
      beside[n_done]    = std::sqrt(std::max(0., beta)) / alpha;
      alpha_before      = alpha;
      rz                = next;
      cpu::parallel_for(n_threads, n, [&](const std::size_t i) { p[i] = z[i] + beta * p[i]; });
    }
  if (n_done == 0)
    return 1.;

  // (2) The largest eigenvalue of the tridiagonal matrix.
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(n_done, n_done);
  for (int k = 0; k < n_done; ++k)
    {
      T(k, k) = diagonal[k];
      if (k + 1 < n_done)
        T(k, k + 1) = T(k + 1, k) = beside[k];
    }
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(T, Eigen::EigenvaluesOnly)
    .eigenvalues()[n_done - 1];
}

template struct BlockMatrix<3, 3>;
template struct BlockMatrix<3, 6>;
template struct BlockMatrix<6, 6>;
template void invert_diagonal(int, const BlockMatrix<3, 3> &, std::vector<double> &);
template void invert_diagonal(int, const BlockMatrix<6, 6> &, std::vector<double> &);
template double largest_eigenvalue(int, const BlockMatrix<3, 3> &, const std::vector<double> &);
template double largest_eigenvalue(int, const BlockMatrix<6, 6> &, const std::vector<double> &);
} // namespace strut
