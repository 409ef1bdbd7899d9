// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/mesh_in_vtu.h"

#include <cstddef>
#include <limits>

namespace strut
{
MeshInVtu::MeshInVtu(MPI_Comm communicator, const ElementMesh &mesh)
  : mesh_(mesh)
  , node_numbers_(communicator, mesh)
  , precision_(SinglePrecision::of(Communicator(communicator), mesh))
{}

VtuContents MeshInVtu::contents(const std::shared_ptr<const PartOfMesh> &part) const
{
  const auto place = [this, part](const std::size_t i) {
    const std::size_t node = part ? part->nodes[i / 3] : i / 3;
    return mesh_.coordinates[i % 3 * mesh_.n_nodes + node];
  };
  const std::size_t n_local = mesh_.type.n_nodes;
  const auto number =
    [this, part, n_local, nodes = vtu::cell_of(mesh_.type).nodes](const std::size_t i) {
      const std::size_t e   = part ? part->elements[i / n_local] : i / n_local;
      const LocalIndex node = mesh_.node(e, nodes[i % n_local]);
      return part ? part->number(node) : node_numbers_(node);
    };
  VtuContents contents;
  contents.type             = mesh_.type;
  contents.n_points         = part ? part->n_nodes : node_numbers_.n_nodes();
  contents.n_cells          = part ? part->n_elements : node_numbers_.n_elements();
  contents.first_cell       = part ? part->first_element : node_numbers_.first_element();
  contents.n_own_cells      = part ? part->elements.size() : mesh_.n_elements;
  const std::size_t n_nodes = part ? part->nodes.size() : mesh_.n_owned_nodes;
  const std::size_t n       = contents.n_own_cells;
  contents.points           = make_vtu_points(precision_, n_nodes, place);
  contents.connectivity     = contents.n_points <= std::numeric_limits<std::int32_t>::max()
                                ? make_vtu_array<std::int32_t>("connectivity", 1, n_local * n, number)
                                : make_vtu_array<std::int64_t>("connectivity", 1, n_local * n, number);
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
} // namespace strut
