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

  /// Whether apply_to_float() is available now, on all ranks or on none.
  virtual bool takes_float() const
  {
    return false;
  }

  /// y = A x for an x in float, with the result that apply() gives for the same numbers.
  virtual void apply_to_float(Array<float> &, Array<Number> &)
  {
    throw Error("This operator takes no vectors in float.");
  }

  /// The number of entries of a vector on this rank, and the number of owned ones, which come
  /// first.
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

  /// Whether apply_in_float() is available, on all ranks or on none.
  virtual bool gives_float() const
  {
    return false;
  }

  /// Returns z = M^-1 r on owned entries, in the memory of a preconditioner that computes in float.
  /// z is valid until the next apply().
  virtual const Array<float> &apply_in_float(const Array<Number> &)
  {
    throw Error("This preconditioner does not compute in float.");
  }

  /// For a diagonal M, returns d with `(M^-1 r)_i = d_i r_i`, on owned entries; else null. With it
  /// a solver need not store z, and does not call apply().
  virtual const Array<float> *inverse_diagonal() const
  {
    return nullptr;
  }
};
} // namespace strut
