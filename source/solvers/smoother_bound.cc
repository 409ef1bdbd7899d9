// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/element/hexahedron.h>
#include <strut/solvers/nodal_block.h>
#include <strut/solvers/smoother_bound.h>

#include <algorithm>
#include <cmath>

namespace strut
{
namespace
{
constexpr int n_power_iterations = 12;
constexpr double margin          = 1.03; ///< what the iteration may still be short of
constexpr double same_shape      = 1e-12;

/// Vertices relative to the first.
void shape_of(const ElementMesh &mesh, const std::size_t e, double (&X)[3][8])
{
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t v = 0; v < 8; ++v)
      {
        const double *const x = mesh.coordinates.data() + d * mesh.n_nodes;
        X[d][v] = x[mesh.connectivity[v * mesh.n_elements + e]] - x[mesh.connectivity[e]];
      }
}

/// Whether two elements are copies; spares meshes of equal elements the work.
bool equal_shapes(const double (&a)[3][8], const double (&b)[3][8])
{
  double size = 0., difference = 0.;
  for (int d = 0; d < 3; ++d)
    for (int v = 0; v < 8; ++v)
      {
        size       = std::max(size, std::abs(a[d][v]));
        difference = std::max(difference, std::abs(a[d][v] - b[d][v]));
      }
  return difference <= same_shape * size;
}

/// The largest eigenvalue of (nodal blocks of K0)^-1 K0, from below.
double largest_eigenvalue(const Material &material, const double (&X)[3][8])
{
  double K[24][24];
  NodalBlock<double> inverse[8];
  for (int v = 0; v < 8; ++v)
    {
      double rows[3][24];
      hexahedron::stiffness_rows(X, material, v, rows);
      NodalBlock<double> block;
      for (int i = 0; i < 3; ++i)
        {
          std::copy(rows[i], rows[i] + 24, K[3 * v + i]);
          for (int j = i; j < 3; ++j)
            block.entry[NodalBlock<double>::index(i, j)] = rows[i][3 * v + j];
        }
      inverse[v] = block.inverse_of_free_part(0u);
    }

  // Stiff modes change sign from vertex to vertex; the components differ so that none is orthogonal.
  double u[24], f[24];
  for (int v = 0; v < 8; ++v)
    {
      const double sign = ((v ^ v >> 1 ^ v >> 2) & 1) != 0 ? -1. : 1.;
      u[3 * v]          = sign + 0.3 * ((v & 1) != 0 ? 1. : -1.);
      u[3 * v + 1]      = 0.7 * sign + 0.4 * ((v >> 1 & 1) != 0 ? 1. : -1.);
      u[3 * v + 2]      = 0.4 * sign + 0.5 * ((v >> 2 & 1) != 0 ? 1. : -1.);
    }
  double eigenvalue = 0.;
  for (int k = 0; k < n_power_iterations; ++k)
    {
      double energy = 0., product = 0.; // u^T K u and (B K u)^T K u
      for (int i = 0; i < 24; ++i)
        f[i] = 0.;
      for (int j = 0; j < 24; ++j) // K is symmetric
        for (int i = 0; i < 24; ++i)
          f[i] += K[j][i] * u[j];
      for (int i = 0; i < 24; ++i)
        energy += u[i] * f[i];
      for (int v = 0; v < 8; ++v)
        {
          const double at_vertex[3] = {f[3 * v], f[3 * v + 1], f[3 * v + 2]};
          double z[3];
          inverse[v].multiply(at_vertex, z);
          for (int i = 0; i < 3; ++i)
            {
              product += z[i] * at_vertex[i];
              u[3 * v + i] = z[i];
            }
        }
      eigenvalue         = product / energy; // Rayleigh's quotient in the product of K
      const double scale = 1. / std::sqrt(product);
      for (double &value : u)
        value *= scale;
    }
  return eigenvalue;
}
} // namespace

double smoother_bound(const ElementMesh &mesh, const Material &material)
{
  double largest        = 0.;
  const std::size_t n   = mesh.n_elements;
  const std::size_t run = 1024; // elements of one thread at a time
#pragma omp parallel for schedule(dynamic) reduction(max : largest)
  for (std::size_t first = 0; first < n; first += run)
    {
      double previous[3][8] = {}, X[3][8];
      for (std::size_t e = first; e < std::min(n, first + run); ++e)
        {
          shape_of(mesh, e, X);
          if (e > first && equal_shapes(previous, X))
            continue;
          largest = std::max(largest, largest_eigenvalue(material, X));
          std::copy(&X[0][0], &X[0][0] + 24, &previous[0][0]);
        }
    }
  return margin * largest;
}
} // namespace strut
