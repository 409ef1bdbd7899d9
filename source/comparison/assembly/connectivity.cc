// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/comparison/assembly/connectivity.h"
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
void require_size(const char *array, const std::size_t found, const std::size_t expected)
{
  if (found != expected)
    throw Error("Matrix generation: the array of " + std::string(array) + " has " +
                std::to_string(found) + " entries, and the mesh needs " + std::to_string(expected) +
                ".");
}

const AssemblyMesh &checked(const AssemblyMesh &mesh)
{
  check(mesh);
  return mesh;
}
} // namespace

AssemblyMesh assembly_mesh(const ElementMesh &mesh)
{
  AssemblyMesh result;
  result.element_type                   = ElementType::hex8;
  result.connectivity.n_nodes           = mesh.n_nodes;
  result.connectivity.n_elements        = mesh.n_elements;
  result.connectivity.nodes_per_element = 8;
  result.connectivity.nodes             = mesh.connectivity;
  result.coordinates                    = mesh.coordinates;
  result.constrained_dofs               = mesh.constrained_dofs;
  return result;
}

void check(const Connectivity &connectivity)
{
  const std::size_t n_elements = connectivity.n_elements;
  const std::size_t n_local    = static_cast<std::size_t>(connectivity.nodes_per_element);
  constexpr std::size_t limit  = std::numeric_limits<LocalIndex>::max();
  if (connectivity.nodes_per_element < 1 && n_elements > 0)
    throw Error("Matrix generation: elements without nodes.");
  if (n_local * n_elements > limit || connectivity.n_nodes > limit)
    throw Error("Matrix generation: " + std::to_string(n_elements) + " elements of " +
                  std::to_string(n_local) + " nodes are " + std::to_string(n_local * n_elements) +
                  " pairs of element and node, of " + std::to_string(connectivity.n_nodes) +
                  " nodes; they are numbered up to " + std::to_string(limit) + ".",
                Remedy::use_more_ranks);
  require_size("the connectivity", connectivity.nodes.size(), n_local * n_elements);

  // finds the first invalid element, or the end
  const auto first_bad =
    [&, nodes = connectivity.nodes.data(), n_nodes = connectivity.n_nodes](const std::size_t begin,
                                                                           const std::size_t end) {
      for (std::size_t e = begin; e < end; ++e)
        for (std::size_t a = 0; a < n_local; ++a)
          {
            const LocalIndex node = nodes[a * n_elements + e];
            bool sound            = node < n_nodes;
            for (std::size_t b = 0; b < a; ++b)
              sound = sound && nodes[b * n_elements + e] != node;
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
        add_to_list(nodes, std::to_string(connectivity.nodes[a * n_elements + bad]));
      throw Error("Matrix generation: element " + std::to_string(bad) + " has the nodes " + nodes +
                  ".\n  They must be different nodes, with numbers below " +
                  std::to_string(connectivity.n_nodes) + ".");
    }
}

void check(const AssemblyMesh &mesh)
{
  const Connectivity &connectivity = mesh.connectivity;
  if (connectivity.nodes_per_element != n_nodes(mesh.element_type))
    throw Error("Matrix generation: elements of " + std::to_string(connectivity.nodes_per_element) +
                " nodes, and a " + std::string(name(mesh.element_type)) + " has " +
                std::to_string(n_nodes(mesh.element_type)) + ".");
  check(connectivity);
  require_size("coordinates", mesh.coordinates.size(), 3 * connectivity.n_nodes);
  for (const LocalIndex dof : mesh.constrained_dofs)
    if (dof >= 3 * connectivity.n_nodes)
      throw Error("Matrix generation: the constrained degree of freedom " + std::to_string(dof) +
                  " does not exist; there are " + std::to_string(3 * connectivity.n_nodes) + ".");
}

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
