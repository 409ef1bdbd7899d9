// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/stiffness.h>
#include <strut/base/array.h>

namespace strut
{
/// Stiffness relative to the solid of elements without stiffness, in the matrix of a coarse solver.
/// Otherwise DoFs of such elements would have zero rows, and connected parts without supports could
/// move freely. It makes the preconditioner definite, and changes no solution.
constexpr double stiffness_of_outside = 1e-6;

/// Diagonal matrices that are added to the stiffness, each by itself.
enum class AddedDiagonal
{
  springs, ///< SupportSprings
  shift    ///< ElasticityOperator::shift()
};

/// Solver for the stiffness system of the coarsest mesh of multigrid, exact or approximate. x
/// depends linearly on r, by a symmetric positive definite matrix.
template <typename Number>
class CoarseSolver
{
public:
  virtual ~CoarseSolver() = default;

  /// Set one of the diagonal matrices, which is added from the next stiffness on; values are on
  /// owned DoFs. Collective.
  virtual void set_diagonal(AddedDiagonal which, const Array<Number> &values) = 0;

  /// Sets the stiffness of the elements of this rank, with one point each. Throws SolverFailure if
  /// the matrix is not positive definite, unless finish() throws it. Collective.
  ///
  /// @return false if the solver does not take the law; it needs set_matrices() then
  virtual bool set(const Stiffness &stiffness) = 0;

  /// Set element matrices of this rank, upper triangles by columns: 300 numbers for each element
  /// with three components per node. Collective.
  virtual void set_matrices(const Array<Number> &packed) = 0;

  /// Complete the work of set() or set_matrices() before work that is submitted
  /// afterwards. Call it before the first solve(), which may have been recorded earlier.
  /// Collective.
  ///
  /// @throws SolverFailure with each call if the matrix is not positive definite
  virtual void finish()
  {}

  /// Whether solve() only submits work to the backend, so that a Recording can contain it.
  virtual bool only_submits() const
  {
    return false;
  }

  /// Compute x = K^-1 r on owned DoFs. x is 0 on constrained DoFs for any r. Collective.
  virtual void solve(const Array<Number> &r, Array<Number> &x) = 0;
};
} // namespace strut
