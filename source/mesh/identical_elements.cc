// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/mesh/identical_elements.h"

#include <algorithm>
#include <cmath>

namespace strut
{
namespace
{
constexpr double shape_tolerance = 1e-10; ///< relative to the size of the element
}

void shape_of(const ElementMesh &mesh, const std::size_t e, double (&X)[3][8])
{
  for (std::size_t d = 0; d < 3; ++d)
    {
      const double *const x = mesh.coordinates.data() + d * mesh.n_nodes;
      for (std::size_t v = 0; v < 8; ++v)
        X[d][v] = x[mesh.connectivity[v * mesh.n_elements + e]] - x[mesh.connectivity[e]];
    }
}

UnequalElement find_unequal_element(const ElementMesh &mesh)
{
  if (mesh.n_elements == 0)
    return {};
  double first[3][8], X[3][8];
  shape_of(mesh, 0, first);
  double size = 0.;
  for (const auto &row : first)
    for (const double x : row)
      size = std::max(size, std::abs(x));
  for (std::size_t e = 1; e < mesh.n_elements; ++e)
    {
      shape_of(mesh, e, X);
      for (int v = 1; v < 8; ++v)
        for (int d = 0; d < 3; ++d)
          if (!(std::abs(X[d][v] - first[d][v]) <= shape_tolerance * size))
            return {e, v};
    }
  return {};
}
} // namespace strut
