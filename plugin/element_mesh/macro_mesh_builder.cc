// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/macro_mesh_builder.h"

#include <deal.II/base/array_view.h>

#include <deal.II/grid/manifold.h>
#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <strut/base/exceptions.h>

namespace strut
{
namespace
{
/// The manifold of an edge, a face or a cell.
template <typename Object>
std::uint32_t manifold_of(const Object &object)
{
  const dealii::types::manifold_id id = object.manifold_id();
  return id == dealii::numbers::flat_manifold_id ? MacroMesh::flat : id;
}

template <typename Object, std::size_t n>
void copy_vertices(const Object &object, std::array<LocalIndex, n> &vertices)
{
  for (unsigned int v = 0; v < n; ++v)
    vertices[v] = object.vertex_index(v);
}
} // namespace

MacroMesh build_macro_mesh(const dealii::Triangulation<3, 3> &triangulation)
{
  if (triangulation.n_levels() > 1)
    throw Error("A macro mesh must not be refined yet.");
  MacroMesh macro;
  for (const dealii::Point<3> &vertex : triangulation.get_vertices())
    macro.vertices.push_back({{vertex[0], vertex[1], vertex[2]}});

  // Edges and faces are numbered as in deal.II, including unused ones.
  macro.edges.resize(triangulation.n_raw_lines());
  macro.faces.resize(triangulation.n_raw_quads());
  macro.cells.resize(triangulation.n_cells());
  for (const auto &cell : triangulation.cell_iterators())
    {
      MacroMesh::Cell &own = macro.cells[static_cast<std::size_t>(cell->index())];
      own.manifold         = manifold_of(*cell);
      copy_vertices(*cell, own.vertices);
      for (const unsigned int l : cell->line_indices())
        own.edges[l] = static_cast<LocalIndex>(cell->line_index(l));
      for (const unsigned int f : cell->face_indices())
        {
          const auto quad       = cell->face(f);
          own.faces[f]          = static_cast<LocalIndex>(quad->index());
          MacroMesh::Face &face = macro.faces[own.faces[f]];
          face.manifold         = manifold_of(*quad);
          copy_vertices(*quad, face.vertices);
          for (const unsigned int l : quad->line_indices())
            {
              const auto line       = quad->line(l);
              face.edges[l]         = static_cast<LocalIndex>(line->index());
              MacroMesh::Edge &edge = macro.edges[face.edges[l]];
              edge.manifold         = manifold_of(*line);
              copy_vertices(*line, edge.vertices);
            }
        }
    }

  macro.new_point = [&triangulation](const std::uint32_t manifold,
                                     const std::size_t n,
                                     const MacroMesh::Point *points,
                                     const double *weights) {
    constexpr std::size_t most = 26; // edges, faces and vertices around the centre of a cell
    std::array<dealii::Point<3>, most> places;
    for (std::size_t i = 0; i < n; ++i)
      places[i] = dealii::Point<3>(points[i][0], points[i][1], points[i][2]);
    const dealii::Point<3> point = triangulation.get_manifold(manifold).get_new_point(
      dealii::ArrayView<const dealii::Point<3>>(places.data(), n),
      dealii::ArrayView<const double>(weights, n));
    return MacroMesh::Point{{point[0], point[1], point[2]}};
  };
  return macro;
}
} // namespace strut
