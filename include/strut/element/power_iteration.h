// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>
#include <strut/solvers/nodal_block.h>

#include <cmath>

namespace strut
{
/// The largest eigenvalue of B K of one element, B the inverse of the 3x3 nodal blocks of K, by power
/// iteration: what a host loop and a team of threads have in common.
namespace power_iteration
{
constexpr int n_steps   = 12;
constexpr double margin = 1.03; ///< what the iteration may still be short of

/// Component c at vertex v of the vector to begin with: stiff modes change sign from vertex to vertex;
/// the components differ so that none is orthogonal.
STRUT_HOST_DEVICE constexpr double begin(const int v, const int c)
{
  const double sign = ((v ^ v >> 1 ^ v >> 2) & 1) != 0 ? -1. : 1.;
  const double end  = (v >> c & 1) != 0 ? 1. : -1.;
  return c == 0 ? sign + 0.3 * end : c == 1 ? 0.7 * sign + 0.4 * end : 0.4 * sign + 0.5 * end;
}

/// Components of a nodal block that have no stiffness at all: those of supports.
template <typename Number>
STRUT_HOST_DEVICE unsigned int held_components(const NodalBlock<Number> &block)
{
  return (block.entry[0] > Number(0) ? 0u : 1u) | (block.entry[3] > Number(0) ? 0u : 2u) |
         (block.entry[5] > Number(0) ? 0u : 4u);
}

/// From below. 0 for a matrix of zeros. Rows and columns of zeros are left out.
inline double largest_eigenvalue(const double (&K)[24][24])
{
  NodalBlock<double> inverse[8];
  for (int v = 0; v < 8; ++v)
    {
      NodalBlock<double> block;
      for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
          block.entry[NodalBlock<double>::index(i, j)] = K[3 * v + i][3 * v + j];
      inverse[v] = block.inverse_of_free_part(held_components(block));
    }

  double u[24], f[24];
  for (int v = 0; v < 8; ++v)
    for (int c = 0; c < 3; ++c)
      u[3 * v + c] = begin(v, c);
  double eigenvalue = 0.;
  for (int k = 0; k < n_steps; ++k)
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
      if (!(energy > 0. && product > 0.))
        return eigenvalue;
      eigenvalue         = product / energy; // Rayleigh's quotient in the product of K
      const double scale = 1. / std::sqrt(product);
      for (double &value : u)
        value *= scale;
    }
  return eigenvalue;
}
} // namespace power_iteration
} // namespace strut
