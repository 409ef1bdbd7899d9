// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <vector>

#include "source/base/filled_vector.h"

namespace strut
{
/// ElementMesh::centre() of all elements, `[3][n_elements]`.
inline std::vector<double> element_centres(const ElementMesh &mesh)
{
  const int n_threads         = cpu::default_n_threads();
  std::vector<double> centres = cpu::filled_vector<double>(n_threads, 3 * mesh.n_elements);
  cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
    const std::array<double, 3> centre = mesh.centre(e);
    for (std::size_t d = 0; d < 3; ++d)
      centres[d * mesh.n_elements + e] = centre[d];
  });
  return centres;
}
} // namespace strut
