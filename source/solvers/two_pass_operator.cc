// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/two_pass_operator.h"

#include <strut/element/material.h>

namespace strut
{
template <typename Number>
TwoPassOperator<Number>::TwoPassOperator(Backend &backend,
                                         const ElementMesh &mesh,
                                         const Strategy<Number> &strategy,
                                         const Formulation formulation)
  : backend_(backend)
  , lambda_(strategy.make(backend, mesh, Material::volumetric(formulation)))
  , mu_(strategy.make(backend, mesh, Material::deviatoric()))
  , work_(backend.memory(), 6 * mesh.n_nodes)
{}

template <typename Number>
void TwoPassOperator<Number>::set_stiffness(const Array<double> &factors)
{
  lambda_->set_stiffness(factors);
  mu_->set_stiffness(factors);
}

template <typename Number>
void TwoPassOperator<Number>::set(const ElementMesh &, const Stiffness &stiffness)
{
  Array<double> work;
  lambda_->set_stiffness(stiffness.component(0, 0, work));
  mu_->set_stiffness(stiffness.component(0, 1, work));
}

template <typename Number>
void TwoPassOperator<Number>::apply(const Array<Number> &x, Array<Number> &y) const
{
  lambda_->apply(x, work_);
  mu_->apply(x, y);
  backend_.vector_operations<Number>().axpy(y.size(), Number(1), work_, y);
}

template <typename Number>
void TwoPassOperator<Number>::diagonal(Array<Number> &d) const
{
  lambda_->diagonal(work_);
  mu_->diagonal(d);
  backend_.vector_operations<Number>().axpy(d.size(), Number(1), work_, d);
}

template <typename Number>
void TwoPassOperator<Number>::diagonal_blocks(Array<Number> &blocks) const
{
  lambda_->diagonal_blocks(work_);
  mu_->diagonal_blocks(blocks);
  backend_.vector_operations<Number>().axpy(blocks.size(), Number(1), work_, blocks);
}

template <typename Number>
void TwoPassOperator<Number>::energies(const Array<Number> &u, Array<double> &c) const
{
  Array<double> ones(backend_.memory(), c.size());
  backend_.vector_operations<double>().fill(c.size(), 1., ones);
  energies_of(Stiffness::of_lame(ones, ones), u, c);
}

template <typename Number>
void TwoPassOperator<Number>::energies_of(const Stiffness &stiffness,
                                          const Array<Number> &u,
                                          Array<double> &c) const
{
  const auto &fields = backend_.vector_operations<double>();
  Array<double> of_lambda(backend_.memory(), c.size()), work;
  lambda_->energies(u, of_lambda);
  mu_->energies(u, c);
  fields.multiply(c.size(), stiffness.component(0, 0, work), of_lambda, of_lambda);
  fields.multiply(c.size(), stiffness.component(0, 1, work), c, c);
  fields.axpy(c.size(), 1., of_lambda, c);
}

template <typename Number>
OperatorCost TwoPassOperator<Number>::cost() const
{
  const OperatorCost of_lambda = lambda_->cost(), of_mu = mu_->cost();
  const double n = static_cast<double>(work_.size()) / 2.; // Number of DoFs.
  OperatorCost cost;
  cost.bytes_per_apply = of_lambda.bytes_per_apply + of_mu.bytes_per_apply + 3 * n * sizeof(Number);
  cost.flops_per_apply = of_lambda.flops_per_apply + of_mu.flops_per_apply + n;
  cost.memory_bytes    = of_lambda.memory_bytes + of_mu.memory_bytes + 2 * n * sizeof(Number);
  return cost;
}

template class TwoPassOperator<double>;
template class TwoPassOperator<float>;
} // namespace strut
