// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

// LOBPCG: A. V. Knyazev, SIAM J. Sci. Comput. 23 (2001) 517-541. Computes the lowest modes of K x =
// lambda M x from products with K and M and a preconditioner. It works for any vectors of deal.II
// or strut, and does not depend on strut.

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

namespace Eigenmodes
{
using namespace dealii;

// K and M as the eigensolver uses them, and an approximate inverse of K.
template <class Vector>
struct Pencil
{
  using Product = std::function<void(Vector &dst, const Vector &src)>;
  Product stiffness, mass, preconditioner;
};

// All eigenvalues of a symmetric matrix, ascending, and its eigenvectors, one per column.
inline void
diagonalise(const FullMatrix<double> &matrix, Vector<double> &values, FullMatrix<double> &vectors)
{
  LAPACKFullMatrix<double> copy(matrix.m());
  copy           = matrix;
  const double r = 2. * matrix.frobenius_norm(); // upper bound of the eigenvalues
  copy.compute_eigenvalues_symmetric(
    -r, r, 2. * std::numeric_limits<double>::min(), values, vectors);
}

// The n smallest Ritz values of a basis S from K = S^T K S and M = S^T M S. S C are the Ritz
// vectors of unit mass. If basis vectors are almost dependent, combinations of nearly no mass are
// left out.
inline std::vector<double> smallest_pairs(const FullMatrix<double> &K,
                                          FullMatrix<double> M,
                                          const unsigned int n,
                                          FullMatrix<double> &C)
{
  const unsigned int size = M.m();
  std::vector<double> scale(size);
  for (unsigned int i = 0; i < size; ++i)
    scale[i] = M(i, i) > 0. ? 1. / std::sqrt(M(i, i)) : 0.;
  for (unsigned int i = 0; i < size; ++i)
    for (unsigned int j = 0; j < size; ++j)
      M(i, j) *= scale[i] * scale[j];
  Vector<double> values;
  FullMatrix<double> vectors;
  diagonalise(M, values, vectors);

  const unsigned int first = std::lower_bound(values.begin(), values.end(), 1e-12) - values.begin();
  FullMatrix<double> T(size, size - first); // makes S T orthonormal with respect to M
  for (unsigned int i = 0; i < size; ++i)
    for (unsigned int k = 0; k < T.n(); ++k)
      T(i, k) = scale[i] * vectors(i, first + k) / std::sqrt(values(first + k));
  if (T.n() < n)
    throw std::runtime_error("The vectors of the iteration have become dependent.");
  FullMatrix<double> H(T.n(), T.n());
  H.triple_product(K, T, T, true, false);
  diagonalise(H, values, vectors);
  C.reinit(size, T.n());
  T.mmult(C, vectors);
  return {values.begin(), values.begin() + n};
}

// The Rayleigh-Ritz method on the span of x and of the active w and p. Writes the best
// approximations to x, and their differences from the previous ones to p.
template <class Vector>
std::vector<double> improve(const Pencil<Vector> &pencil,
                            std::vector<Vector> &x,
                            const std::vector<Vector> &w,
                            std::vector<Vector> &p,
                            const std::vector<unsigned int> &active)
{
  std::vector<const Vector *> basis;
  for (const Vector &v : x)
    basis.push_back(&v);
  for (const unsigned int j : active)
    basis.push_back(&w[j]);
  if (!p.empty())
    for (const unsigned int j : active)
      basis.push_back(&p[j]);
  const unsigned int size = basis.size(), n = x.size();
  FullMatrix<double> K(size, size), M(size, size), C;
  Vector product(x[0]);
  for (unsigned int j = 0; j < size; ++j)
    {
      pencil.stiffness(product, *basis[j]);
      for (unsigned int i = 0; i <= j; ++i)
        K(i, j) = K(j, i) = *basis[i] * product;
      pencil.mass(product, *basis[j]);
      for (unsigned int i = 0; i <= j; ++i)
        M(i, j) = M(j, i) = *basis[i] * product;
    }
  const std::vector<double> lambda = smallest_pairs(K, M, n, C);

  std::vector<Vector> new_x(n, x[0]), new_p(n, x[0]);
  for (unsigned int j = 0; j < n; ++j)
    {
      new_p[j] = 0.;
      for (unsigned int i = n; i < size; ++i)
        new_p[j].add(C(i, j), *basis[i]);
      new_x[j] = new_p[j];
      for (unsigned int i = 0; i < n; ++i)
        new_x[j].add(C(i, j), x[i]);
    }
  x.swap(new_x);
  if (size > n) // otherwise there is no direction yet
    p.swap(new_p);
  return lambda;
}

// Starts with x, and writes the modes to it, of unit mass, in ascending order of their eigenvalues.
// Ends when all residuals satisfy |K x - lambda M x| < tolerance lambda |M x|.
template <class Vector>
std::vector<double> lobpcg(const Pencil<Vector> &pencil,
                           std::vector<Vector> &x,
                           const double tolerance,
                           unsigned int &n_iterations)
{
  std::vector<Vector> w(x), p;
  std::vector<double> lambda = improve(pencil, x, w, p, {});
  Vector residual(x[0]), mx(x[0]);
  for (n_iterations = 0; n_iterations < 500; ++n_iterations)
    {
      std::vector<unsigned int> active; // corrections of the others would be rounding errors
      for (unsigned int j = 0; j < x.size(); ++j)
        {
          pencil.stiffness(residual, x[j]);
          pencil.mass(mx, x[j]);
          residual.add(-lambda[j], mx);
          if (residual.l2_norm() < tolerance * lambda[j] * mx.l2_norm())
            continue;
          pencil.preconditioner(w[j], residual);
          active.push_back(j);
        }
      if (active.empty())
        return lambda;
      lambda = improve(pencil, x, w, p, active);
    }
  throw std::runtime_error("LOBPCG did not converge in 500 iterations.");
}
} // namespace Eigenmodes
