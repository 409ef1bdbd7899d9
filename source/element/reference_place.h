// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/hexahedron.h"

#include <algorithm>
#include <cmath>

namespace strut
{
/// Computes the reference coordinates of a point in an element or near it, by Newton's method from
/// the centre. They stay in [-2, 3].
/// @param X  coordinates of the nodes relative to the point, so that differences stay accurate far
///   from the origin, `[3][n_nodes]`
/// @return whether it has converged; it does inside of the element
template <typename Element>
bool find_reference_place(const double (&X)[3][Element::n_nodes], double (&xi)[3])
{
  std::fill_n(xi, 3, Element::n_vertices == 4 ? 0.25 : 0.5);
  for (int step = 0; step < 20; ++step)
    {
      double miss[3] = {}, J[3][3] = {};
      for (int a = 0; a < Element::n_nodes; ++a)
        {
          double g[3];
          const double value = Element::shape_value(a, xi);
          Element::shape_gradient(a, xi, g);
          for (int i = 0; i < 3; ++i)
            {
              miss[i] -= value * X[i][a];
              for (int d = 0; d < 3; ++d)
                J[i][d] += X[i][a] * g[d];
            }
        }
      double inverse[3][3];
      if (hexahedron::invert(J, inverse) == 0.)
        return false;
      double longest = 0.;
      for (int d = 0; d < 3; ++d)
        {
          const double way =
            inverse[d][0] * miss[0] + inverse[d][1] * miss[1] + inverse[d][2] * miss[2];
          xi[d]   = std::clamp(xi[d] + way, -2., 3.);
          longest = std::max(longest, std::abs(way));
        }
      if (longest < 1e-8)
        return true;
    }
  return false;
}

/// How far a reference place is outside of the element, in reference coordinates; negative inside.
template <typename Element>
double distance_outside(const double (&xi)[3])
{
  double most = Element::n_vertices == 4 ? xi[0] + xi[1] + xi[2] - 1. : -1.;
  for (const double c : xi)
    most = std::max({most, -c, c - 1.});
  return most;
}
} // namespace strut
