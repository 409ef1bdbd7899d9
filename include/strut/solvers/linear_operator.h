// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/base/exceptions.h>

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

  /// Whether there is apply_to_float() now, on all ranks or on none.
  virtual bool takes_float() const
  {
    return false;
  }

  /// The same for an x in float, as apply() gives it for these numbers.
  virtual void apply_to_float(Array<float> &, Array<Number> &)
  {
    throw Error("This operator takes no vectors in float.");
  }

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

  /// Whether there is apply_in_float(), on all ranks or on none.
  virtual bool gives_float() const
  {
    return false;
  }

  /// z = M^-1 r on owned entries, in the place of a preconditioner that computes in float. z stays until the next apply().
  virtual const Array<float> &apply_in_float(const Array<Number> &)
  {
    throw Error("This preconditioner does not compute in float.");
  }

  /// If M is diagonal: d with `(M^-1 r)_i = d_i r_i`, on owned entries. A solver then need not store
  /// z, and does not call apply(). Else null.
  virtual const Array<float> *inverse_diagonal() const
  {
    return nullptr;
  }
};
} // namespace strut
