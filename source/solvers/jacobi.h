// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/solvers/preconditioner.h>

#include <memory>

namespace strut
{
/// Jacobi's preconditioner, `z_i = r_i / K_ii`. The inverse diagonal is kept in float, also for a
/// double solve: a preconditioner rounded to 7 digits is as good, and half as long to read.
template <typename Number>
class JacobiPreconditioner : public StiffnessPreconditioner<Number>
{
public:
  explicit JacobiPreconditioner(Backend &backend)
    : backend_(backend), updates_(backend.vector_operations<Number>().make_krylov_updates())
  {}

  /// Take the diagonal of the operator as it is now.
  void update(ElasticityOperator<Number> &matrix)
  {
    if (inverse_diagonal_.size() != matrix.n_local())
      inverse_diagonal_ = Array<float>(backend_.memory(), matrix.n_local());
    n_owned_ = matrix.n_owned();
    Array<Number> diagonal(backend_.memory(), matrix.n_local());
    matrix.diagonal(diagonal);
    backend_.vector_operations<Number>().reciprocal(n_owned_, diagonal, inverse_diagonal_);
  }

  void update(ElasticityOperator<Number> &matrix, const Array<double> &) override
  {
    update(matrix);
  }

  void apply(const Array<Number> &r, Array<Number> &z) override
  {
    updates_->scale(n_owned_, inverse_diagonal_, r, z);
  }

  const Array<float> *inverse_diagonal() const override
  {
    return &inverse_diagonal_;
  }

private:
  Backend &backend_;
  std::unique_ptr<KrylovUpdates<Number>> updates_;
  std::size_t n_owned_ = 0;
  Array<float> inverse_diagonal_;
};
} // namespace strut
