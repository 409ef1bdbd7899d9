// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/deck_mesh.h>

#include <algorithm>
#include <utility>

#include "plugin/deck/mesh/mesh_sets.h"
#include "source/base/parallel_loop.h"
#include "source/element/elements.h"
#include "source/mesh/faces.h"

namespace strut
{
DeckMesh::DeckMesh(ElementMesh mesh,
                   CoarseCells coarse,
                   CellKeys keys,
                   const unsigned int n_refinements,
                   const MeshSets *const sets)
  : elements(std::move(mesh))
  , coarse_(std::move(coarse))
  , keys_(std::move(keys))
  , n_refinements_(n_refinements)
  , nodes_of_faces_(nodes_of_faces(elements.type))
{
  list_named_faces(sets);
}

void DeckMesh::take_from_boundary(const std::vector<CoarseFace> &faces, const MeshSets *const sets)
{
  for (const CoarseFace &face : faces)
    coarse_.boundaries[face.cell][face.number] = CoarseCells::interior;
  list_named_faces(sets);
}

void DeckMesh::list_named_faces(const MeshSets *const sets)
{
  // For each coarse cell, a bit for each face that has a name.
  std::vector<std::uint8_t> is_named(coarse_.boundaries.size(), 0);
  const auto name = [&](const std::size_t cell, const std::size_t f) {
    is_named[cell] = static_cast<std::uint8_t>(is_named[cell] | 1u << f);
  };
  cpu::parallel_for(cpu::default_n_threads(), is_named.size(), [&](const std::size_t c) {
    for (std::size_t f = 0; f < n_faces(elements.type); ++f)
      if (coarse_.boundaries[c][f] != CoarseCells::interior)
        name(c, f);
  });
  if (sets != nullptr)
    for (const MeshSets::Faces &set : sets->faces)
      for (const std::uint64_t face : set.faces)
        name(face / 6, face % 6);

  const auto of_blocks = cpu::values_of_blocks(
    cpu::default_n_threads(),
    elements.n_elements,
    [&](const std::size_t begin, const std::size_t end) {
      std::vector<Face> faces;
      for (std::size_t e = begin; e < end; ++e)
        if (const std::uint8_t named = is_named[coarse_cell(e)]; named != 0)
          for (unsigned int f = 0; f < n_faces(elements.type); ++f)
            if ((named >> f & 1u) != 0 && is_on_coarse_face(e, f))
              faces.push_back({static_cast<LocalIndex>(e), static_cast<std::uint8_t>(f)});
      return faces;
    });
  named_faces_.clear();
  for (const std::vector<Face> &faces : of_blocks)
    named_faces_.insert(named_faces_.end(), faces.begin(), faces.end());
}

PlaceInCoarseCell DeckMesh::place(const std::size_t e) const
{
  PlaceInCoarseCell place{coarse_cell(e), {}, 1u << n_refinements_};
  for (unsigned int level = n_refinements_; level-- > 0;)
    for (unsigned int d = 0; d < 3; ++d)
      place.at[d] = 2 * place.at[d] + (keys_[e] >> (3 * level + d) & 1u);
  return place;
}

bool DeckMesh::is_on_coarse_face(const std::size_t e, const unsigned int f) const
{
  // The element is the lower or the upper child on all levels: 001001...
  const std::uint64_t bits = ((std::uint64_t(1) << 3 * n_refinements_) - 1) / 7 << f / 2;
  return (keys_[e] & bits) == (f % 2 == 0 ? 0 : bits);
}

bool DeckMesh::at_boundary(const std::size_t e, const unsigned int f) const
{
  return boundary_id(e, f) != CoarseCells::interior;
}

std::uint32_t DeckMesh::boundary_id(const std::size_t e, const unsigned int f) const
{
  const std::uint32_t id = coarse_.boundaries[coarse_cell(e)][f];
  return id != CoarseCells::interior && is_on_coarse_face(e, f) ? id : CoarseCells::interior;
}

dealii::Point<3> DeckMesh::location(const std::size_t node) const
{
  const std::size_t n = elements.n_nodes;
  return {elements.coordinates[node],
          elements.coordinates[n + node],
          elements.coordinates[2 * n + node]};
}

dealii::Point<3> DeckMesh::centre(const std::size_t e) const
{
  const std::array<double, 3> mean = elements.centre(e);
  return {mean[0], mean[1], mean[2]};
}

std::array<dealii::Point<3>, 4> DeckMesh::vertices(const Face &face) const
{
  std::array<dealii::Point<3>, 4> points;
  for (unsigned int k = 0; k < 4; ++k)
    points[k] = vertex(face.element,
                       elements.type.n_vertices == 4 ? around_triangle[face.number][std::min(k, 2u)]
                                                     : face_vertex(face.number, k));
  return points;
}

dealii::Point<3> DeckMesh::face_centre(const Face &face) const
{
  const std::array<dealii::Point<3>, 4> points = vertices(face);
  const unsigned int n                         = n_vertices_of_face();
  dealii::Point<3> sum;
  for (unsigned int k = 0; k < n; ++k)
    sum += points[k];
  return sum / static_cast<double>(n);
}

unsigned int DeckMesh::face_vertex(const unsigned int f, const unsigned int k)
{
  return strut::face_vertex(f, k & 1u, k >> 1);
}
} // namespace strut
