// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/linear_level.h"
#include "source/element/elements.h"
#include "source/parallel/node_numbers.h"

#include <strut/backend/backend.h>

#include <array>
#include <utility>

namespace strut
{
namespace
{
/// The vertex of a tetrahedron at each place of the cube.
constexpr std::array<std::uint32_t, 8> vertex_at = {{0, 1, 2, 3, 3, 2, 1, 0}};

/// The middle of the cube's edge between two vertices of a tetrahedron; a vertex for itself.
std::uint32_t place_between(const std::uint32_t a, const std::uint32_t b)
{
  constexpr std::uint32_t steps[] = {1, 3, 9};
  for (std::uint32_t from = 0; from < 8; ++from)
    for (std::uint32_t d = 0; d < 3; ++d)
      {
        std::uint32_t place = 0;
        for (std::uint32_t c = 0; c < 3; ++c)
          place += 2 * (from >> c & 1u) * steps[c];
        if (vertex_at[from] != a)
          continue;
        if (a == b)
          return place;
        if (vertex_at[from ^ (1u << d)] == b)
          return (from >> d & 1u) != 0 ? place - steps[d] : place + steps[d];
      }
  return 0; // All pairs of vertices are at the ends of an edge.
}

/// The numbers of the vertices among them, `[n_nodes + 1]`: that of a node which is none, and the
/// last one, are those of the next vertex.
std::vector<LocalIndex> number_vertices(const Communicator &communicator, const ElementMesh &mesh)
{
  std::vector<double> marks(mesh.n_nodes, 0.);
  for (std::size_t v = 0; v < mesh.type.n_vertices; ++v)
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      marks[mesh.node(e, v)] = 1.;
  marks = as_owners_have_it(*make_cpu_backend(1), communicator, mesh, std::move(marks));
  std::vector<LocalIndex> numbers(1, 0);
  for (const double mark : marks)
    numbers.push_back(numbers.back() + (mark > 0. ? 1 : 0));
  return numbers;
}

/// The exchange of the vertices alone.
HaloPattern vertices_of(const HaloPattern &nodes, const std::vector<LocalIndex> &numbers)
{
  HaloPattern vertices;
  for (const HaloPattern::Neighbour &of_nodes : nodes.neighbours)
    {
      HaloPattern::Neighbour neighbour;
      neighbour.rank         = of_nodes.rank;
      neighbour.ghosts_begin = numbers[of_nodes.ghosts_begin];
      neighbour.ghosts_end   = numbers[of_nodes.ghosts_end];
      for (const std::uint32_t node : of_nodes.send)
        if (numbers[node] < numbers[node + 1])
          neighbour.send.push_back(numbers[node]);
      if (!neighbour.send.empty() || neighbour.ghosts_end > neighbour.ghosts_begin)
        vertices.neighbours.push_back(std::move(neighbour));
    }
  return vertices;
}
} // namespace

bool has_linear_level(const Communicator &communicator, const ElementMesh &mesh)
{
  return mesh.type.n_nodes > mesh.type.n_vertices && !communicator.any(!mesh.dependent.empty());
}

CoarseLevel linear_level(const Communicator &communicator, const ElementMesh &mesh)
{
  const std::vector<LocalIndex> numbers = number_vertices(communicator, mesh);
  const std::size_t n_elements          = mesh.n_elements;
  CoarseLevel level;
  ElementMesh &linear = level.mesh;
  if (mesh.type.n_vertices == 4)
    linear.type = type_of<Tet4>();
  linear.n_components  = mesh.n_components;
  linear.n_elements    = n_elements;
  linear.n_owned_nodes = numbers[mesh.n_owned_nodes];
  linear.n_nodes       = numbers[mesh.n_nodes];
  linear.node_halo     = vertices_of(mesh.node_halo, numbers);
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      if (numbers[node] < numbers[node + 1])
        linear.coordinates.push_back(mesh.coordinates[d * mesh.n_nodes + node]);
  for (std::size_t v = 0; v < linear.type.n_nodes; ++v)
    for (std::size_t e = 0; e < n_elements; ++e)
      linear.connectivity.push_back(numbers[mesh.node(e, v)]);
  for (const LocalIndex dof : mesh.constrained_dofs)
    if (const LocalIndex node = dof / mesh.n_components; numbers[node] < numbers[node + 1])
      linear.constrained_dofs.push_back(mesh.n_components * numbers[node] +
                                        dof % mesh.n_components);
  linear.constrained_values.assign(linear.constrained_dofs.size(), 0.);

  LevelTransfer &transfer = level.transfer;
  transfer.n_coarse_nodes = linear.n_nodes;
  transfer.coarse_nodes   = linear.node_halo;
  transfer.n_children     = n_elements;
  for (std::size_t e = 0; e < n_elements; ++e)
    {
      transfer.parents.push_back(static_cast<LocalIndex>(e));
      transfer.parent_nodes.emplace_back();
      for (std::uint32_t place = 0; place < 8; ++place)
        transfer.parent_nodes.back()[place] =
          linear.node(e, linear.type.n_nodes == 4 ? vertex_at[place] : place);
    }
  return level;
}

std::vector<std::uint32_t> places_in_linear_element(const ElementType &type)
{
  return with_element(type, [](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    std::vector<std::uint32_t> places;
    if constexpr (Element::n_nodes > Element::n_vertices)
      for (int a = 0; a < Element::n_nodes; ++a)
        {
          if constexpr (Element::n_vertices == 8)
            places.push_back(static_cast<std::uint32_t>(
              Element::position(a, 0) + 3 * Element::position(a, 1) + 9 * Element::position(a, 2)));
          else
            places.push_back(a < 4 ? place_between(a, a)
                                   : place_between(Element::line_vertex(a - 4, 0),
                                                   Element::line_vertex(a - 4, 1)));
        }
    return places;
  });
}
} // namespace strut
