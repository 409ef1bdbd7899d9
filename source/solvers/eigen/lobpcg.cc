// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/eigen/lobpcg.h"
#include "source/solvers/eigen/dense_eigen.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace strut
{
namespace
{
/// Iterations between products of X and P anew: sums of sums keep the rounding of the first, large ones.
constexpr unsigned int refresh_every = 10;
} // namespace

Lobpcg::Lobpcg(Backend &backend,
               const Communicator &communicator,
               const std::size_t n_local,
               const std::size_t n_owned)
  : backend_(backend), communicator_(communicator), n_local_(n_local), n_owned_(n_owned)
{}

Array<double> Lobpcg::take()
{
  if (spare_.empty())
    return Array<double>(backend_.memory(), n_local_);
  Array<double> vector = std::move(spare_.back());
  spare_.pop_back();
  return vector;
}

void Lobpcg::give_back(Vectors &vectors)
{
  for (Array<double> &vector : vectors)
    spare_.push_back(std::move(vector));
  vectors.clear();
}

Lobpcg::Block Lobpcg::make_block(const std::size_t n)
{
  Block block;
  for (Vectors *const vectors : {&block.x, &block.Kx, &block.Mx})
    for (std::size_t j = 0; j < n; ++j)
      vectors->push_back(take());
  return block;
}

void Lobpcg::apply(const Operators &operators, Block &block) const
{
  for (std::size_t j = 0; j < block.x.size(); ++j)
    {
      operators.stiffness(block.x[j], block.Kx[j]);
      operators.mass(block.x[j], block.Mx[j]);
    }
}

/// All products of the vectors on the left with those on the right, `[n_left][n_right]`.
std::vector<double> Lobpcg::gram(const std::vector<const Vectors *> &left,
                                 const std::vector<const Vectors *> &right) const
{
  const auto &vectors = backend_.vector_operations<double>();
  std::vector<double> sums;
  for (const Vectors *const of_left : left)
    for (const Array<double> &x : *of_left)
      for (const Vectors *const of_right : right)
        for (const Array<double> &y : *of_right)
          sums.push_back(vectors.dot(n_owned_, x, y));
  communicator_.sum(sums.data(), sums.size());
  return sums;
}

/// Vectors become orthogonal in M to those of a block, which are orthonormal.
void Lobpcg::orthogonalise(const Block &X, Vectors &w) const
{
  const auto &vectors              = backend_.vector_operations<double>();
  const std::vector<double> shares = gram({&w}, {&X.Mx});
  for (std::size_t j = 0; j < w.size(); ++j)
    for (std::size_t i = 0; i < X.x.size(); ++i)
      vectors.axpy(n_owned_, -shares[j * X.x.size() + i], X.x[i], w[j]);
}

/// y_j = sum_i c_ij s_i for the n columns of c and the vectors s of the basis.
Lobpcg::Vectors Lobpcg::combine(const std::vector<double> &coefficients,
                                const std::size_t n,
                                const std::vector<const Vectors *> &basis)
{
  const auto &vectors = backend_.vector_operations<double>();
  Vectors result;
  for (std::size_t j = 0; j < n; ++j)
    {
      Array<double> sum = take();
      sum.set_zero();
      std::size_t i = 0;
      for (const Vectors *const part : basis)
        for (const Array<double> &vector : *part)
          vectors.axpy(n_owned_, coefficients[i++ * n + j], vector, sum);
      result.push_back(std::move(sum));
    }
  return result;
}

/// X becomes the lowest Ritz vectors of X, W and P, and P the steps to them, orthonormal in M and orthogonal to X.
/// @return whether there are as many as X has
bool Lobpcg::ritz_step(Block &X, const Block &W, Block &P, std::vector<double> &values)
{
  const std::size_t m = X.x.size(), n = m + W.x.size() + P.x.size();
  const auto symmetric = [n](std::vector<double> A) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        A[i * n + j] = A[j * n + i] = 0.5 * (A[i * n + j] + A[j * n + i]);
    return A;
  };
  const std::vector<double> K = symmetric(gram({&X.x, &W.x, &P.x}, {&X.Kx, &W.Kx, &P.Kx}));
  const std::vector<double> M = symmetric(gram({&X.x, &W.x, &P.x}, {&X.Mx, &W.Mx, &P.Mx}));
  const RitzVectors ritz      = lowest_ritz_vectors(K, M, n, m);
  if (!ritz.found)
    return false;
  values            = ritz.values;
  const auto update = [&](Vectors &x, const Vectors &w, Vectors &p) {
    Vectors next  = combine(ritz.vectors, m, {&x, &w, &p});
    Vectors steps = combine(ritz.steps, ritz.n_steps, {&x, &w, &p});
    give_back(x);
    give_back(p);
    x = std::move(next);
    p = std::move(steps);
  };
  update(X.x, W.x, P.x);
  update(X.Kx, W.Kx, P.Kx);
  update(X.Mx, W.Mx, P.Mx);
  return true;
}

