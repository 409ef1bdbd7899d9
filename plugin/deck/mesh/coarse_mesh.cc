// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/coarse_mesh.h"

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <sstream>
#include <tuple>
#include <type_traits>
#include <utility>

#include "source/base/bucket_sort.h"
#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"
#include "source/element/elements.h"
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
  mesh.vertices            = triangulation.get_vertices();
  const unsigned int level = triangulation.n_levels() - 1;
  const auto n             = static_cast<std::size_t>(triangulation.n_cells(level));
  mesh.cells.resize(n);
  mesh.names.materials.resize(n);
  mesh.names.boundaries.resize(n);
  mesh.neighbours.resize(n);
  for (const auto &cell : triangulation.cell_iterators_on_level(level))
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

std::vector<std::array<unsigned int, 4>> vertices_around_middles(const ElementType &type)
{
  return with_element(type, [](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    std::vector<std::array<unsigned int, 4>> result;
    for (int node = Element::n_vertices; node < Element::n_nodes; ++node)
      {
        std::vector<unsigned int> vertices;
        if constexpr (std::is_base_of_v<Tet10, Element>)
          for (const int end : {0, 1})
            vertices.push_back(static_cast<unsigned int>(Element::line_vertex(node - 4, end)));
        else
          for (int v = 0; v < Element::n_vertices; ++v)
            {
              bool is_around = true;
              for (int d = 0; d < 3; ++d)
                is_around = is_around && (Element::position(node, d) == 1 ||
                                          Element::position(node, d) == Element::position(v, d));
              if (is_around)
                vertices.push_back(static_cast<unsigned int>(v));
            }
        std::array<unsigned int, 4> &around = result.emplace_back();
        around.fill(CoarseMesh::nobody);
        if (vertices.size() <= around.size())
          std::copy(vertices.begin(), vertices.end(), around.begin());
      }
    return result;
  });
}

namespace
{
/// Vertex k of tetrahedron t of a hexahedron. Each tetrahedron goes along three edges from vertex 0
/// to vertex 7. The directions of the edges are a permutation, and where it is odd, the middle
/// vertices are exchanged so that the volume is positive.
constexpr unsigned int vertex_of_tetrahedron(const unsigned int t, const unsigned int k)
{
  constexpr unsigned int first[] = {0, 0, 1, 1, 2, 2}, second[] = {1, 2, 0, 2, 0, 1};
  const bool is_odd      = t == 1 || t == 2 || t == 5;
  const unsigned int one = 1u << first[t], two = one | 1u << second[t];
  const unsigned int vertices[] = {0, is_odd ? two : one, is_odd ? one : two, 7};
  return vertices[k];
}

/// Returns six tetrahedra in the place of each hexahedron.
CoarseMesh cut_to_tetrahedra(CoarseMesh hexahedra)
{
  CoarseMesh mesh;
  mesh.type     = type_of<Tet4>();
  mesh.vertices = std::move(hexahedra.vertices);
  for (std::size_t c = 0; c < hexahedra.cells.size(); ++c)
    for (unsigned int t = 0; t < 6; ++t)
      {
        CoarseMesh::Cell &cell = mesh.cells.emplace_back();
        for (unsigned int k = 0; k < 4; ++k)
          cell[k] = hexahedra.cells[c][vertex_of_tetrahedron(t, k)];
        mesh.names.materials.push_back(hexahedra.names.materials[c]);
      }
  connect(mesh);
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (unsigned int face = 0; face < 4; ++face)
      if (mesh.neighbours[c][face] == CoarseMesh::nobody)
        {
          // the face of the hexahedron that has all three vertices
          unsigned int at_0 = 7, at_1 = 7; // directions with coordinate 0, and 1
          for (const unsigned int k : around_triangle[face])
            {
              const unsigned int v = vertex_of_tetrahedron(static_cast<unsigned int>(c % 6), k);
              at_0 &= ~v;
              at_1 &= v;
            }
          const auto direction  = static_cast<unsigned int>(__builtin_ctz(at_0 | at_1));
          const unsigned int of = 2 * direction + (at_1 != 0 ? 1 : 0);
          if (hexahedra.neighbours[c / 6][of] != CoarseMesh::nobody)
            {
              const dealii::Point<3> at = mesh.centre(c);
              std::ostringstream text;
              text << "two hexahedra cut their common face along different diagonals, near ("
                   << at[0] << ", " << at[1] << ", " << at[2] << ')';
              throw Error(text.str());
            }
          mesh.names.boundaries[c][face] = hexahedra.names.boundaries[c / 6][of];
        }
  return mesh;
}

/// A node in the middle of a line or face, given by the vertices around it, and its place in
/// `middles`.
struct Middle
{
  std::array<unsigned int, 4> around;
  std::size_t place;

