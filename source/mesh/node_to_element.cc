// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/mesh/node_to_element.h>

namespace strut
{
NodeToElement NodeToElement::build(const ElementMesh &mesh)
{
  NodeToElement map;
  map.begin.assign(mesh.n_nodes + 1, 0);
  for (const LocalIndex node : mesh.connectivity)
    ++map.begin[node + 1];
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    map.begin[node + 1] += map.begin[node];

  map.entries.resize(mesh.connectivity.size());
  std::vector<LocalIndex> next(map.begin.begin(), map.begin.end() - 1);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (std::size_t v = 0; v < 8; ++v)
      map.entries[next[mesh.connectivity[v * mesh.n_elements + e]]++] =
        static_cast<LocalIndex>(8 * e + v);
  return map;
}
} // namespace strut
