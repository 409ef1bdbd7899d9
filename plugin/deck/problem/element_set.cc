// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/element_set.h"

#include <strut/region.h>

#include "plugin/deck/problem/distance_to_faces.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/numbers_where.h"

namespace strut
{
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
        for (unsigned int v = 0; v < 8; ++v)
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
