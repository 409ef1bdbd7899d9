// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/lame_operator.h"
#include "source/element/element_stiffness.h"
#include "source/element/reference_hexahedra.h"
#include "source/element/volumetric_part.h"
#include "source/mesh/identical_elements.h"

#include <strut/element/material.h>

namespace strut
{
template <typename Number>
LameOperator<Number>::LameOperator(Backend &backend,
                                   const ElementMesh &mesh,
                                   const Strategy<Number> &strategy,
                                   const VolumetricIntegration volumetric_integration)
  : backend_(backend)
  , mesh_(mesh)
  , lambda_(strategy.make(backend, mesh, volumetric_part(volumetric_integration)))
  , both_(dynamic_cast<LameElements<Number> *>(lambda_.get()))
{
  if (both_ != nullptr)
    return;
  mu_   = strategy.make(backend, mesh, Material::deviatoric());
  work_ = Array<Number>(backend.memory(), 6 * mesh.n_nodes);
}

template <typename Number>
void LameOperator<Number>::set_lame(const Array<double> &lambda, const Array<double> &mu)
{
  if (both_ != nullptr)
    return both_->set_lame(mesh_, lambda, mu);
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
  if (both_ != nullptr)
    return lambda_->apply(x, y);
  lambda_->apply(x, work_);
  mu_->apply(x, y);
  backend_.vector_operations<Number>().axpy(y.size(), Number(1), work_, y);
}

template <typename Number>
bool LameOperator<Number>::takes_float() const
{
  return both_ != nullptr && lambda_->takes_float();
}

template <typename Number>
void LameOperator<Number>::apply_to_float(const Array<float> &x, Array<Number> &y) const
{
  if (both_ == nullptr)
    return ElementOperator<Number>::apply_to_float(x, y);
  lambda_->apply_to_float(x, y);
}

template <typename Number>
bool LameOperator<Number>::can_subtract() const
{
  return both_ != nullptr && lambda_->can_subtract();
}

template <typename Number>
void LameOperator<Number>::subtract(const Array<Number> &x, Array<Number> &y) const
{
  if (both_ == nullptr)
    return ElementOperator<Number>::subtract(x, y);
  lambda_->subtract(x, y);
}

template <typename Number>
void LameOperator<Number>::diagonal(Array<Number> &d) const
{
  if (both_ != nullptr)
    return lambda_->diagonal(d);
  lambda_->diagonal(work_);
  mu_->diagonal(d);
  backend_.vector_operations<Number>().axpy(d.size(), Number(1), work_, d);
}

template <typename Number>
void LameOperator<Number>::diagonal_blocks(Array<Number> &blocks) const
{
  if (both_ != nullptr)
    return lambda_->diagonal_blocks(blocks);
  lambda_->diagonal_blocks(work_);
  mu_->diagonal_blocks(blocks);
  backend_.vector_operations<Number>().axpy(blocks.size(), Number(1), work_, blocks);
}

template <typename Number>
void LameOperator<Number>::energies(const Array<Number> &u, Array<double> &c) const
{
  Array<double> ones(backend_.memory(), c.size());
  backend_.vector_operations<double>().fill(c.size(), 1., ones);
  energies(u, ones, ones, c);
}

template <typename Number>
void LameOperator<Number>::energies(const Array<Number> &u,
                                    const Array<double> &lambda,
                                    const Array<double> &mu,
                                    Array<double> &c) const
{
  if (both_ != nullptr)
    return both_->lame_energies(u, lambda, mu, c);
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
                                             const std::size_t n_nodes,
                                             const bool similar)
{
  if (strategy.memory_with_lame != nullptr)
    return strategy.memory_with_lame(n_elements, n_nodes);
  return 2. * strategy.memory(n_elements, n_nodes, similar) +
         6. * static_cast<double>(n_nodes) * sizeof(Number);
}

template <typename Number>
OperatorCost LameOperator<Number>::cost() const
{
  if (both_ != nullptr)
    return lambda_->cost();
  const OperatorCost of_lambda = lambda_->cost(), of_mu = mu_->cost();
  const double n = static_cast<double>(work_.size()) / 2.; // Number of DoFs.
  OperatorCost cost;
  cost.bytes_per_apply = of_lambda.bytes_per_apply + of_mu.bytes_per_apply + 3 * n * sizeof(Number);
  cost.flops_per_apply = of_lambda.flops_per_apply + of_mu.flops_per_apply + n;
  cost.memory_bytes    = of_lambda.memory_bytes + of_mu.memory_bytes + 2 * n * sizeof(Number);
  return cost;
}

template <typename Number>
std::vector<Number> packed_lame_matrices(const ElementMesh &mesh,
                                         const std::vector<double> &lambda,
                                         const std::vector<double> &mu,
                                         const VolumetricIntegration volumetric_integration)
{
  const bool has_mean = volumetric_integration == VolumetricIntegration::mean;
  std::vector<Number> packed;
  packed.reserve(300 * mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double X[3][8], K[24 * 24];
      shape_of(mesh, e, X);
      element_stiffness::matrix<Hex8>(X, has_mean ? 0. : lambda[e], mu[e], K);
      if (has_mean)
        hexahedron::add_mean_dilatation(lambda[e], X, K);
      for (int column = 0; column < 24; ++column)
        for (int row = 0; row <= column; ++row)
          packed.push_back(static_cast<Number>(K[24 * row + column]));
    }
  return packed;
}

template class LameOperator<double>;
template class LameOperator<float>;
template decltype(packed_lame_matrices<double>) packed_lame_matrices<double>;
template decltype(packed_lame_matrices<float>) packed_lame_matrices<float>;
} // namespace strut
