// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/element/type_product.h"
#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"

#include <atomic>

namespace strut::type_product
{
bool is_curved(const ElementMesh &mesh)
{
  return with_element(mesh.type, [&mesh](const auto element) {
    using Element            = std::decay_t<decltype(element)>;
    constexpr int n_vertices = Element::n_vertices;
    if constexpr (Product<Element>::n_coordinates < Element::n_nodes)
      {
        // A node is in the middle of the vertices whose mirror images at it are vertices.
        double weights[Element::n_nodes][n_vertices] = {};
        for (int a = n_vertices; a < Element::n_nodes; ++a)
          {
            double n = 0.;
            for (int v = 0; v < n_vertices; ++v)
              for (int w = 0; w < n_vertices; ++w)
                {
                  bool is_mirror = true;
                  for (int d = 0; d < 3; ++d)
                    is_mirror = is_mirror && Element::position(v, d) + Element::position(w, d) ==
                                               2 * Element::position(a, d);
                  weights[a][v] += is_mirror;
                  n += is_mirror;
                }
            for (double &weight : weights[a])
              weight /= n;
          }
        std::atomic<bool> is_curved{false};
        cpu::parallel_for(cpu::default_n_threads(), mesh.n_elements, [&](const std::size_t e) {
          double X[3][Element::n_nodes], size = 0., far = 0.;
          nodes_of<Element>(mesh, e, X);
          for (int v = 0; v < n_vertices; ++v)
            for (int d = 0; d < 3; ++d)
              {
                size = std::max(size, std::abs(X[d][v] - X[d][0]));
                far  = std::max(far, std::abs(X[d][v]));
              }
          const double rounding = 1e-10 * size + 8 * std::numeric_limits<double>::epsilon() * far;
          for (int a = n_vertices; a < Element::n_nodes; ++a)
            for (int d = 0; d < 3; ++d)
              {
                double distance = -X[d][a];
                for (int v = 0; v < n_vertices; ++v)
                  distance += weights[a][v] * X[d][v];
                if (std::abs(distance) > rounding)
                  is_curved.store(true, std::memory_order_relaxed);
              }
        });
        return is_curved.load();
      }
    return false;
  });
}

template <typename Number>
std::vector<Number> lattice::coefficients_of(const ElementMesh &mesh)
{
  constexpr std::size_t m = n_coefficients;
  const int n_threads     = cpu::default_n_threads();
  auto result             = cpu::filled_vector<Number>(n_threads, 3 * m * mesh.n_elements);
  cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
    for (std::size_t i = 0; i < 3; ++i)
      {
        double X[8], c[m];
        for (std::size_t v = 0; v < 8; ++v)
          X[v] = mesh.coordinates[i * mesh.n_nodes + mesh.node(e, v)] -
                 mesh.coordinates[i * mesh.n_nodes + mesh.node(e, 0)];
        coefficients(X, c);
        for (std::size_t k = 0; k < m; ++k)
          result[m * (3 * e + i) + k] = static_cast<Number>(c[k]);
      }
  });
  return result;
}
template std::vector<float> lattice::coefficients_of(const ElementMesh &);
template std::vector<double> lattice::coefficients_of(const ElementMesh &);
} // namespace strut::type_product
