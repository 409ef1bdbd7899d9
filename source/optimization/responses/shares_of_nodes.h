// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/mesh/bounding_box.h"

#include <strut/mesh/element_mesh.h>

#include <cmath>
#include <vector>

namespace strut
{
/// Share of each node that belongs to the mesh: 1, halved for each plane of symmetry through the
/// node, whose other half is in the mirror image. Means with these weights are those of the whole
/// body. Collective.
inline std::vector<double> shares_of_nodes(const std::vector<LocalIndex> &nodes,
                                           const Communicator &communicator,
                                           const ElementMesh &mesh)
{
  std::vector<double> shares(nodes.size(), 1.);
  if (mesh.symmetry_planes.empty())
    return shares;
  const Box box          = bounding_box(communicator, mesh.coordinates, mesh.n_nodes);
  const double tolerance = 1e-6 * longest_edge(box);
  for (const SymmetryPlane &plane : mesh.symmetry_planes)
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (std::abs(mesh.coordinates[plane.normal * mesh.n_nodes + nodes[k]] - plane.value) <=
          tolerance)
        shares[k] *= 0.5;
  return shares;
}
} // namespace strut