  bool operator<(const Middle &other) const
  {
    return std::tie(around, place) < std::tie(other.around, other.place);
  }
};
} // namespace

CoarseMesh mesh_of_type(const ElementType &type, CoarseMesh hexahedra)
{
  CoarseMesh mesh =
    type.n_vertices == 4 ? cut_to_tetrahedra(std::move(hexahedra)) : std::move(hexahedra);
  mesh.type                   = type;
  const std::size_t n_middles = type.n_nodes - type.n_vertices;
  mesh.middles.resize(n_middles * mesh.cells.size());
  const auto around = vertices_around_middles(type);
  std::vector<Middle> middles;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (std::size_t m = 0; m < n_middles; ++m)
      {
        const std::size_t place = n_middles * c + m;
        if (around[m][0] == CoarseMesh::nobody)
          {
            mesh.middles[place] = static_cast<unsigned int>(mesh.vertices.size());
            mesh.vertices.push_back(mesh.centre(c));
            continue;
          }
        Middle &middle = middles.emplace_back(Middle{around[m], place});
        for (unsigned int &vertex : middle.around)
          vertex = vertex == CoarseMesh::nobody ? vertex : mesh.cells[c][vertex];
        std::sort(middle.around.begin(), middle.around.end());
      }
  cpu::bucket_sort(
    cpu::default_n_threads(),
    mesh.vertices.size(),
    [](const Middle &middle) { return middle.around[0]; },
    middles);
  for (std::size_t i = 0; i < middles.size(); ++i)
    {
      if (i == 0 || middles[i].around != middles[i - 1].around)
        {
          dealii::Point<3> sum;
          double n = 0.;
          for (const unsigned int vertex : middles[i].around)
            if (vertex != CoarseMesh::nobody)
              {
                sum += mesh.vertices[vertex];
                n += 1.;
              }
          mesh.vertices.push_back(sum / n);
        }
      mesh.middles[middles[i].place] = static_cast<unsigned int>(mesh.vertices.size() - 1);
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
  const int n_threads   = cpu::default_n_threads();
  mesh.names.boundaries = cpu::filled_vector(n_threads, n, outside);
  mesh.neighbours       = cpu::filled_vector(n_threads, n, none);
  cpu::parallel_for(n_threads, sorted.size(), [&](const std::size_t i) {
    if (i == 0 || sorted[i].vertices != sorted[i - 1].vertices)
      return;
    const CellFace &a = sorted[i - 1], &b = sorted[i];
    mesh.neighbours[a.cell][a.number] = b.cell;
    mesh.neighbours[b.cell][b.number] = a.cell;
    for (const CellFace &face : {a, b})
      mesh.names.boundaries[face.cell][face.number] = CoarseCells::interior;
  });
}

void connect(CoarseMesh &mesh)
{
  const bool has_triangles = mesh.type.n_vertices == 4;
  const std::size_t n      = n_faces(mesh.type);
  std::vector<CellFace> faces(n * mesh.cells.size());
  cpu::parallel_for(cpu::default_n_threads(), mesh.cells.size(), [&](const std::size_t c) {
    for (unsigned int f = 0; f < n; ++f)
      {
        CellFace &face = faces[n * c + f];
        face.cell      = static_cast<unsigned int>(c);
        face.number    = f;
        for (unsigned int v = 0; v < 4; ++v)
          face.vertices[v] = !has_triangles ? mesh.cells[c][around_face[f][v]]
                             : v < 3        ? mesh.cells[c][around_triangle[f][v]]
                                            : CoarseMesh::nobody;
        std::sort(face.vertices.begin(), face.vertices.end());
      }
  });
  sort(mesh.vertices.size(), faces);
  connect(faces, mesh);
}
} // namespace strut
