// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/krylov_updates.h"

#include <strut/solvers/krylov/preconditioner.h>

#include <memory>

namespace strut
{
/// The inverse diagonal of an operator, `z_i = r_i / K_ii`. It is kept in float for double solves
/// as well: a preconditioner rounded to 7 digits is as good, and half as long to read.
template <typename Number>
class InverseDiagonal
{
public:
  explicit InverseDiagonal(Backend &backend)
    : backend_(backend), updates_(backend.vector_operations<Number>().make_krylov_updates())
  {}

  /// Read the current diagonal.
  /// @param matrix  with n_local(), n_owned() and diagonal()
  template <typename Operator>
  void update(Operator &matrix)
  {
    if (values_.size() != matrix.n_local())
      values_ = Array<float>(backend_.memory(), matrix.n_local());
    n_owned_ = matrix.n_owned();
    Array<Number> diagonal(backend_.memory(), matrix.n_local());
    matrix.diagonal(diagonal);
    backend_.vector_operations<Number>().reciprocal(n_owned_, diagonal, values_);
  }

  void apply(const Array<Number> &r, Array<Number> &z)
  {
    updates_->scale(n_owned_, values_, r, z);
  }

  const Array<float> &values() const
  {
    return values_;
  }

private:
  Backend &backend_;
  std::unique_ptr<KrylovUpdates<Number>> updates_;
  std::size_t n_owned_ = 0;
  Array<float> values_;
};

/// Jacobi's preconditioner of the stiffness.
template <typename Number>
class JacobiPreconditioner : public StiffnessPreconditioner<Number>
{
public:
  explicit JacobiPreconditioner(Backend &backend) : inverse_(backend)
  {}

  /// Read the current diagonal of the operator.
  void update(ElasticityOperator<Number> &matrix)
  {
    inverse_.update(matrix);
  }

  void update(ElasticityOperator<Number> &matrix, const Array<double> &) override
  {
    update(matrix);
  }

  void apply(const Array<Number> &r, Array<Number> &z) override
  {
    inverse_.apply(r, z);
  }

  const Array<float> *inverse_diagonal() const override
  {
    return &inverse_.values();
  }

private:
  InverseDiagonal<Number> inverse_;
};
} // namespace strut
