// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/affine_elements.h"
#include "source/base/filled_vector.h"

#include <algorithm>
#include <cmath>

namespace strut
{
std::vector<std::uint8_t> affine_elements(const ElementMesh &mesh, const int n_threads)
{
  std::vector<std::uint8_t> affine = cpu::filled_vector<std::uint8_t>(n_threads, mesh.n_elements);
  cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
    bool is_affine = true;
    for (std::size_t d = 0; d < 3; ++d)
      {
        const auto at = [&](const std::size_t v) {
          return mesh.coordinates[d * mesh.n_nodes + mesh.connectivity[v * mesh.n_elements + e]];
        };
        double size = 0., twist = 0.;
        for (std::size_t v = 1; v < 8; ++v)
          {
            double image = at(0);
            for (std::size_t a = 1; a < 8; a *= 2)
              image += (v & a) != 0 ? at(a) - at(0) : 0.;
            size  = std::max(size, std::abs(at(v) - at(0)));
            twist = std::max(twist, std::abs(at(v) - image));
          }
        is_affine = is_affine && twist <= 1e-12 * (size + std::abs(at(0)));
      }
    affine[e] = is_affine ? 1 : 0;
  });
  return affine;
}
} // namespace strut
