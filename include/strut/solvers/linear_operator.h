// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

#include <cstddef>

namespace strut
{
/// A symmetric positive definite operator on distributed vectors: the interface for solvers.
template <typename Number>
class LinearOperator
{
public:
  virtual ~LinearOperator() = default;

  /// y = A x on owned entries. The ghost entries of x are refreshed; those of y are undefined.
  virtual void apply(Array<Number> &x, Array<Number> &y) = 0;

  /// Entries of a vector on this rank, and how many of them (the first ones) it owns.
  virtual std::size_t n_local() const = 0;
  virtual std::size_t n_owned() const = 0;
};

/// An approximation of the inverse of an operator, symmetric and positive definite.
template <typename Number>
class Preconditioner
{
public:
  virtual ~Preconditioner() = default;

  /// z = M^-1 r on owned entries.
  virtual void apply(const Array<Number> &r, Array<Number> &z) = 0;

  /// If M is diagonal: d with `(M^-1 r)_i = d_i r_i`, on owned entries. A solver then need not store
  /// z, and does not call apply(). Else null.
  virtual const Array<float> *inverse_diagonal() const
  {
    return nullptr;
  }
};
} // namespace strut
