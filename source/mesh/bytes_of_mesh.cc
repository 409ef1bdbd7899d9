// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/bytes_of_mesh.h"

namespace strut
{
std::size_t bytes_of(const HaloPattern &pattern)
{
  std::size_t sum = bytes_of(pattern.neighbours);
  for (const HaloPattern::Neighbour &neighbour : pattern.neighbours)
    sum += bytes_of(neighbour.send);
  return sum;
}

std::size_t bytes_of(const ElementMesh &mesh)
{
  return bytes_of(mesh.coordinates) + bytes_of(mesh.connectivity) + bytes_of(mesh.volumes) +
         bytes_of(mesh.flags) + bytes_of(mesh.constrained_dofs) +
         bytes_of(mesh.constrained_values) + bytes_of(mesh.dependent.dofs) +
         bytes_of(mesh.dependent.offsets) + bytes_of(mesh.dependent.masters) +
         bytes_of(mesh.dependent.weights) + bytes_of(mesh.dependent.values) +
         bytes_of(mesh.node_halo) + bytes_of(mesh.element_to_cell) + bytes_of(mesh.dof_indices);
}

std::size_t bytes_of(const LevelTransfer &transfer)
{
  return bytes_of(transfer.octants) + bytes_of(transfer.parents) + bytes_of(transfer.parent_nodes) +
         bytes_of(transfer.coarse_nodes) + bytes_of(transfer.children) +
         bytes_of(transfer.fine_elements) + bytes_of(transfer.shares.begin) +
         bytes_of(transfer.shares.elements) + bytes_of(transfer.shares.weights) +
         bytes_of(transfer.places.elements) + bytes_of(transfer.places.places);
}
} // namespace strut
