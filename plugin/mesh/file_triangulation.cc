// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/mesh/file_triangulation.h"

#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "plugin/mesh/bodies.h"
#include "plugin/mesh/jacobians.h"
#include "plugin/mesh/line_reader.h"

namespace strut::plugin
{
namespace
{
constexpr unsigned int none = FileMesh::none;

/// Its points in ascending order: the same for faces with the same points.
FileMesh::Face key_of(FileMesh::Face face)
{
  std::sort(face.begin(), face.end());
  return face;
}

/// Faces of the cells in deal.II's order, as turns around them with the normal pointing out.
constexpr unsigned int hexahedron_faces[6][4] = {
  {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
constexpr unsigned int tetrahedron_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

unsigned int n_vertices(const FileMesh::Cell &cell)
{
  return cell[4] == none ? 4 : 8;
}
unsigned int n_faces(const FileMesh::Cell &cell)
{
  return cell[4] == none ? 4 : 6;
}

FileMesh::Face face_of(const FileMesh::Cell &cell, const unsigned int f)
{
  if (cell[4] == none)
    return {{cell[tetrahedron_faces[f][0]],
             cell[tetrahedron_faces[f][1]],
             cell[tetrahedron_faces[f][2]],
             none}};
  FileMesh::Face face;
  for (unsigned int i = 0; i < 4; ++i)
    face[i] = cell[hexahedron_faces[f][i]];
  return face;
}

/// Whether two faces with the same points have the same normal.
bool same_turn(const FileMesh::Face &a, const FileMesh::Face &b)
{
  const unsigned int n = a[3] == none ? 3 : 4;
  const auto at        = std::find(b.begin(), b.begin() + n, a[0]) - b.begin();
  return b[static_cast<std::size_t>(at + 1) % n] == a[1];
}

std::string lines(const std::size_t a, const std::size_t b)
{
  return a == b
           ? "line " + std::to_string(a) + ", of which there are several instances,"
           : "lines " + std::to_string(std::min(a, b)) + " and " + std::to_string(std::max(a, b));
}

/// A face of a cell, to be sorted by its points.
struct CellFace
{
  FileMesh::Face key;
  unsigned int cell, face;

  bool operator<(const CellFace &other) const
  {
    return std::tie(key, cell) < std::tie(other.key, other.cell);
  }
};

class Builder
{
public:
  explicit Builder(FileMesh &mesh) : mesh_(mesh)
  {}

  void check()
  {
    require_distinct_points();
    orient();
    require_different_cells();
    require_positive_jacobians();
    find_faces();
  }

  MeshSets build(dealii::Triangulation<3, 3> &triangulation)
  {
    create(triangulation);
    MeshSets sets;
    sets.n_coarse_cells = static_cast<std::uint32_t>(mesh_.cells.size());
    for (const FileMesh::Group &group : mesh_.cell_groups)
      {
        sets.elements.push_back(
          {group.id, group.name, {group.members.begin(), group.members.end()}});
        std::sort(sets.elements.back().cells.begin(), sets.elements.back().cells.end());
      }
    for (const FileMesh::Group &group : mesh_.node_groups)
      add_nodes(triangulation, group, sets);
    add_faces(triangulation, sets);
    return sets;
  }

private:
  void require_distinct_points() const
  {
    for (std::size_t c = 0; c < mesh_.cells.size(); ++c)
      {
        FileMesh::Cell points = mesh_.cells[c];
        const auto end        = points.begin() + n_vertices(points);
        std::sort(points.begin(), end);
        if (std::adjacent_find(points.begin(), end) != end)
          LineReader::fail_at(
            mesh_.lines_of_cells[c],
            "a cell that has one of its nodes twice, or two of them at one place");
      }
  }

  /// As deal.II's readers do: cells that are inside out are turned.
  void orient()
  {
    for (FileMesh::Cell &cell : mesh_.cells)
      {
        double volume =
          0.; // six times that of the tetrahedra that the faces span with the first point
        const dealii::Point<3> &apex = mesh_.points[cell[0]];
        for (unsigned int f = 0; f < n_faces(cell); ++f)
          {
            const FileMesh::Face face = face_of(cell, f);
            for (unsigned int i = 1; i + 1 < (face[3] == none ? 3u : 4u); ++i)
              volume +=
                dealii::cross_product_3d(mesh_.points[face[i]] - mesh_.points[face[0]],
                                         mesh_.points[face[i + 1]] - mesh_.points[face[0]]) *
                (mesh_.points[face[0]] - apex);
          }
        if (volume < 0. && cell[4] == none)
          std::swap(cell[2], cell[3]);
        else if (volume < 0.)
          for (const unsigned int v : {0, 1, 4, 5})
            std::swap(cell[v], cell[v + 2]);
      }
  }

  void require_positive_jacobians() const
  {
    std::size_t n = 0, first = 0;
    for (std::size_t c = 0; c < mesh_.cells.size() && !mesh_.has_tetrahedra(); ++c)
      {
        std::array<dealii::Point<3>, 8> vertices;
        for (unsigned int v = 0; v < 8; ++v)
          vertices[v] = mesh_.points[mesh_.cells[c][v]];
        // not greater: also where lengths are no numbers any more
        if (!(minimum_scaled_jacobian(vertices) > 1e-6) && n++ == 0)
          first = c;
      }
    if (n > 0)
      throw MeshFileError(
        std::to_string(n) + " inverted or flat hexahedra out of " +
        std::to_string(mesh_.cells.size()) +
        " (Jacobian determinant not positive at a corner); the first is that of line " +
        std::to_string(mesh_.lines_of_cells[first]) +
        ". Mesh the region again, with smaller elements or with smoothing");
  }

  void require_different_cells() const
  {
    const auto sorted = mesh_.cells_by_points();
    std::size_t n = 0, at = 0;
    for (std::size_t i = 1; i < sorted.size(); ++i)
      if (sorted[i].first == sorted[i - 1].first && n++ == 0)
        at = i;
    if (n > 0)
      throw MeshFileError(std::to_string(n) + (n == 1 ? " element is" : " elements are") +
                          " there twice, with the same nodes: first those of " +
                          lines(mesh_.lines_of_cells[sorted[at - 1].second],
                                mesh_.lines_of_cells[sorted[at].second]) +
                          " (a part of the mesh was exported twice?)");
  }

  void find_faces()
  {
    for (unsigned int c = 0; c < mesh_.cells.size(); ++c)
      for (unsigned int f = 0; f < n_faces(mesh_.cells[c]); ++f)
        cell_faces_.push_back({key_of(face_of(mesh_.cells[c], f)), c, f});
    std::sort(cell_faces_.begin(), cell_faces_.end());
    for (std::size_t i = 1; i < cell_faces_.size(); ++i)
      {
        if (cell_faces_[i].key != cell_faces_[i - 1].key)
          continue;
        const CellFace &a = cell_faces_[i - 1], &b = cell_faces_[i];
        if (i > 1 && cell_faces_[i - 2].key == b.key)
          throw MeshFileError(
            "three elements share a face: those of " +
            lines(mesh_.lines_of_cells[cell_faces_[i - 2].cell], mesh_.lines_of_cells[a.cell]) +
            " and line " + std::to_string(mesh_.lines_of_cells[b.cell]));
        if (same_turn(face_of(mesh_.cells[a.cell], a.face), face_of(mesh_.cells[b.cell], b.face)))
          throw MeshFileError(
            "two elements are on the same side of their common face; they overlap, or one is inside out: " +
            lines(mesh_.lines_of_cells[a.cell], mesh_.lines_of_cells[b.cell]));
      }
  }

  void create(dealii::Triangulation<3, 3> &triangulation)
  {
    // in the order of the file, as deal.II's readers number them
    vertex_of_.assign(mesh_.points.size(), none);
    for (const FileMesh::Cell &cell : mesh_.cells)
      for (unsigned int v = 0; v < n_vertices(cell); ++v)
        vertex_of_[cell[v]] = 0;
    std::vector<dealii::Point<3>> vertices;
    for (std::size_t point = 0; point < vertex_of_.size(); ++point)
      if (vertex_of_[point] != none)
        {
          vertex_of_[point] = static_cast<unsigned int>(vertices.size());
          vertices.push_back(mesh_.points[point]);
        }
    std::vector<dealii::CellData<3>> cells(mesh_.cells.size());
    for (std::size_t c = 0; c < cells.size(); ++c)
      {
        cells[c].material_id = 0;
        cells[c].vertices.resize(n_vertices(mesh_.cells[c]));
        for (unsigned int v = 0; v < cells[c].vertices.size(); ++v)
          cells[c].vertices[v] = vertex_of_[mesh_.cells[c][v]];
      }
    for (const FileMesh::Group *group : from_large_to_small(mesh_.cell_groups))
      for (const unsigned int c : group->members)
        cells[c].material_id = group->id;
    if (!mesh_.has_tetrahedra())
      dealii::GridTools::consistently_order_cells(cells);
    triangulation.create_triangulation(vertices, cells, dealii::SubCellData());
  }

  static std::vector<const FileMesh::Group *>
  from_large_to_small(const std::vector<FileMesh::Group> &groups)
  {
    std::vector<const FileMesh::Group *> result;
    for (auto group = groups.rbegin(); group != groups.rend(); ++group)
      result.push_back(&*group);
    std::stable_sort(result.begin(), result.end(), [](const auto *a, const auto *b) {
      return a->members.size() > b->members.size();
    });
    return result;
  }

  /// The cell of a face in the file from which its normal points out (or the only one), and the other one.
  std::pair<const CellFace *, const CellFace *>
  cells_at(const FileMesh::Face &face, const std::size_t line, const std::string &group) const
  {
    const CellFace wanted = {key_of(face), 0, 0};
    const auto first      = std::lower_bound(cell_faces_.begin(), cell_faces_.end(), wanted);
    if (first == cell_faces_.end() || first->key != wanted.key)
      LineReader::fail_at(line,
                          "a face of " +
                            (group.empty() ? "a surface" : "the surface " + quote(group)) +
                            " is a face of no " +
                            (mesh_.has_tetrahedra() ? "tetrahedron" : "hexahedron"));
    const auto second = first + 1;
    if (second == cell_faces_.end() || second->key != wanted.key)
      return {&*first, nullptr};
    if (same_turn(face_of(mesh_.cells[first->cell], first->face), face))
      return {&*first, &*second};
    return {&*second, &*first};
  }

  void add_nodes(const dealii::Triangulation<3, 3> &triangulation,
                 const FileMesh::Group &group,
                 MeshSets &sets) const
  {
    MeshSets::Nodes nodes;
    nodes.name = group.name;
    std::vector<bool> in_set(triangulation.n_vertices(), false);
    std::vector<dealii::Point<3>> points;
    for (const unsigned int point : group.members)
      if (const unsigned int vertex = vertex_of_[point]; vertex != none && !in_set[vertex])
        {
          in_set[vertex] = true;
          points.push_back(mesh_.points[point]);
        }
    if (points.empty())
      return; // points for reference, say, which belong to no cell
    nodes.count = points.size();
    nodes.box   = dealii::BoundingBox<3>(points);
    for (const auto &cell : triangulation.cell_iterators_on_level(0))
      {
        unsigned int bits = 0;
        for (const unsigned int v : cell->vertex_indices())
          if (in_set[cell->vertex_index(v)])
            bits |= 1u << v;
        if (bits != 0)
          nodes.corners.emplace_back(cell->index(), bits);
      }
    sets.nodes.push_back(std::move(nodes));
  }

  void add_faces(dealii::Triangulation<3, 3> &triangulation, MeshSets &sets) const
  {
    std::map<const FileMesh::Group *, MeshSets::Faces> found;
    for (const FileMesh::Group *group : from_large_to_small(mesh_.face_groups))
      {
        MeshSets::Faces faces;
        faces.id   = group->id;
        faces.name = group->name;
        // both ways through each edge between interior faces: the same way twice is a turn against the other
        std::vector<std::pair<unsigned int, unsigned int>> edges;
        std::set<std::uint64_t> seen;
        for (const unsigned int member : group->members)
          {
            const FileMesh::Face &face = mesh_.faces[member];
            const auto [owner, other]  = cells_at(face, mesh_.lines_of_faces[member], group->name);
            const dealii::CellAccessor<3, 3> cell(&triangulation, 0, static_cast<int>(owner->cell));
            const unsigned int f = face_number(cell, face);
            if (!seen.insert(6ull * owner->cell + f).second)
              continue;
            if (other == nullptr)
              cell.face(f)->set_boundary_id(group->id);
            else
              {
                faces.has_interior = true;
                for (unsigned int i = 0; i < 4 && face[3] != none; ++i)
                  edges.emplace_back(face[i], face[(i + 1) % 4]);
              }
          }
        faces.faces.assign(seen.begin(), seen.end());
        std::sort(edges.begin(), edges.end());
        faces.has_two_sides = std::adjacent_find(edges.begin(), edges.end()) != edges.end();
        found[group]        = std::move(faces);
      }
    for (const FileMesh::Group &group : mesh_.face_groups)
      sets.faces.push_back(std::move(found[&group]));
  }

  /// Its number in the cell, whose vertices deal.II may have put into another order.
  unsigned int face_number(const dealii::CellAccessor<3, 3> &cell, const FileMesh::Face &face) const
  {
    FileMesh::Face wanted = face;
    for (unsigned int &point : wanted)
      point = point == none ? none : vertex_of_[point];
    wanted = key_of(wanted);
    for (const unsigned int f : cell.face_indices())
      {
        FileMesh::Face vertices = {{none, none, none, none}};
        for (const unsigned int v : cell.face(f)->vertex_indices())
          vertices[v] = cell.face(f)->vertex_index(v);
        if (key_of(vertices) == wanted)
          return f;
      }
    throw std::logic_error("a face is not where it was"); // find_faces() saw it
  }

  FileMesh &mesh_;
  std::vector<CellFace> cell_faces_;
  std::vector<unsigned int> vertex_of_; ///< of the triangulation, by point of the file
};
} // namespace

void merge_points(FileMesh &mesh, const double tolerance)
{
  const std::vector<unsigned int> first = first_of_coincident(mesh.points, tolerance);
  for (FileMesh::Cell &cell : mesh.cells)
    for (unsigned int &point : cell)
      point = point == none ? none : first[point];
  for (FileMesh::Face &face : mesh.faces)
    for (unsigned int &point : face)
      point = point == none ? none : first[point];
  for (FileMesh::Group &group : mesh.node_groups)
    for (unsigned int &point : group.members)
      point = first[point];
}

MeshSets make_triangulation(FileMesh mesh, dealii::Triangulation<3, 3> &triangulation)
{
  Builder builder(mesh);
  builder.check();
  return builder.build(triangulation);
}
} // namespace strut::plugin
