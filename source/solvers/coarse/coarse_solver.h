// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/tangent_elements.h>
#include <strut/base/array.h>

#include <cstddef>

namespace strut
{
/// Stiffness that an element without any gets in the matrix of a coarse solver, relative to the
/// solid: its DoFs would have zero rows, and parts that hang together with no support would be
/// free. It makes the preconditioner definite, and changes no solution.
constexpr double stiffness_of_outside = 1e-6;

/// Solves the stiffness system of the coarsest mesh that multigrid uses, exactly or about; x
/// depends linearly on r, by a symmetric positive definite matrix.
template <typename Number>
class CoarseSolver
{
public:
  virtual ~CoarseSolver() = default;

  /// Springs to add to the diagonal from the next set_ on, on owned DoFs. Collective.
  virtual void set_springs(const Array<Number> &springs) = 0;

  /// Another diagonal matrix to add, besides the springs. Collective.
  virtual void set_shift(const Array<Number> &shift) = 0;

  /// Take on these stiffness factors, `[n_elements]` of this rank. Collective.
  ///
  /// @throws SolverFailure if the matrix is not positive definite, unless finish() does
  virtual void set_stiffness(const Array<double> &factors) = 0;

  /// The same with Lame's parameters, `[n_elements]` of this rank. Unless overridden it does not
  /// take them, and gets the matrices.
  /// @return whether it takes them
  virtual bool set_lame(const Array<double> & /*lambda*/, const Array<double> & /*mu*/)
  {
    return false;
  }

  /// The same with one tangent for each of the n_elements of this rank. @return as set_lame()
  virtual bool set_tangents(std::size_t /*n_elements*/, const TangentFields & /*fields*/)
  {
    return false;
  }

  /// The same with element matrices of this rank, `[n_elements][300]`, upper triangles by columns.
  /// Collective.
  virtual void set_matrices(const Array<Number> &packed) = 0;

  /// What set_stiffness() and the like have begun is done before the work that is submitted from
  /// now on. Comes before the first solve(), which may have been recorded before. Collective.
  ///
  /// @throws SolverFailure if the matrix is not positive definite, with each call
  virtual void finish()
  {}

  /// Whether solve() only submits work to the backend, so that a Recording can have it.
  virtual bool only_submits() const
  {
    return false;
  }

  /// x = K^-1 r on owned DoFs; 0 on constrained ones, whatever r holds there. Collective.
  virtual void solve(const Array<Number> &r, Array<Number> &x) = 0;
};
} // namespace strut
