// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/base/connected.h"

#include <strut/base/host_device.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>

namespace strut
{
/// The connectivity of a mesh: nodes of elements, and elements around nodes.
struct NodesAndElements
{
  std::size_t n_nodes, n_elements;
  const double *coordinates;
  /// Begin and entries are those of NodeToElement.
  const LocalIndex *connectivity, *begin, *entries;
};

/// Implements NodalFields::label_parts(), with a thread per node, then per element, then per node.
/// It moves 4 bytes per node and the connectivity. Trees are shallow, since neighbours have close
/// numbers.
template <typename Loops>
void label_connected_parts(const Loops &loops,
                           const NodesAndElements &mesh,
                           const double *const density,
                           LocalIndex *const label)
{
  const LocalIndex none = static_cast<LocalIndex>(mesh.n_nodes);
  loops.for_each(mesh.n_nodes, [=] STRUT_BODY(const std::size_t n) {
    label[n] = none;
    for (LocalIndex k = mesh.begin[n]; k < mesh.begin[n + 1]; ++k)
      if (density[mesh.entries[k] / 8] > 0.)
        label[n] = static_cast<LocalIndex>(n);
  });
  loops.for_each(mesh.n_elements, [=] STRUT_BODY(const std::size_t e) {
    if (density[e] > 0.)
      for (int v = 1; v < 8; ++v)
        connected::unite(label, mesh.connectivity[e], mesh.connectivity[v * mesh.n_elements + e]);
  });
  loops.for_each(mesh.n_nodes, [=] STRUT_BODY(const std::size_t n) {
    if (label[n] != none)
      label[n] = connected::root(label, static_cast<LocalIndex>(n));
  });
}
} // namespace strut
