// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/comparison/assembly/mesh_arrays.h"
#include "source/mesh/constrained_components.h"

namespace strut
{
namespace
{
const AssemblyMesh &checked(const AssemblyMesh &mesh)
{
  check(mesh);
  return mesh;
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
  , constrained(memory, constrained_components(mesh.constrained_dofs, mesh.connectivity.n_nodes))
{}
} // namespace strut
