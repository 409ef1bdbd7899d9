// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/element/hexahedra_of_vertices.h"

#include "source/base/team.h"
#include "source/element/element_sizes.h"

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
  const bool was_quadratic_hexahedra = mesh.type.n_vertices == 8 && mesh.type.n_nodes > 8;
  mesh.type                          = ElementType();
  if (was_quadratic_hexahedra)
    compute_volumes(mesh, cpu::default_n_threads());
  return mesh;
}
} // namespace strut
