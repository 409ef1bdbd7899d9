// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/macro_lattice.h"

#include "source/mesh/faces.h"

namespace strut
{
namespace
{
unsigned int find_vertex(const MacroMesh::Face &face, const LocalIndex vertex)
{
  unsigned int v = 0;
  while (v < 3 && face.vertices[v] != vertex)
    ++v;
  return v;
}
} // namespace

// Without refinement faces have no inner points, so orientations_ is empty.
MacroLattice::MacroLattice(const MacroMesh &macro, const unsigned int n_refinements)
  : macro_(macro)
  , n_(std::size_t(1) << n_refinements)
  , inside_(n_ - 1)
  , first_of_edges_(macro.vertices.size())
  , first_of_faces_(first_of_edges_ + macro.edges.size() * inside_)
  , first_of_cells_(first_of_faces_ + macro.faces.size() * inside_ * inside_)
  , orientations_(n_refinements > 0 ? macro.cells.size() : 0)
{
  for (std::size_t c = 0; c < orientations_.size(); ++c)
    for (std::size_t f = 0; f < 6; ++f)
      {
        const MacroMesh::Cell &cell = macro.cells[c];
        const MacroMesh::Face &face = macro.faces[cell.faces[f]];
        const unsigned int origin   = find_vertex(face, cell.vertices[face_vertex(f, 0, 0)]);
        const unsigned int next     = find_vertex(face, cell.vertices[face_vertex(f, 1, 0)]);
        // along the first coordinate in the cell's frame the second one of the face changes
        const bool is_swapped = ((origin ^ next) & 1u) == 0;
        orientations_[c][f]   = static_cast<std::uint8_t>((is_swapped ? swapped : 0) |
                                                        ((origin & 1u) != 0 ? first_backward : 0) |
                                                        ((origin & 2u) != 0 ? second_backward : 0));
      }
}
} // namespace strut
