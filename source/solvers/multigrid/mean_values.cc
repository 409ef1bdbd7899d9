// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/mean_values.h"
#include "source/element/components.h"
#include "source/mesh/bounding_box.h"
#include "source/mesh/mean_value_rows.h"
#include "source/mesh/rigid_motions.h"
#include "source/parallel/node_numbers.h"

#include <strut/base/exceptions.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace strut
{

template <typename Number>
MeanValues<Number>::MeanValues(Backend &backend,
                               const Communicator &communicator,
                               const ElementMesh &mesh,
                               const Material &material)
  : backend_(backend)
  , communicator_(communicator)
  , mesh_(mesh)
  , material_(material)
  , n_owned_(mesh.n_owned_dofs())
{
  without_ = without_mean_values(communicator, mesh);
  if (without_ == nullptr)
    return;
  require_displacements(mesh, "A condition for the mean value of many nodes");
  if (!free_rigid_motions(communicator, *without_).empty())
    length_ = longest_edge(bounding_box(communicator, mesh.coordinates, mesh.n_nodes));

  std::vector<std::size_t> own;
  for (const std::size_t row : mean_value_rows(communicator, mesh))
    if (mesh.dependent.dofs[row] < n_owned_)
      own.push_back(row);
  const auto begins       = begins_over_ranks(communicator, own.size());
  const std::size_t first = begins[communicator.rank()];
  HaloExchange<Number> halo(backend, communicator, mesh.node_halo, 3);
  std::vector<std::uint32_t> dofs;
  for (std::size_t k = 0; k < begins.back(); ++k)
    {
      std::vector<Number> values(mesh.n_dofs(), Number(0));
      if (k >= first && k < first + own.size())
        {
          const AffineRows &rows = mesh.dependent;
          const std::size_t row  = own[k - first];
          for (std::uint32_t j = rows.offsets[row]; j < rows.offsets[row + 1]; ++j)
            values[rows.masters[j]] -= static_cast<Number>(rows.weights[j]);
          values[rows.dofs[row]] += Number(1);
          dofs.push_back(rows.dofs[row]);
        }
      A_.emplace_back(backend.memory(), values);
      halo.add_to_owners(A_.back()); // Other ranks may own masters.
      W_.emplace_back(backend.memory(), mesh.n_dofs());
    }
  dofs_ = Array<std::uint32_t>(backend.memory(), dofs);
}

/// Adds the shift on the host, since few programs need it, and call it rarely.
template <typename Number>
void MeanValues<Number>::add_holding_shift(const ElasticityOperator<Number> &matrix,
                                           const Array<double> &factors,
                                           Array<Number> &shift)
{
  std::vector<double> mu(mesh_.n_elements, 0.);
  const Stiffness means = matrix.means(&factors);
  Array<double> work(backend_.memory(), means.is_stored() ? 0 : mesh_.n_elements);
  const auto add = [&](const unsigned int component, const double weight) {
    const std::vector<double> of_elements = means.component(0, component, work).to_host();
    for (std::size_t e = 0; e < mu.size(); ++e)
      mu[e] += weight * of_elements[e];
  };
  if (means.law() == Law::tangents)
    for (const unsigned int component : {15u, 18u, 20u}) // The components C_44, C_55 and C_66.
      add(component, 1. / 3.);
  else if (means.law() == Law::lame)
    add(1, 1.);
  else
    add(0, material_.mu());
  // A softening tangent may be negative, and S must hold the body.
  double sum = 0.;
  for (const double of_element : mu)
    sum += std::abs(of_element);
  const double least =
    1e-9 * communicator_.sum(sum) / communicator_.sum(static_cast<double>(mu.size()));
  for (double &of_element : mu)
    of_element = std::max(of_element, least);
  std::vector<Number> all(mesh_.n_dofs(), Number(0));
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      for (std::size_t c = 0; c < 3; ++c)
        all[3 * std::size_t(mesh_.connectivity[a * mesh_.n_elements + e]) + c] +=
          static_cast<Number>(mu[e] * mesh_.volumes[e] / (8. * length_ * length_));
  Array<Number> there(backend_.memory(), all);
  HaloExchange<Number>(backend_, communicator_, mesh_.node_halo, 3).add_to_owners(there);
  backend_.vector_operations<Number>().axpy(n_owned_, Number(1), there, shift);
}

template <typename Number>
std::vector<double> MeanValues<Number>::products_with(const Array<Number> &z) const
{
  std::vector<const Array<Number> *> columns;
  for (const Array<Number> &column : A_)
    columns.push_back(&column);
  std::vector<double> result = backend_.vector_operations<Number>().dots(n_owned_, columns, {&z});
  communicator_.sum(result.data(), result.size());
  return result;
}

template <typename Number>
void MeanValues<Number>::update(
  const std::function<void(const Array<Number> &r, Array<Number> &z)> &apply)
{
  const auto n = static_cast<Eigen::Index>(A_.size());
  if (n == 0)
    return;
  Eigen::MatrixXd products(n, n);
  for (Eigen::Index k = 0; k < n; ++k)
    {
      apply(A_[static_cast<std::size_t>(k)], W_[static_cast<std::size_t>(k)]);
      const std::vector<double> column = products_with(W_[static_cast<std::size_t>(k)]);
      for (Eigen::Index i = 0; i < n; ++i)
        products(i, k) = column[static_cast<std::size_t>(i)];
    }
  // Cycles in float are not quite symmetric.
  const Eigen::LLT<Eigen::MatrixXd> factor(0.5 * (products + products.transpose()));
  if (factor.info() != Eigen::Success)
    throw SolverFailure("The cycles of multigrid are not positive definite on the mean values.");
  const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(n, n));
  inverse_.assign(inverse.data(), inverse.data() + inverse.size());
}

template <typename Number>
void MeanValues<Number>::project(Array<Number> &z) const
{
  if (A_.empty())
    return;
  const std::vector<double> products = products_with(z);
  const auto &vectors                = backend_.vector_operations<Number>();
  for (std::size_t k = 0; k < W_.size(); ++k)
    {
      const double force =
        std::inner_product(products.begin(), products.end(), &inverse_[k * W_.size()], 0.);
      vectors.axpy(n_owned_, static_cast<Number>(-force), W_[k], z);
    }
  vectors.set(dofs_, Number(0), z);
}

/// Bytes of the weights of MeanValues and of the response to their forces, in the precision of the
/// residual.
double mean_values_memory_estimate(const Precision precision, const MeshSize &size)
{
  const double number = precision == Precision::fp32 ? sizeof(float) : sizeof(double);
  return 2. * 3. * number * static_cast<double>(size.n_mean_values * size.n_nodes);
}

template class MeanValues<double>;
template class MeanValues<float>;
} // namespace strut
