// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/eigen/lobpcg.h"
#include "source/solvers/eigen/dense_eigen.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace strut
{
namespace
{
/// Number of iterations after which products of X are computed anew. Repeated sums keep the
/// rounding of the first, large vectors.
constexpr unsigned int refresh_every = 10;

/// Tolerance from which on sums of so many products are exact enough to end with.
constexpr double least_of_sums = 1e-8;

/// Number of vectors that VectorOperations::dots() reads once for all of their products.
constexpr std::size_t tile = 4;

std::vector<const Array<double> *>
listed(const std::vector<const std::vector<Array<double>> *> &lists)
{
  std::vector<const Array<double> *> all;
  for (const std::vector<Array<double>> *const list : lists)
    for (const Array<double> &vector : *list)
      all.push_back(&vector);
  return all;
}
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

void Lobpcg::give_back(Block &block)
{
  for (Vectors *const part : {&block.x, &block.Kx, &block.Mx})
    give_back(*part);
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

/// Returns all products of the vectors on the left with those on the right, `[n_left][n_right]`.
std::vector<double> Lobpcg::gram(const std::vector<const Vectors *> &left,
                                 const std::vector<const Vectors *> &right) const
{
  std::vector<double> sums =
    backend_.vector_operations<double>().dots(n_owned_, listed(left), listed(right));
  communicator_.sum(sums.data(), sums.size());
  return sums;
}

std::vector<double> Lobpcg::symmetric_gram(const std::vector<const Vectors *> &x,
                                           const std::vector<const Vectors *> &y) const
{
  const std::vector<const Array<double> *> left = listed(x), right = listed(y);
  const std::size_t n = left.size();
  std::vector<double> A(n * n, 0.);
  for (std::size_t first = 0; first < n; first += tile)
    {
      const std::size_t end = std::min(first + tile, n);
      const std::vector<const Array<double> *> few(left.begin() +
                                                     static_cast<std::ptrdiff_t>(first),
                                                   left.begin() + static_cast<std::ptrdiff_t>(end)),
        rest(right.begin() + static_cast<std::ptrdiff_t>(first), right.end());
      const std::vector<double> sums =
        backend_.vector_operations<double>().dots(n_owned_, few, rest);
      for (std::size_t i = first; i < end; ++i)
        for (std::size_t j = first; j < n; ++j)
          A[i * n + j] = sums[(i - first) * (n - first) + j - first];
    }
  communicator_.sum(A.data(), A.size());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      {
        const bool has_both = i / tile == j / tile;
        const double value  = has_both ? 0.5 * (A[i * n + j] + A[j * n + i]) : A[j * n + i];
        A[i * n + j] = A[j * n + i] = value;
      }
  return A;
}

std::vector<double> Lobpcg::products(const Vectors &x, const Vectors &y) const
{
  std::vector<double> sums; // All products of a tile cost no more than the needed ones.
  for (std::size_t first = 0; first < x.size(); first += tile)
    {
      std::vector<const Array<double> *> left, right;
      for (std::size_t j = first; j < std::min(first + tile, x.size()); ++j)
        {
          left.push_back(&x[j]);
          right.push_back(&y[j]);
        }
      const std::vector<double> all =
        backend_.vector_operations<double>().dots(n_owned_, left, right);
      for (std::size_t j = 0; j < left.size(); ++j)
        sums.push_back(all[j * left.size() + j]);
    }
  communicator_.sum(sums.data(), sums.size());
  return sums;
}

/// Makes vectors orthogonal in M to two blocks, which are orthonormal together.
void Lobpcg::orthogonalise(const Block &X, const Block &P, Vectors &w)
{
  const std::size_t n = X.x.size() + P.x.size(), m = w.size();
  if (m == 0)
    return;
  const std::vector<double> shares = gram({&X.Mx, &P.Mx}, {&w});
  std::vector<double> coefficients((n + m) * m, 0.); // Coefficients of w_j - sum_i shares_ij x_i.
  for (std::size_t i = 0; i < n * m; ++i)
    coefficients[i] = -shares[i];
  for (std::size_t j = 0; j < m; ++j)
    coefficients[(n + j) * m + j] = 1.;
  Vectors rest = combine(coefficients, m, {&X.x, &P.x, &w});
  give_back(w);
  w = std::move(rest);
}

/// Computes y_j = sum_i c_ij s_i for the n columns of c and the vectors s of the basis.
Lobpcg::Vectors Lobpcg::combine(const std::vector<double> &coefficients,
                                const std::size_t n,
                                const std::vector<const Vectors *> &basis)
{
  Vectors result;
  std::vector<Array<double> *> to;
  for (std::size_t j = 0; j < n; ++j)
    result.push_back(take());
  for (Array<double> &vector : result)
    to.push_back(&vector);
  backend_.vector_operations<double>().combine(n_owned_, coefficients, listed(basis), to);
  return result;
}

/// Computes the lowest Ritz vectors of X, W and P into X, and the steps to them into P, orthonormal
/// in M and orthogonal to X.
/// @param report  gets the values, whether there are as many vectors as X has, and whether they are
///   finite
void Lobpcg::ritz_step(Block &X, const Block &W, Block &P, Report &report)
{
  const std::size_t m = X.x.size(), n = m + W.x.size() + P.x.size();
  const std::vector<double> K = symmetric_gram({&X.x, &W.x, &P.x}, {&X.Kx, &W.Kx, &P.Kx});
  const std::vector<double> M = symmetric_gram({&X.x, &W.x, &P.x}, {&X.Mx, &W.Mx, &P.Mx});
  const auto is_number        = [](const double value) { return std::isfinite(value); };
  report.is_finite =
    std::all_of(K.begin(), K.end(), is_number) && std::all_of(M.begin(), M.end(), is_number);
  report.found = false;
  if (!report.is_finite) // Numbers that are not finite cannot be sorted.
    return;
  const RitzVectors ritz = lowest_ritz_vectors(K, M, n, m);
  report.found           = ritz.found;
  if (!ritz.found)
    return;
  report.values = ritz.values;
  // Vectors and steps are computed in one pass over the basis.
  const std::size_t n_steps = ritz.n_steps, n_new = m + n_steps;
  std::vector<double> coefficients(n * n_new);
  for (std::size_t i = 0; i < n; ++i)
    {
      for (std::size_t j = 0; j < m; ++j)
        coefficients[i * n_new + j] = ritz.vectors[i * m + j];
      for (std::size_t j = 0; j < n_steps; ++j)
        coefficients[i * n_new + m + j] = ritz.steps[i * n_steps + j];
    }
  const auto update = [&](Vectors &x, const Vectors &w, Vectors &p) {
    Vectors next = combine(coefficients, n_new, {&x, &w, &p});
    give_back(x);
    give_back(p);
    const auto middle = next.begin() + static_cast<std::ptrdiff_t>(m);
    x.assign(std::make_move_iterator(next.begin()), std::make_move_iterator(middle));
    p.assign(std::make_move_iterator(middle), std::make_move_iterator(next.end()));
  };
  update(X.x, W.x, P.x);
  update(X.Kx, W.Kx, P.Kx);
  update(X.Mx, W.Mx, P.Mx);
}

/// Computes Rayleigh quotients. They are more accurate than eigenvalues of a Gram matrix, whose
/// large entries round the small ones.
std::vector<double> Lobpcg::rayleigh_quotients(const Block &X) const
{
  std::vector<double> values        = products(X.x, X.Kx);
  const std::vector<double> of_mass = products(X.x, X.Mx);
  for (std::size_t j = 0; j < values.size(); ++j)
    values[j] /= of_mass[j];
  return values;
}

/// Computes the preconditioned residuals, `.x`, and the residuals, `.Kx`, of some vectors.
/// @param which  numbers of the vectors
/// @param norms  gets the norms of their residuals as in Report
Lobpcg::Block Lobpcg::residuals(const Operators &operators,
                                const Block &X,
                                const std::vector<double> &values,
                                const std::vector<std::size_t> &which,
                                std::vector<double> &norms)
{
  const auto &vectors = backend_.vector_operations<double>();
  Block W             = make_block(which.size());
  for (std::size_t i = 0; i < which.size(); ++i)
    {
      W.Kx[i].copy_from(X.Kx[which[i]]);
      vectors.axpy(n_owned_, -values[which[i]], X.Mx[which[i]], W.Kx[i]);
      operators.precondition(W.Kx[i], W.x[i]);
    }
  const std::vector<double> squares = products(W.x, W.Kx); // x . K x is the eigenvalue.
  for (std::size_t i = 0; i < which.size(); ++i)
    norms[which[i]] = std::sqrt(std::abs(squares[i] / values[which[i]]));
  return W;
}

/// Takes the directions of the vectors that have not converged out of the block. The others get no
/// new directions, and still take part in the Ritz step. A margin keeps them converged while their
/// neighbours turn.
/// @param W, which  residuals(); `which` keeps the vectors that are taken
Lobpcg::Block Lobpcg::take_active(Block &W,
                                  const std::vector<double> &norms,
                                  const Control &control,
                                  std::vector<std::size_t> &which)
{
  constexpr double margin = 0.1;
  Block active, idle;
  std::vector<std::size_t> taken;
  for (std::size_t i = 0; i < which.size(); ++i)
    {
      const bool is_active = norms[which[i]] > margin * control.tolerance_of(which[i]);
      Block &to            = is_active ? active : idle;
      if (is_active)
        taken.push_back(which[i]);
      to.x.push_back(std::move(W.x[i]));
      to.Kx.push_back(std::move(W.Kx[i]));
      to.Mx.push_back(std::move(W.Mx[i]));
    }
  W     = std::move(idle);
  which = std::move(taken);
  return active;
}

Lobpcg::Report Lobpcg::solve(const Operators &operators, const Control &control, Vectors &begin)
{
  Block X, more, P;
  X.x.swap(begin);
  if (control.n_of_block > 0 && control.n_of_block < X.x.size())
    {
      const auto end = X.x.begin() + static_cast<std::ptrdiff_t>(control.n_of_block);
      more.x.assign(std::make_move_iterator(end), std::make_move_iterator(X.x.end()));
      X.x.erase(end, X.x.end());
    }
  for (Block *const block : {&X, &more})
    {
      for (Vectors *const products_of_block : {&block->Kx, &block->Mx})
        while (products_of_block->size() < block->x.size())
          products_of_block->push_back(take());
      apply(operators, *block);
    }
  Report report;
  bool is_fresh = true; // Whether the products of X are fresh, not sums of sums.
  ritz_step(X, more, P, report);
  give_back(P); // There are no steps yet.
  if (report.found)
    give_back(more);
  std::vector<std::size_t> all(X.x.size());
  std::iota(all.begin(), all.end(), std::size_t(0));
  std::vector<std::size_t> which = all; // Vectors whose residuals are computed.
  std::vector<double> norms(all.size());
  while (report.found)
    {
      Block W                  = residuals(operators, X, report.values, which, norms);
      const auto has_converged = [&](const std::size_t j) {
        return norms[j] <= control.tolerance_of(j);
      };
      report.converged = std::all_of(all.begin(), all.end(), has_converged);
      if (report.converged && which.size() < all.size())
        {
          // Neighbours have turned the others since their residuals were computed.
          std::vector<std::size_t> others;
          std::set_difference(
            all.begin(), all.end(), which.begin(), which.end(), std::back_inserter(others));
          Block rest = residuals(operators, X, report.values, others, norms);
          give_back(rest);
          which            = all;
          report.converged = std::all_of(all.begin(), all.end(), has_converged);
          if (!report.converged)
            {
              give_back(W);
              continue;
            }
        }
      report.residual =
        *std::max_element(norms.begin(),
                          norms.begin() + static_cast<std::ptrdiff_t>(control.n_wanted));
      const bool refresh = !is_fresh && report.iterations % refresh_every == 0;
      if (refresh || (report.converged && !is_fresh && control.tolerance < least_of_sums))
        {
          which = all;
          apply(operators, X);
          if (refresh)
            apply(operators, P);
          report.values = rayleigh_quotients(X);
          is_fresh      = true;
          give_back(W);
          continue;
        }
      // With numbers that are not finite further iterations are useless.
      if (report.converged || report.iterations == control.max_iterations ||
          !std::all_of(norms.begin(), norms.end(), [](const double norm) {
            return std::isfinite(norm);
          }))
        {
          give_back(W);
          break;
        }
      ++report.iterations;
      Block active = take_active(W, norms, control, which);
      give_back(W);
      for (int pass = 0; pass < 2; ++pass) // The second pass removes what rounding left.
        orthogonalise(X, P, active.x);
      apply(operators, active);
      ritz_step(X, active, P, report);
      is_fresh = false;
      give_back(active);
    }
  if (report.found && !is_fresh)
    report.values = rayleigh_quotients(X);
  give_back(P);
  begin.swap(X.x);
  std::move(more.x.begin(), more.x.end(), std::back_inserter(begin));
  more.x.clear();
  give_back(X);
  give_back(more);
  return report;
}
} // namespace strut
