// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/mesh/node_to_element.h"

namespace strut
{
namespace
{
/// @param node_of  the node of an entry, `8 * element + vertex`
template <typename NodeOf>
NodeToElement
build_map(const std::size_t n_nodes, const std::size_t n_entries, const NodeOf &node_of)
{
  NodeToElement map;
  map.begin.assign(n_nodes + 1, 0);
  for (std::size_t k = 0; k < n_entries; ++k)
    ++map.begin[node_of(k) + 1];
  for (std::size_t node = 0; node < n_nodes; ++node)
    map.begin[node + 1] += map.begin[node];

  map.entries.resize(n_entries);
  std::vector<LocalIndex> next(map.begin.begin(), map.begin.end() - 1);
  for (std::size_t k = 0; k < n_entries; ++k)
    map.entries[next[node_of(k)]++] = static_cast<LocalIndex>(k);
  return map;
}
} // namespace

NodeToElement NodeToElement::build(const ElementMesh &mesh)
{
  return build_map(mesh.n_nodes, 8 * mesh.n_elements, [&](const std::size_t k) {
    return mesh.connectivity[k % 8 * mesh.n_elements + k / 8];
  });
}

NodeToElement NodeToElement::build(const std::size_t n_nodes,
                                   const std::vector<LocalIndex> &connectivity)
{
  return build_map(n_nodes, connectivity.size(), [&](const std::size_t k) {
    return connectivity[k];
  });
}
} // namespace strut
