// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/operators/elasticity_operator.h>
#include <strut/solvers/linear_operator.h>

namespace strut
{
/// Jacobi's preconditioner, `z_i = r_i / K_ii`.
template <typename Number>
class JacobiPreconditioner : public Preconditioner<Number>
{
public:
  explicit JacobiPreconditioner(Backend &backend) : backend_(backend)
  {}

  /// Take the diagonal of the operator as it is now.
  void update(ElasticityOperator<Number> &matrix)
  {
    if (diagonal_.size() != matrix.n_local())
      diagonal_ = Array<Number>(backend_.memory(), matrix.n_local());
    n_owned_ = matrix.n_owned();
    matrix.diagonal(diagonal_);
  }

  void apply(const Array<Number> &r, Array<Number> &z) override
  {
    backend_.vector_operations<Number>().divide(n_owned_, r, diagonal_, z);
  }

private:
  Backend &backend_;
  std::size_t n_owned_ = 0;
  Array<Number> diagonal_;
};
} // namespace strut
