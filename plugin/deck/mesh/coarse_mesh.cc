// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/coarse_mesh.h"

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <algorithm>
#include <tuple>

#include "source/base/bucket_sort.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/faces.h"

namespace strut
{
std::array<dealii::Point<3>, 4> CoarseMesh::around(const std::size_t cell,
                                                   const unsigned int face) const
{
  std::array<dealii::Point<3>, 4> points;
  for (unsigned int v = 0; v < 4; ++v)
    points[v] =
      vertex(cell,
             type.n_vertices == 4 ? around_triangle[face][std::min(v, 2u)] : around_face[face][v]);
  return points;
}

dealii::Point<3> CoarseMesh::centre(const std::size_t cell) const
{
  dealii::Point<3> sum;
  for (unsigned int v = 0; v < type.n_vertices; ++v)
    sum += vertex(cell, v);
  return sum / static_cast<double>(type.n_vertices);
}

CoarseMesh coarse_mesh_of(const dealii::Triangulation<3, 3> &triangulation)
{
  CoarseMesh mesh;
  mesh.vertices = triangulation.get_vertices();
  const auto n  = static_cast<std::size_t>(triangulation.n_cells(0));
  mesh.cells.resize(n);
  mesh.names.materials.resize(n);
  mesh.names.boundaries.resize(n);
  mesh.neighbours.resize(n);
  for (const auto &cell : triangulation.cell_iterators_on_level(0))
    {
      const auto c            = static_cast<std::size_t>(cell->index());
      mesh.names.materials[c] = cell->material_id();
      for (unsigned int v = 0; v < 8; ++v)
        mesh.cells[c][v] = cell->vertex_index(v);
      for (unsigned int f = 0; f < 6; ++f)
        {
          const bool outside = cell->at_boundary(f);
          mesh.names.boundaries[c][f] =
            outside ? cell->face(f)->boundary_id() : CoarseCells::interior;
          mesh.neighbours[c][f] =
            outside ? CoarseMesh::nobody : static_cast<std::uint32_t>(cell->neighbor_index(f));
        }
    }
  return mesh;
}

bool CellFace::operator<(const CellFace &other) const
{
  return std::tie(vertices, cell, number) < std::tie(other.vertices, other.cell, other.number);
}

void sort(const std::size_t n_vertices, std::vector<CellFace> &faces)
{
  cpu::bucket_sort(
    cpu::default_n_threads(),
    n_vertices,
    [](const CellFace &face) { return face.vertices[0]; },
    faces);
}

void connect(const std::vector<CellFace> &sorted, CoarseMesh &mesh)
{
  const std::size_t n = mesh.cells.size();
  std::array<std::uint32_t, 6> outside{}, none;
  none.fill(CoarseMesh::nobody);
  std::fill(outside.begin() + n_faces(mesh.type), outside.end(), CoarseCells::interior);
  mesh.names.materials.resize(n, 0);
  mesh.names.boundaries.assign(n, outside);
  mesh.neighbours.assign(n, none);
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (const CellFace &a = sorted[i - 1], &b = sorted[i]; a.vertices == b.vertices)
      {
        mesh.neighbours[a.cell][a.number] = b.cell;
        mesh.neighbours[b.cell][b.number] = a.cell;
        for (const CellFace &face : {a, b})
          mesh.names.boundaries[face.cell][face.number] = CoarseCells::interior;
      }
}

void connect(CoarseMesh &mesh)
{
  std::vector<CellFace> faces(6 * mesh.cells.size());
  cpu::parallel_for(cpu::default_n_threads(), mesh.cells.size(), [&](const std::size_t c) {
    for (unsigned int f = 0; f < 6; ++f)
      {
        CellFace &face = faces[6 * c + f];
        face.cell      = static_cast<unsigned int>(c);
        face.number    = f;
        for (unsigned int v = 0; v < 4; ++v)
          face.vertices[v] = mesh.cells[c][around_face[f][v]];
        std::sort(face.vertices.begin(), face.vertices.end());
      }
  });
  sort(mesh.vertices.size(), faces);
  connect(faces, mesh);
}
} // namespace strut
