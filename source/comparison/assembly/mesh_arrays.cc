// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/comparison/assembly/mesh_arrays.h"
#include "source/base/parallel_loop.h"
#include "source/base/text.h"
#include "source/mesh/constrained_components.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <limits>
#include <string>

namespace strut
{
namespace
{
void require_size(const std::string &array, const std::size_t found, const std::size_t expected)
{
  if (found != expected)
    throw Error("Matrix generation: the array of " + array + " has " + std::to_string(found) +
                " entries, and the mesh needs " + std::to_string(expected) + ".");
}
} // namespace

void check_connectivity(const ElementMesh &mesh)
{
  const std::size_t n_elements = mesh.n_elements;
  const std::size_t n_local    = mesh.type.n_nodes;
  constexpr std::size_t limit  = std::numeric_limits<LocalIndex>::max();
  if (n_local * n_elements > limit || mesh.n_nodes > limit)
    throw Error("Matrix generation: " + std::to_string(n_elements) + " elements of " +
                  std::to_string(n_local) + " nodes are " + std::to_string(n_local * n_elements) +
                  " pairs of element and node, of " + std::to_string(mesh.n_nodes) +
                  " nodes; they are numbered up to " + std::to_string(limit) + ".",
                Remedy::use_more_ranks);
  require_size("the connectivity (elements of type " + std::string(mesh.type.name) + " with " +
                 std::to_string(n_local) + " nodes)",
               mesh.connectivity.size(),
               n_local * n_elements);

  // finds the first invalid element, or the end
  const auto first_bad = [&](const std::size_t begin, const std::size_t end) {
    for (std::size_t e = begin; e < end; ++e)
      for (std::size_t a = 0; a < n_local; ++a)
        {
          const LocalIndex node = mesh.node(e, a);
          bool sound            = node < mesh.n_nodes;
          for (std::size_t b = 0; b < a; ++b)
            sound = sound && mesh.node(e, b) != node;
          if (!sound)
            return e;
        }
    return n_elements;
  };
  std::size_t bad = n_elements;
  for (const std::size_t e : cpu::values_of_blocks(cpu::default_n_threads(), n_elements, first_bad))
    bad = std::min(bad, e);
  if (bad < n_elements)
    {
      std::string nodes;
      for (std::size_t a = 0; a < n_local; ++a)
        add_to_list(nodes, std::to_string(mesh.node(bad, a)));
      throw Error("Matrix generation: element " + std::to_string(bad) + " has the nodes " + nodes +
                  ".\n  They must be different nodes, with numbers below " +
                  std::to_string(mesh.n_nodes) + ".");
    }
}

void check(const ElementMesh &mesh)
{
  check_connectivity(mesh);
  require_size("coordinates", mesh.coordinates.size(), 3 * mesh.n_nodes);
  for (const LocalIndex dof : mesh.constrained_dofs)
    if (dof >= 3 * mesh.n_nodes)
      throw Error("Matrix generation: the constrained degree of freedom " + std::to_string(dof) +
                  " does not exist; there are " + std::to_string(3 * mesh.n_nodes) + ".");
}

ConnectivityArrays::ConnectivityArrays(Memory &memory, const ElementMesh &mesh)
  : n_nodes(mesh.n_nodes)
  , n_elements(mesh.n_elements)
  , nodes_per_element(static_cast<int>(mesh.type.n_nodes))
  , nodes((check_connectivity(mesh), memory), mesh.connectivity)
{}

MeshArrays::MeshArrays(Memory &memory, const ElementMesh &mesh)
  : type((check(mesh), mesh.type))
  , connectivity(memory, mesh)
  , coordinates(memory, mesh.coordinates)
  , constrained_dofs(memory, mesh.constrained_dofs)
  , constrained(memory, constrained_components(mesh.constrained_dofs, mesh.n_nodes))
{}
} // namespace strut
