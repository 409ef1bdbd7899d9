// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <vector>

namespace strut
{
/// ElementMesh::centre() of all elements, `[3][n_elements]`.
inline std::vector<double> element_centres(const ElementMesh &mesh)
{
  std::vector<double> centres(3 * mesh.n_elements);
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const std::array<double, 3> centre = mesh.centre(e);
      for (std::size_t d = 0; d < 3; ++d)
        centres[d * mesh.n_elements + e] = centre[d];
    }
  return centres;
}
} // namespace strut
