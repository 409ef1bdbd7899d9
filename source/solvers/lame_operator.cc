// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/lame_operator.h"
#include "source/element/element_stiffness.h"
#include "source/element/reference_hexahedra.h"
#include "source/mesh/identical_elements.h"

#include <strut/element/material.h>

namespace strut
{
template <typename Number>
LameOperator<Number>::LameOperator(Backend &backend,
                                   const ElementMesh &mesh,
                                   const Strategy<Number> &strategy)
  : backend_(backend)
  , lambda_(strategy.make(backend, mesh, Material::volumetric()))
  , mu_(strategy.make(backend, mesh, Material::deviatoric()))
  , work_(backend.memory(), 6 * mesh.n_nodes)
{}

template <typename Number>
void LameOperator<Number>::set_lame(const Array<double> &lambda, const Array<double> &mu)
{
  lambda_->set_stiffness(lambda);
  mu_->set_stiffness(mu);
}

template <typename Number>
void LameOperator<Number>::set_stiffness(const Array<double> &factors)
{
  set_lame(factors, factors);
}

template <typename Number>
void LameOperator<Number>::apply(const Array<Number> &x, Array<Number> &y) const
{
  lambda_->apply(x, work_);
  mu_->apply(x, y);
  backend_.vector_operations<Number>().axpy(y.size(), Number(1), work_, y);
}

template <typename Number>
void LameOperator<Number>::diagonal(Array<Number> &d) const
{
  lambda_->diagonal(work_);
  mu_->diagonal(d);
  backend_.vector_operations<Number>().axpy(d.size(), Number(1), work_, d);
}

template <typename Number>
void LameOperator<Number>::diagonal_blocks(Array<Number> &blocks) const
{
  lambda_->diagonal_blocks(work_);
  mu_->diagonal_blocks(blocks);
  backend_.vector_operations<Number>().axpy(blocks.size(), Number(1), work_, blocks);
}

template <typename Number>
void LameOperator<Number>::energies(const Array<Number> &u, Array<double> &c) const
{
  Array<double> of_lambda(backend_.memory(), c.size());
  lambda_->energies(u, of_lambda);
  mu_->energies(u, c);
  backend_.vector_operations<double>().axpy(c.size(), 1., of_lambda, c);
}

template <typename Number>
void LameOperator<Number>::energies(const Array<Number> &u,
                                    const Array<double> &lambda,
                                    const Array<double> &mu,
                                    Array<double> &c) const
{
  const auto &fields = backend_.vector_operations<double>();
  Array<double> of_lambda(backend_.memory(), c.size());
  lambda_->energies(u, of_lambda);
  mu_->energies(u, c);
  fields.multiply(c.size(), lambda, of_lambda, of_lambda);
  fields.multiply(c.size(), mu, c, c);
  fields.axpy(c.size(), 1., of_lambda, c);
}

template <typename Number>
double LameOperator<Number>::memory_estimate(const Strategy<Number> &strategy,
                                             const std::size_t n_elements,
                                             const std::size_t n_nodes)
{
  return 2. * strategy.memory_estimate(n_elements, n_nodes) +
         6. * static_cast<double>(n_nodes) * sizeof(Number);
}

template <typename Number>
OperatorCost LameOperator<Number>::cost() const
{
  const OperatorCost of_lambda = lambda_->cost(), of_mu = mu_->cost();
  const double n = static_cast<double>(work_.size()) / 2.; // DoFs
  OperatorCost cost;
  cost.bytes_per_apply = of_lambda.bytes_per_apply + of_mu.bytes_per_apply + 3 * n * sizeof(Number);
  cost.flops_per_apply = of_lambda.flops_per_apply + of_mu.flops_per_apply + n;
  cost.memory_bytes    = of_lambda.memory_bytes + of_mu.memory_bytes + 2 * n * sizeof(Number);
  return cost;
}

template <typename Number>
std::vector<Number> packed_lame_matrices(const ElementMesh &mesh,
                                         const std::vector<double> &lambda,
                                         const std::vector<double> &mu)
{
  std::vector<Number> packed;
  packed.reserve(300 * mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double X[3][8], K[24 * 24];
      shape_of(mesh, e, X);
      element_stiffness::matrix<Hex8>(X, lambda[e], mu[e], K);
      for (int column = 0; column < 24; ++column)
        for (int row = 0; row <= column; ++row)
          packed.push_back(static_cast<Number>(K[24 * row + column]));
    }
  return packed;
}

template class LameOperator<double>;
template class LameOperator<float>;
template std::vector<double> packed_lame_matrices<double>(const ElementMesh &,
                                                          const std::vector<double> &,
                                                          const std::vector<double> &);
template std::vector<float> packed_lame_matrices<float>(const ElementMesh &,
                                                        const std::vector<double> &,
                                                        const std::vector<double> &);
} // namespace strut
