// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/hexahedra_of_vertices.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace strut
{
ElementMesh hexahedra_of_vertices(ElementMesh mesh)
{
  const std::size_t n = mesh.n_elements;
  if (mesh.type.n_vertices == 4)
    {
      std::vector<LocalIndex> connectivity(8 * n);
      for (std::size_t v = 0; v < 8; ++v)
        std::copy_n(mesh.connectivity.begin() + collapsed_vertices[v] * n,
                    n,
                    connectivity.begin() + v * n);
      mesh.connectivity = std::move(connectivity);
    }
  else
    mesh.connectivity.resize(8 * n);
  mesh.type = ElementType();
  return mesh;
}
} // namespace strut
