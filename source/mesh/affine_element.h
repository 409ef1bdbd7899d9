// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace strut
{
/// Whether a hexahedron of eight nodes is a parallelepiped: its edges in each direction are equal
/// up to rounding.
inline bool is_affine(const ElementMesh &mesh, const std::size_t e)
{
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
  return is_affine;
}
} // namespace strut
