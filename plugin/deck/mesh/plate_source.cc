// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/plate_source.h"
#include "source/mesh/faces.h"

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

namespace strut
{
unsigned int PlateSource::create(dealii::Triangulation<3, 3> &triangulation) const
{
  const Plate made = plate();
  made.blocks.create(triangulation, made.thickness, made.layers);
  for (const auto &cell : triangulation.active_cell_iterators())
    for (const auto &face : cell->face_iterators())
      if (face->at_boundary())
        face->set_boundary_id(made.boundary_of(BlockFace::of(*face)));
  return made.refinements;
}

std::optional<CoarseMesh> PlateSource::create_cells() const
{
  const Plate made = plate();
  if (made.refinements > 0)
    return std::nullopt;
  CoarseMesh mesh = made.blocks.extrude(made.thickness, made.layers);
  connect(mesh);
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (unsigned int f = 0; f < 6; ++f)
      if (mesh.neighbours[c][f] == CoarseMesh::nobody)
        {
          BlockFace face;
          for (unsigned int v = 0; v < 4; ++v)
            face.vertices[v] = mesh.vertex(c, around_face[f][v]);
          mesh.names.boundaries[c][f] = made.boundary_of(face);
        }
  return mesh;
}
} // namespace strut
