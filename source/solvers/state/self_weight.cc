// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/solvers/state/self_weight.h"
#include "source/element/element_stiffness.h"
#include "source/element/mass_points.h"

#include <type_traits>

namespace strut
{
SelfWeight::SelfWeight(const ElementMesh &mesh)
  : n_elements_(mesh.n_elements)
  , n_nodes_(mesh.n_nodes)
  , n_element_nodes_(mesh.type.n_nodes)
  , connectivity_(mesh.connectivity)
  , shares_(mesh.connectivity.size(), 0.)
{
  with_mass_points(mesh.type, [&](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    for (std::size_t e = 0; e < n_elements_; ++e)
      {
        double X[3][Element::n_nodes];
        nodes_of<Element>(mesh, e, X);
        for (int q = 0; q < Element::n_quadrature_points; ++q)
          {
            double unused[3][Element::n_nodes], x[3];
            const double dx = element_stiffness::gradients<Element>(X, q, unused);
            Element::quadrature_point(q, x);
            for (int v = 0; v < Element::n_nodes; ++v)
              shares_[v * n_elements_ + e] += Element::shape_value(v, x) * dx;
          }
      }
  });
}

std::vector<double> SelfWeight::forces(const std::vector<double> &weights,
                                       const std::vector<double> &densities) const
{
  std::vector<double> result(3 * n_nodes_, 0.);
  for (std::size_t e = 0; e < n_elements_; ++e)
    for (std::size_t v = 0; v < n_element_nodes_; ++v)
      for (std::size_t c = 0; c < 3; ++c)
        result[3 * connectivity_[v * n_elements_ + e] + c] +=
          densities[e] * shares_[v * n_elements_ + e] * weights[c * n_elements_ + e];
  return result;
}

std::vector<double> SelfWeight::work(const std::vector<double> &weights,
                                     const std::vector<double> &u) const
{
  std::vector<double> result(n_elements_, 0.);
  for (std::size_t e = 0; e < n_elements_; ++e)
    for (std::size_t v = 0; v < n_element_nodes_; ++v)
      for (std::size_t c = 0; c < 3; ++c)
        result[e] += shares_[v * n_elements_ + e] * weights[c * n_elements_ + e] *
                     u[3 * connectivity_[v * n_elements_ + e] + c];
  return result;
}

void SelfWeight::add_forces(const std::vector<double> &forces,
                            const std::vector<double> &factors,
                            std::vector<double> &result) const
{
  const std::size_t n = n_elements_;
  for (std::size_t row = 0; row * n < forces.size(); ++row)
    for (std::size_t e = 0; e < n; ++e)
      result[3 * std::size_t(connectivity_[row / 3 * n + e]) + row % 3] +=
        factors[e] * forces[row * n + e];
}

void SelfWeight::add_work(const std::vector<double> &forces,
                          const std::vector<double> &u,
                          std::vector<double> &work) const
{
  const std::size_t n = n_elements_;
  for (std::size_t row = 0; row * n < forces.size(); ++row)
    for (std::size_t e = 0; e < n; ++e)
      work[e] += forces[row * n + e] * u[3 * std::size_t(connectivity_[row / 3 * n + e]) + row % 3];
}
} // namespace strut
