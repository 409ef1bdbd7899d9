// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/hexahedron.h"

#include <cmath>

namespace strut
{
namespace hexahedron
{
/// Element matrices of coarse elements by Galerkin's principle, over the children c of an element:
///
///     K = sum_c P_c^T K_c P_c,
///
/// with the trilinear interpolation P_c from the vertices of the parent to those of the child at
/// octant c. P_c is a product of one interpolation per direction. One end of the child is an end of
/// the parent, and takes its value; the other takes the mean. So P_c^T gives the row of the first
/// `own + other / 2`, and that of the second `own / 2`, direction by direction.
namespace galerkin
{
/// Vertex v of the child at octant c sits at place `p0 + 3 p1 + 9 p2` of the 3x3x3 lattice of its
/// parent.
STRUT_HOST_DEVICE constexpr int lattice_place(const int octant, const int v)
{
  return (octant & 1) + (v & 1) + 3 * ((octant >> 1 & 1) + (v >> 1 & 1)) +
         9 * ((octant >> 2) + (v >> 2));
}

/// A row of P^T K in one direction, from the rows of the child's vertex and of the opposite one.
///
/// @param at_octant  whether the vertex is the end of the child that is an end of the parent
STRUT_HOST_DEVICE inline double
restricted(const double own, const double other, const bool at_octant)
{
  return at_octant ? own + 0.5 * other : 0.5 * own;
}

/// Computes the block of the vertices a and b from `T = int grad N_a (x) grad N_b`, in place:
/// `lambda T + mu T^T + mu tr(T) I`, times `factor`.
STRUT_HOST_DEVICE inline void
stiffness_block(const double lambda, const double mu, const double factor, double (&T)[3][3])
{
  const double trace = mu * (T[0][0] + T[1][1] + T[2][2]);
  for (int i = 0; i < 3; ++i)
    {
      for (int j = 0; j < i; ++j)
        {
          const double lower = T[i][j], upper = T[j][i];
          T[i][j] = factor * (lambda * lower + mu * upper);
          T[j][i] = factor * (lambda * upper + mu * lower);
        }
      T[i][i] = factor * ((lambda + mu) * T[i][i] + trace);
    }
}

/// The step of the grid for entries in float. With the largest entry of the diagonal, off-diagonal
/// entries need 23 bits, and half steps still fit. See stored_stiffness_rows().
STRUT_HOST_DEVICE inline double grid_step(const double largest)
{
  int exponent = 0;
  std::frexp(1.0001 * largest, &exponent);
  return std::ldexp(1., exponent - 23);
}
} // namespace galerkin
} // namespace hexahedron
} // namespace strut
