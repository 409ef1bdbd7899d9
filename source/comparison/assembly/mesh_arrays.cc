// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/comparison/assembly/mesh_arrays.h"

namespace strut
{
namespace
{
const AssemblyMesh &checked(const AssemblyMesh &mesh)
{
  check(mesh);
  return mesh;
}

std::vector<std::uint8_t> component_bits(const AssemblyMesh &mesh)
{
  std::vector<std::uint8_t> bits(mesh.connectivity.n_nodes, 0);
  for (const LocalIndex dof : mesh.constrained_dofs)
    bits[dof / 3] = static_cast<std::uint8_t>(bits[dof / 3] | 1u << dof % 3);
  return bits;
}
} // namespace

ConnectivityArrays::ConnectivityArrays(Memory &memory, const Connectivity &connectivity)
  : n_nodes(connectivity.n_nodes)
  , n_elements(connectivity.n_elements)
  , nodes_per_element(connectivity.nodes_per_element)
  , nodes((check(connectivity), memory), connectivity.nodes)
{}

MeshArrays::MeshArrays(Memory &memory, const AssemblyMesh &mesh)
  : element_type(checked(mesh).element_type)
  , connectivity(memory, mesh.connectivity)
  , coordinates(memory, mesh.coordinates)
  , constrained_dofs(memory, mesh.constrained_dofs)
  , constrained(memory, component_bits(mesh))
{}
} // namespace strut
