// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/problem/element_set.h"

#include <strut/plugin/region.h>

#include "plugin/problem/numbers_where.h"

namespace strut::plugin
{
ElementSet select_elements(const DeckMesh &mesh, const Region &region)
{
  const auto holds = [&](const std::size_t e) {
    return region.has_element(mesh, e) && region.holds_at(mesh.centre(e));
  };
  if (!region.has_boundary_ids())
    return numbers_where(mesh.elements.n_elements, holds);

  ElementSet elements;
  for (const DeckMesh::Face &face : mesh.named_faces()) // by element
    if ((elements.empty() || elements.back() != face.element) && region.has_face(mesh, face) &&
        holds(face.element))
      elements.push_back(face.element);
  return elements;
}

Caught caught_elements(const ElementSet &elements, const DeckMesh &mesh)
{
  Caught caught;
  caught.set_kind(Caught::Kind::elements);
  for (const LocalIndex e : elements)
    {
      caught.count(mesh.elements.volumes[e]);
      for (unsigned int v = 0; v < 8; ++v)
        caught.include(mesh.vertex(e, v));
    }
  return caught;
}
} // namespace strut::plugin
