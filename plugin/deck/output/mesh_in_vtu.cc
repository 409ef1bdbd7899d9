// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/mesh_in_vtu.h"

#include <cstddef>
#include <limits>

namespace strut::plugin
{
namespace
{
std::uint64_t numbers_before(MPI_Comm communicator, const std::uint64_t n)
{
  std::uint64_t with_ours = 0;
  MPI_Scan(&n, &with_ours, 1, MPI_UINT64_T, MPI_SUM, communicator);
  return with_ours - n;
}
} // namespace

MeshInVtu::MeshInVtu(MPI_Comm communicator, const ElementMesh &mesh)
  : mesh_(mesh)
  , node_numbers_(communicator, mesh)
  , first_element_(numbers_before(communicator, mesh.n_elements))
{}

VtuContents MeshInVtu::contents() const
{
  const std::size_t n = mesh_.n_elements;
  const auto place    = [this](const std::size_t i) {
    return mesh_.coordinates[i % 3 * mesh_.n_nodes + i / 3];
  };
  const auto number = [this](const std::size_t i) {
    return node_numbers_(
      mesh_.connectivity[vtu::vertex_of_hexahedron[i % 8] * mesh_.n_elements + i / 8]);
  };
  VtuContents contents;
  contents.n_points     = node_numbers_.n_nodes();
  contents.n_cells      = node_numbers_.n_elements();
  contents.first_cell   = first_element_;
  contents.n_own_cells  = n;
  contents.points       = make_vtu_array<float>("Points", 3, mesh_.n_owned_nodes, place);
  contents.connectivity = node_numbers_.n_nodes() <= std::numeric_limits<std::int32_t>::max()
                            ? make_vtu_array<std::int32_t>("connectivity", 1, 8 * n, number)
                            : make_vtu_array<std::int64_t>("connectivity", 1, 8 * n, number);
  return contents;
}

std::vector<bool> MeshInVtu::supports() const
{
  std::vector<bool> held(mesh_.n_owned_dofs(), false);
  for (const LocalIndex dof : mesh_.constrained_dofs)
    if (dof < held.size())
      held[dof] = true;
  return held;
}
} // namespace strut::plugin