Lobpcg::Report Lobpcg::solve(const Operators &operators, const Control &control, Vectors &begin)
{
  const auto &vectors = backend_.vector_operations<double>();
  const std::size_t m = begin.size();
  const auto drop     = [this](Block &block) {
    for (Vectors *const part : {&block.x, &block.Kx, &block.Mx})
      give_back(*part);
  };
  Block X = make_block(m), W, P;
  X.x.swap(begin);
  apply(operators, X);
  Report report;
  bool is_fresh = true; // whether the products are more than sums of sums
  bool found    = ritz_step(X, W, P, report.values);
  drop(P); // zero
  while (found)
    {
      // the residuals, in the places of products
      W = make_block(m);
      std::vector<double> norms;
      for (std::size_t j = 0; j < m; ++j)
        {
          Array<double> &r = W.Kx[j];
          r.copy_from(X.Kx[j]);
          vectors.axpy(n_owned_, -report.values[j], X.Mx[j], r);
          norms.push_back(vectors.dot(n_owned_, r, r));
          norms.push_back(vectors.dot(n_owned_, X.Kx[j], X.Kx[j]));
        }
      communicator_.sum(norms.data(), norms.size());
      std::vector<double> residuals;
      for (std::size_t j = 0; j < m; ++j)
        residuals.push_back(std::sqrt(norms[2 * j] / norms[2 * j + 1]));
      report.residual =
        *std::max_element(residuals.begin(),
                          residuals.begin() + static_cast<std::ptrdiff_t>(control.n_wanted));
      report.converged = report.residual <= control.tolerance;
      if (!is_fresh && (report.converged || report.iterations % refresh_every == 0))
        {
          apply(operators, X);
          apply(operators, P);
          is_fresh = true;
          drop(W);
          continue;
        }
      if (report.converged || report.iterations == control.max_iterations)
        break;
      ++report.iterations;
      // Those that are good enough get no direction of their own, and still take part in the Ritz step.
      Block active;
      for (std::size_t j = 0; j < m; ++j)
        if (residuals[j] > control.tolerance)
          {
            operators.precondition(W.Kx[j], W.x[j]);
            active.x.push_back(std::move(W.x[j]));
            active.Kx.push_back(std::move(W.Kx[j]));
            active.Mx.push_back(std::move(W.Mx[j]));
          }
      for (int pass = 0; pass < 2; ++pass) // the second for what rounding left
        for (const Block *const block : {&X, &P})
          orthogonalise(*block, active.x);
      apply(operators, active);
      found    = ritz_step(X, active, P, report.values);
      is_fresh = false;
      drop(active);
      for (Vectors *const part : {&W.x, &W.Kx, &W.Mx})
        part->erase(std::remove_if(part->begin(),
                                   part->end(),
                                   [](const Array<double> &vector) { return vector.empty(); }),
                    part->end());
      drop(W);
    }
  drop(W);
  drop(P);
  begin.swap(X.x);
  drop(X);
  return report;
}
} // namespace strut
