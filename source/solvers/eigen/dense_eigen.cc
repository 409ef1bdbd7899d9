// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/eigen/dense_eigen.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace strut
{
namespace
{
/// Makes A_pq zero by a rotation, and rotates V with it.
void rotate(std::vector<double> &A,
            std::vector<double> &V,
            const std::size_t n,
            const std::size_t p,
            const std::size_t q)
{
  const double theta = 0.5 * (A[q * n + q] - A[p * n + p]) / A[p * n + q];
  // Tangent of the angle.
  const double t = (theta < 0. ? -1. : 1.) / (std::abs(theta) + std::hypot(theta, 1.));
  const double c = 1. / std::hypot(t, 1.), s = t * c;
  for (std::size_t i = 0; i < n; ++i)
    {
      const double a = A[i * n + p], b = A[i * n + q];
      A[i * n + p] = c * a - s * b;
      A[i * n + q] = s * a + c * b;
    }
  for (std::size_t i = 0; i < n; ++i)
    {
      const double a = A[p * n + i], b = A[q * n + i];
      A[p * n + i]   = c * a - s * b;
      A[q * n + i]   = s * a + c * b;
      const double x = V[i * n + p], y = V[i * n + q];
      V[i * n + p] = c * x - s * y;
      V[i * n + q] = s * x + c * y;
    }
}
} // namespace

DenseEigen dense_eigen(std::vector<double> A, const std::size_t n)
{
  std::vector<double> V(n * n, 0.);
  for (std::size_t i = 0; i < n; ++i)
    V[i * n + i] = 1.;
  constexpr unsigned int most_sweeps = 50; // About 8 are sufficient.
  for (unsigned int sweep = 0; sweep < most_sweeps; ++sweep)
    {
      bool is_diagonal = true;
      for (std::size_t p = 0; p < n; ++p)
        for (std::size_t q = p + 1; q < n; ++q)
          if (std::abs(A[p * n + q]) >
              1e-16 * std::sqrt(std::abs(A[p * n + p]) * std::abs(A[q * n + q])))
            {
              is_diagonal = false;
              rotate(A, V, n, p, q);
              A[p * n + q] = A[q * n + p] = 0.;
            }
      if (is_diagonal)
        break;
    }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](const std::size_t i, const std::size_t j) {
    return A[i * n + i] < A[j * n + j];
  });
  DenseEigen result;
  result.vectors.resize(n * n);
  for (std::size_t j = 0; j < n; ++j)
    {
      result.values.push_back(A[order[j] * n + order[j]]);
      for (std::size_t i = 0; i < n; ++i)
        result.vectors[i * n + j] = V[i * n + order[j]];
    }
  return result;
}

namespace
{
/// Computes C = A B.
/// @param n, k, m  A is `[n][k]`, B is `[k][m]`
std::vector<double> product(const std::vector<double> &A,
                            const std::vector<double> &B,
                            const std::size_t n,
                            const std::size_t k,
                            const std::size_t m)
{
  std::vector<double> C(n * m, 0.);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t l = 0; l < k; ++l)
      for (std::size_t j = 0; j < m; ++j)
        C[i * m + j] += A[i * k + l] * B[l * m + j];
  return C;
}

std::vector<double>
transposed(const std::vector<double> &A, const std::size_t n, const std::size_t m)
{
  std::vector<double> result(n * m);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      result[j * n + i] = A[i * m + j];
  return result;
}

/// Returns the first columns of a matrix.
/// @param A  `[n][m]`
std::vector<double> first_columns(const std::vector<double> &A,
                                  const std::size_t n,
                                  const std::size_t m,
                                  const std::size_t count)
{
  std::vector<double> result;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < count; ++j)
      result.push_back(A[i * m + j]);
  return result;
}

/// Returns an orthonormal basis of the part of the rows of `candidates` that is orthogonal to the
/// rows of `basis`, by two passes of Gram-Schmidt. Rows of which only rounding remains are left
/// out.
std::vector<std::vector<double>> complement(const std::vector<double> &candidates,
                                            const std::vector<double> &basis,
                                            const std::size_t n_rows,
                                            const std::size_t n)
{
  std::vector<std::vector<double>> rows, added;
  for (std::size_t j = 0; j < n_rows; ++j)
    rows.emplace_back(basis.begin() + static_cast<std::ptrdiff_t>(j * n),
                      basis.begin() + static_cast<std::ptrdiff_t>((j + 1) * n));
  const auto norm = [](const std::vector<double> &x) {
    return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.));
  };
  for (std::size_t j = 0; j < n_rows; ++j)
    {
      std::vector<double> x(candidates.begin() + static_cast<std::ptrdiff_t>(j * n),
                            candidates.begin() + static_cast<std::ptrdiff_t>((j + 1) * n));
      const double before = norm(x);
      for (int pass = 0; pass < 2; ++pass)
        for (const std::vector<double> &row : rows)
          {
            const double share = std::inner_product(x.begin(), x.end(), row.begin(), 0.);
            for (std::size_t i = 0; i < n; ++i)
              x[i] -= share * row[i];
          }
      const double after = norm(x);
      if (!(after > 1e-12 * before))
        continue;
      for (double &value : x)
        value /= after;
      rows.push_back(x);
      added.push_back(std::move(x));
    }
  return added;
}
} // namespace

RitzVectors lowest_ritz_vectors(const std::vector<double> &A,
                                const std::vector<double> &B,
                                const std::size_t n,
                                const std::size_t m)
{
  // T has B-orthonormal columns.
  std::vector<double> scale(n), scaled(n * n);
  for (std::size_t i = 0; i < n; ++i)
    scale[i] = B[i * n + i] > 0. ? 1. / std::sqrt(B[i * n + i]) : 0.;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      scaled[i * n + j] = scale[i] * B[i * n + j] * scale[j];
  const DenseEigen of_B = dense_eigen(scaled, n);
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < n; ++j)
    if (of_B.values[j] > 1e-4 * of_B.values.back())
      kept.push_back(j);
  const std::size_t r = kept.size();
  RitzVectors result;
  if (r < m)
    return result;
  std::vector<double> T(n * r);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < r; ++j)
      T[i * r + j] = scale[i] * of_B.vectors[i * n + kept[j]] / std::sqrt(of_B.values[kept[j]]);

  const std::vector<double> TT = transposed(T, n, r);
  std::vector<double> inner    = product(TT, product(A, T, n, n, r), r, n, r);
  for (std::size_t j = 0; j < r; ++j)
    for (std::size_t k = 0; k < j; ++k)
      inner[j * r + k] = inner[k * r + j] = 0.5 * (inner[j * r + k] + inner[k * r + j]);
  const DenseEigen ritz       = dense_eigen(inner, r);
  const std::vector<double> Z = first_columns(ritz.vectors, r, r, m);
  result.found                = true;
  result.values.assign(ritz.values.begin(), ritz.values.begin() + static_cast<std::ptrdiff_t>(m));
  result.vectors = product(T, Z, n, r, m);

  std::vector<double> steps = result.vectors;
  std::fill(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(m * m), 0.);
  const std::vector<double> in_T = product(TT, product(B, steps, n, n, m), r, n, m);
  const auto rows                = complement(transposed(in_T, r, m), transposed(Z, r, m), m, r);
  result.n_steps                 = rows.size();
  std::vector<double> columns(r * rows.size());
  for (std::size_t j = 0; j < rows.size(); ++j)
    for (std::size_t i = 0; i < r; ++i)
      columns[i * rows.size() + j] = rows[j][i];
  result.steps = product(T, columns, n, r, rows.size());
  return result;
}
} // namespace strut
