// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/region_members.h"

#include <strut/base/communicator.h>
#include <strut/region.h>

#include <atomic>
#include <cmath>

#include "plugin/base/host_halo.h"
#include "plugin/deck/problem/distance_to_faces.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/numbers_where.h"

namespace strut
{
namespace
{
/// Marks that several threads may set.
using Marks = std::vector<std::atomic<std::uint8_t>>;

/// Marks the nodes of boundaries and materials of a region, on this rank's elements.
/// @param sets  whether to mark nodes of node sets, too
void mark_nodes(const DeckMesh &mesh, const Region &region, const bool sets, Marks &marks)
{
  const int n_threads = cpu::default_n_threads();
  const auto mark = [&](const LocalIndex node) { marks[node].store(1, std::memory_order_relaxed); };
  if (region.has_boundary_ids())
    {
      const std::vector<DeckMesh::Face> &faces = mesh.named_faces();
      cpu::parallel_for(n_threads, faces.size(), [&](const std::size_t i) {
        const DeckMesh::Face &face = faces[i];
        if (region.has_face(mesh, face) && region.has_element(mesh, face.element))
          mesh.for_each_node(face, mark);
      });
    }
  if (!region.has_boundary_ids() || (sets && region.has_node_sets()))
    cpu::parallel_for(n_threads, mesh.elements.n_elements, [&](const std::size_t e) {
      if (region.has_element(mesh, e))
        for (unsigned int v = 0; v < mesh.elements.type.n_nodes; ++v)
          if (!region.has_boundary_ids() || region.has_node(mesh, e, v))
            mark(mesh.node(e, v));
    });
}
} // namespace

NodeSet
select_nodes(const DeckMesh &mesh, MPI_Comm communicator, const Region &region, const bool sets)
{
  const bool any_node = !region.has_boundary_ids() && !region.has_material_ids();
  Marks marks(any_node ? 0 : mesh.elements.n_nodes);
  if (!any_node)
    {
      mark_nodes(mesh, region, sets, marks);
      if (Communicator(communicator).size() > 1)
        {
          const HaloBorder border(mesh.elements.node_halo);
          std::vector<double> numbers = border.take(marks, 1);
          add_to_owners(communicator, border, numbers);
          for (std::size_t k = 0; k < border.n_owned; ++k)
            marks[border.entities[k]] = numbers[k] > 0. ? 1 : 0;
        }
    }
  return numbers_where(mesh.elements.n_owned_nodes, [&](const std::size_t i) {
    return (any_node || marks[i].load(std::memory_order_relaxed) > 0) &&
           region.holds_at(mesh.location(i));
  });
}

NodesByFaces count_nodes_by_faces(const DeckMesh &mesh, MPI_Comm communicator, const Region &region)
{
  const Communicator ranks(communicator);
  const std::size_t on_faces =
    ranks.sum(select_nodes(mesh, communicator, region, /*sets*/ false).size());
  return {on_faces, ranks.sum(select_nodes(mesh, communicator, region).size()) - on_faces};
}

SelectedPart selected_nodes(const NodeSet &nodes, const DeckMesh &mesh, const Region &region)
{
  SelectedPart selection;
  for (const LocalIndex node : nodes)
    {
      selection.count();
      selection.include(mesh.location(node));
    }
  bool whole_boundary = true;
  for (const DeckMesh::Face &face : mesh.named_faces())
    if (whole_boundary && mesh.at_boundary(face.element, face.number))
      {
        whole_boundary = region.has_face(mesh, face) && region.has_element(mesh, face.element);
        for (const dealii::Point<3> &vertex : mesh.vertices(face))
          whole_boundary = whole_boundary && region.holds_at(vertex);
      }
  selection.set_whole_boundary(whole_boundary);
  return selection;
}

NodeSet select_plane(const DeckMesh &mesh,
                     const unsigned int component,
                     const double value,
                     const double tolerance)
{
  const double *const coordinates = &mesh.elements.coordinates[component * mesh.elements.n_nodes];
  return numbers_where(mesh.elements.n_owned_nodes, [&](const std::size_t i) {
    return std::abs(coordinates[i] - value) < tolerance;
  });
}

ElementSet select_elements(const DeckMesh &mesh,
                           MPI_Comm communicator,
                           const Region &region,
                           const double distance)
{
  const auto holds = [&](const std::size_t e) {
    return region.has_element(mesh, e) && region.holds_at(mesh.centre(e));
  };
  if (!region.has_boundary_ids())
    return numbers_where(mesh.elements.n_elements, holds);

  std::vector<DeckMesh::Face> faces; // in the order of their elements
  for (const DeckMesh::Face &face : mesh.named_faces())
    if (region.has_face(mesh, face))
      faces.push_back(face);
  std::vector<bool> has_face(mesh.elements.n_elements, false);
  for (const DeckMesh::Face &face : faces)
    has_face[face.element] = true;
  if (distance == 0.)
    return numbers_where(has_face.size(),
                         [&](const std::size_t e) { return has_face[e] && holds(e); });
  const DistanceToFaces boundary(mesh, faces, communicator);
  return numbers_where(has_face.size(), [&](const std::size_t e) {
    return (has_face[e] || boundary.is_within(distance, mesh.centre(e))) && holds(e);
  });
}

SelectedPart selected_elements(const ElementSet &elements, const DeckMesh &mesh)
{
  SelectedPart selection;
  selection.set_kind(SelectedPart::Kind::elements);
  const auto of_block = [&](const std::size_t begin, const std::size_t end) {
    SelectedPart part;
    for (std::size_t i = begin; i < end; ++i)
      {
        part.count(mesh.elements.volumes[elements[i]]);
        for (unsigned int v = 0; v < mesh.elements.type.n_nodes; ++v)
          part.include(mesh.vertex(elements[i], v));
      }
    return part;
  };
  for (const SelectedPart &part :
       cpu::values_of_blocks(cpu::default_n_threads(), elements.size(), of_block))
    selection.add(part);
  return selection;
}
} // namespace strut
