// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/element/element_volumes.h"

#include <numeric>

#include "source/base/filled_vector.h"
#include "source/element/hexahedron.h"

namespace strut
{
namespace
{
/// Derivatives of the shape functions by vertex and direction, at the eight quadrature points.
struct ReferenceGradients
{
  ReferenceGradients()
  {
    for (int v = 0; v < 8; ++v)
      for (int d = 0; d < 3; ++d)
        for (int q = 0; q < 8; ++q)
          at[v][d][q] = hexahedron::reference_gradient(v,
                                                       d,
                                                       hexahedron::gauss_point(q & 1),
                                                       hexahedron::gauss_point(q >> 1 & 1),
                                                       hexahedron::gauss_point(q >> 2));
  }

  double at[8][3][8];
};

/// The volume of an element, as hexahedron::gradients() sums it up, at all points together.
/// @return whether the Jacobian is positive at all of them
bool compute_volume(const ReferenceGradients &gradients, ElementMesh &mesh, const std::size_t e)
{
  double J[3][3][8] = {};
  for (int v = 0; v < 8; ++v)
    {
      const std::size_t node = mesh.connectivity[static_cast<std::size_t>(v) * mesh.n_elements + e];
      for (std::size_t i = 0; i < 3; ++i)
        {
          const double x = mesh.coordinates[i * mesh.n_nodes + node];
          for (int d = 0; d < 3; ++d)
#pragma omp simd
            for (int q = 0; q < 8; ++q)
              J[i][d][q] += x * gradients.at[v][d][q];
        }
    }
  double determinants[8];
#pragma omp simd
  for (int q = 0; q < 8; ++q)
    determinants[q] = J[0][0][q] * (J[1][1][q] * J[2][2][q] - J[1][2][q] * J[2][1][q]) +
                      J[1][0][q] * (J[0][2][q] * J[2][1][q] - J[0][1][q] * J[2][2][q]) +
                      J[2][0][q] * (J[0][1][q] * J[1][2][q] - J[0][2][q] * J[1][1][q]);
  mesh.volumes[e] = 0;
  bool positive   = true;
  for (const double determinant : determinants)
    {
      const double dx = determinant * 0.125;
      positive        = positive && dx > 0;
      mesh.volumes[e] += dx;
    }
  return positive;
}
} // namespace

std::size_t compute_volumes(ElementMesh &mesh, const int n_threads)
{
  static const ReferenceGradients gradients;
  mesh.volumes = cpu::filled_vector<double>(n_threads, mesh.n_elements);
  const auto inverted_of_blocks =
    cpu::values_of_blocks(n_threads,
                          mesh.n_elements,
                          [&](const std::size_t begin, const std::size_t end) {
                            std::size_t inverted = 0;
                            for (std::size_t e = begin; e < end; ++e)
                              inverted += compute_volume(gradients, mesh, e) ? 0 : 1;
                            return inverted;
                          });
  return std::accumulate(inverted_of_blocks.begin(), inverted_of_blocks.end(), std::size_t(0));
}
} // namespace strut
