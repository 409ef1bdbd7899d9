// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <algorithm>
#include <array>
#include <limits>

namespace strut
{
/// The least scaled Jacobian at the corners of a hexahedron with lexicographic vertices: the
/// determinant of the three unit vectors along the edges of a corner. It is 1 for a box, and 0 or
/// less if a corner is flat or inverted.
inline double minimum_scaled_jacobian(const std::array<dealii::Point<3>, 8> &vertices)
{
  double minimum = std::numeric_limits<double>::max();
  for (unsigned int v = 0; v < 8; ++v)
    {
      std::array<dealii::Tensor<1, 3>, 3> edges;
      double lengths = 1.;
      for (unsigned int d = 0; d < 3; ++d)
        {
          // Edges go from the lower to the higher vertex, so that the three stay right-handed.
          edges[d] = vertices[v | (1u << d)] - vertices[v & ~(1u << d)];
          lengths *= edges[d].norm();
        }
      const double volume = dealii::cross_product_3d(edges[0], edges[1]) * edges[2];
      minimum             = std::min(minimum, lengths > 0. ? volume / lengths : 0.);
    }
  return minimum;
}
} // namespace strut
