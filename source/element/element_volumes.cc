// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/element/element_volumes.h"

#include <algorithm>
#include <numeric>

#include "source/base/filled_vector.h"
#include "source/element/hexahedron.h"
#include "source/element/vertex_lanes.h"

namespace strut
{
namespace
{
constexpr std::size_t n_lanes = VertexLanes::n_lanes;

/// Number of lines of quadrature points in a direction. Derivatives in that direction are constant
/// on a line.
constexpr std::size_t n_lines = 4;

/// The line along direction d that contains quadrature point q, from its bits in the other
/// directions.
constexpr std::size_t line_of(const std::size_t q, const std::size_t d)
{
  return (q & ((1u << d) - 1)) | (q >> (d + 1) << d);
}

/// Derivatives of the shape functions by direction, vertex and line.
struct ReferenceGradients
{
  ReferenceGradients()
  {
    for (int v = 0; v < 8; ++v)
      for (int d = 0; d < 3; ++d)
        for (int q = 0; q < 8; ++q)
          on_line[d][v][line_of(static_cast<std::size_t>(q), static_cast<std::size_t>(d))] =
            hexahedron::reference_gradient(v,
                                           d,
                                           hexahedron::gauss_point(q & 1),
                                           hexahedron::gauss_point(q >> 1 & 1),
                                           hexahedron::gauss_point(q >> 2));
  }

  double on_line[3][8][n_lines];
};

/// Computes the volumes of up to n_lanes elements from `first` on, with the sums of
/// hexahedron::gradients().
///
/// @return the number of elements whose Jacobian is not positive at some quadrature point
std::size_t compute_some(const ReferenceGradients &gradients,
                         ElementMesh &mesh,
                         const std::size_t first,
                         const std::size_t n)
{
  const VertexLanes vertices(mesh, first, n);
  double J[3][n_lines][3][n_lanes]; // [d][line][i]: dx_i / dxi_d
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t line = 0; line < n_lines; ++line)
      for (std::size_t i = 0; i < 3; ++i)
        {
          double sum[n_lanes] = {};
          for (std::size_t v = 0; v < 8; ++v)
#pragma omp simd
            for (std::size_t l = 0; l < n_lanes; ++l)
              sum[l] += vertices.at[i][v][l] * gradients.on_line[d][v][line];
          std::copy_n(sum, n_lanes, J[d][line][i]);
        }
  double volume[n_lanes] = {}, least[n_lanes];
  std::fill_n(least, n_lanes, 1.);
  for (std::size_t q = 0; q < 8; ++q)
    {
      const auto &x = J[0][line_of(q, 0)], &y = J[1][line_of(q, 1)], &z = J[2][line_of(q, 2)];
#pragma omp simd
      for (std::size_t l = 0; l < n_lanes; ++l)
        {
          const double determinant = x[0][l] * (y[1][l] * z[2][l] - z[1][l] * y[2][l]) +
                                     x[1][l] * (z[0][l] * y[2][l] - y[0][l] * z[2][l]) +
                                     x[2][l] * (y[0][l] * z[1][l] - z[0][l] * y[1][l]);
          const double dx = determinant * 0.125;
          volume[l] += dx;
          least[l] = dx > 0 ? least[l] : 0.; // NaN is not positive, either
        }
    }
  std::copy_n(volume, n, mesh.volumes.begin() + static_cast<std::ptrdiff_t>(first));
  return static_cast<std::size_t>(std::count(least, least + n, 0.));
}
} // namespace

std::size_t compute_volumes(ElementMesh &mesh, const int n_threads)
{
  static const ReferenceGradients gradients;
  mesh.volumes                  = cpu::filled_vector<double>(n_threads, mesh.n_elements);
  const auto inverted_of_blocks = cpu::values_of_blocks(
    n_threads, mesh.n_elements, [&](const std::size_t begin, const std::size_t end) {
      std::size_t inverted = 0;
      for (std::size_t e = begin; e < end; e += n_lanes)
        inverted += compute_some(gradients, mesh, e, std::min(n_lanes, end - e));
      return inverted;
    });
  return std::accumulate(inverted_of_blocks.begin(), inverted_of_blocks.end(), std::size_t(0));
}
} // namespace strut
