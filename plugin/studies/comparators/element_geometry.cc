// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparators/element_geometry.h"

#include <strut/element/hexahedron.h>

namespace strut::plugin
{
namespace
{
/// k_vi = (K0_e)_ii for i = 3 v + c: the diagonal of hexahedron::stiffness_rows.
void element_diagonal(const double (&X)[3][8], const Material &material, double (&k)[24])
{
  for (double &entry : k)
    entry = 0;
  for (int q = 0; q < 8; ++q)
    {
      double G[3][8];
      const double dx = hexahedron::gradients(X, q, G);
      for (int v = 0; v < 8; ++v)
        {
          const double square = G[0][v] * G[0][v] + G[1][v] * G[1][v] + G[2][v] * G[2][v];
          for (int c = 0; c < 3; ++c)
            k[3 * v + c] += dx * ((material.lambda() + material.mu()) * G[c][v] * G[c][v] +
                                  material.mu() * square);
        }
    }
}

/// u_e^T K0_e u_e = int lambda (div u)^2 + 2 mu epsilon(u) : epsilon(u). @param u  `[c][v]`
double element_energy(const double (&X)[3][8], const Material &material, const double (&u)[3][8])
{
  double energy = 0;
  for (int q = 0; q < 8; ++q)
    {
      double G[3][8];
      const double dx = hexahedron::gradients(X, q, G);
      double H[3][3]  = {}; // H[c][d] = d u_c / d x_d
      for (int v = 0; v < 8; ++v)
        for (int c = 0; c < 3; ++c)
          for (int d = 0; d < 3; ++d)
            H[c][d] += u[c][v] * G[d][v];
      const double divergence = H[0][0] + H[1][1] + H[2][2];
      double strain_square    = 0;
      for (int c = 0; c < 3; ++c)
        for (int d = 0; d < 3; ++d)
          strain_square += 0.25 * (H[c][d] + H[d][c]) * (H[c][d] + H[d][c]);
      energy +=
        dx * (material.lambda() * divergence * divergence + 2. * material.mu() * strain_square);
    }
  return energy;
}
} // namespace

ElementGeometry::ElementGeometry(const ElementMesh &mesh,
                                 const Material &material,
                                 const int n_threads)
  : material_(material)
  , n_threads_(n_threads)
  , n_elements_(mesh.n_elements)
  , n_nodes_(mesh.n_nodes)
  , coordinates_(3 * mesh.n_nodes)
  , connectivity_(8 * mesh.n_elements)
{
  for (std::size_t n = 0; n < n_nodes_; ++n)
    for (std::size_t d = 0; d < 3; ++d)
      coordinates_[3 * n + d] = mesh.coordinates[d * n_nodes_ + n];
  for (std::size_t e = 0; e < n_elements_; ++e)
    for (std::size_t v = 0; v < 8; ++v)
      connectivity_[8 * e + v] = mesh.connectivity[v * n_elements_ + e];
  if (n_threads_ > 1)
    colouring_ = Colouring::greedy(mesh);
}

template <typename Number>
void ElementGeometry::diagonal(const std::vector<double> &factors, Array<Number> &d) const
{
  d.set_zero();
  Number *const sums     = d.data();
  const auto add_element = [&](const std::size_t e) {
    double X[3][8], k[24];
    vertices(e, X);
    element_diagonal(X, material_, k);
    for (std::size_t v = 0; v < 8; ++v)
      for (std::size_t c = 0; c < 3; ++c)
        sums[3 * std::size_t(node(e, v)) + c] += static_cast<Number>(factors[e] * k[3 * v + c]);
  };
  if (n_threads_ == 1)
    {
      for (std::size_t e = 0; e < n_elements_; ++e)
        add_element(e);
      return;
    }
#pragma omp parallel num_threads(n_threads_)
  for (std::size_t colour = 0; colour < colouring_.n_colours(); ++colour)
    {
#pragma omp for schedule(static)
      for (std::size_t k = colouring_.begin[colour]; k < colouring_.begin[colour + 1]; ++k)
        add_element(colouring_.elements[k]);
    }
}

template <typename Number>
void ElementGeometry::energies(const Array<Number> &u, Array<double> &c) const
{
  const Number *const displacement = u.data();
  double *const energy             = c.data();
#pragma omp parallel for num_threads(n_threads_) schedule(static)
  for (std::size_t e = 0; e < n_elements_; ++e)
    {
      double X[3][8], local[3][8];
      vertices(e, X);
      for (std::size_t v = 0; v < 8; ++v)
        for (std::size_t d = 0; d < 3; ++d)
          local[d][v] = static_cast<double>(displacement[3 * std::size_t(node(e, v)) + d]);
      energy[e] = element_energy(X, material_, local);
    }
}

double ElementGeometry::memory_bytes() const
{
  return static_cast<double>(coordinates_.size() * sizeof(double) +
                             (connectivity_.size() + colouring_.elements.size()) *
                               sizeof(LocalIndex));
}

double ElementGeometry::memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
{
  return 3. * sizeof(double) * static_cast<double>(n_nodes) +
         9. * sizeof(LocalIndex) * static_cast<double>(n_elements);
}

template void ElementGeometry::diagonal(const std::vector<double> &, Array<double> &) const;
template void ElementGeometry::diagonal(const std::vector<double> &, Array<float> &) const;
template void ElementGeometry::energies(const Array<double> &, Array<double> &) const;
template void ElementGeometry::energies(const Array<float> &, Array<double> &) const;
} // namespace strut::plugin
