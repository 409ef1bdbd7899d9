// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/file_triangulation.h"

#include <deal.II/base/tensor.h>

#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>

#include "plugin/base/coordinate_text.h"
#include "plugin/deck/mesh/bodies.h"
#include "plugin/deck/mesh/line_reader.h"
#include "source/base/bucket_sort.h"
#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"
#include "source/element/elements.h"
#include "source/mesh/faces.h"
#include "source/mesh/numbers_where.h"

namespace strut
{
namespace
{
constexpr unsigned int none = FileMesh::none;

/// Returns the points of a face in ascending order, which are equal for faces with the same points.
FileMesh::Face key_of(FileMesh::Face face)
{
  std::sort(face.begin(), face.end());
  return face;
}

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
    return {{cell[around_triangle[f][0]],
             cell[around_triangle[f][1]],
             cell[around_triangle[f][2]],
             none}};
  FileMesh::Face face;
  for (unsigned int i = 0; i < 4; ++i)
    face[i] = cell[around_face[f][i]];
  return face;
}

/// Whether two faces with the same points have the same normal.
bool same_turn(const FileMesh::Face &a, const FileMesh::Face &b)
{
  const unsigned int n = a[3] == none ? 3 : 4;
  const auto at        = std::find(b.begin(), b.begin() + n, a[0]) - b.begin();
  return b[static_cast<std::size_t>(at + 1) % n] == a[1];
}

/// Returns the first i < n for which holds(i) is true, or n. Several threads call holds().
template <typename Holds>
std::size_t first_where(const std::size_t n, const Holds &holds)
{
  std::size_t first = n;
  for (const std::size_t of_block : cpu::values_of_blocks(
         cpu::default_n_threads(), n, [&](const std::size_t begin, const std::size_t end) {
           std::size_t i = begin;
           while (i < end && !holds(i))
             ++i;
           return i < end ? i : n;
         }))
    first = std::min(first, of_block);
  return first;
}

std::string lines(const std::size_t a, const std::size_t b)
{
  return a == b
           ? "line " + std::to_string(a) + ", of which there are several instances,"
           : "lines " + std::to_string(std::min(a, b)) + " and " + std::to_string(std::max(a, b));
}

/// The vertices around a node between vertices; see vertices_around_middles().
using Around = std::array<unsigned int, 4>;

/// The node of the mirrored element at the place of each node after the vertices. Hexahedra
/// exchange the ends of the second direction, tetrahedra their vertices 2 and 3.
template <typename Element>
std::vector<std::size_t> mirrored_middles()
{
  const auto mirrored = [](const int node, const int d) {
    if constexpr (Element::n_vertices == 4)
      return Element::position(node, d == 0 ? 0 : 3 - d);
    else
      return d == 1 ? 2 - Element::position(node, d) : Element::position(node, d);
  };
  std::vector<std::size_t> result;
  for (int node = Element::n_vertices; node < Element::n_nodes; ++node)
    for (int other = Element::n_vertices; other < Element::n_nodes; ++other)
      if (Element::position(other, 0) == mirrored(node, 0) &&
          Element::position(other, 1) == mirrored(node, 1) &&
          Element::position(other, 2) == mirrored(node, 2))
        result.push_back(static_cast<std::size_t>(other - Element::n_vertices));
  return result;
}

/// A node in the middle of a line or face of a cell, given by the vertices around it, ascending.
struct MiddleOfCell
{
  Around around;
  unsigned int point, cell;

  bool operator<(const MiddleOfCell &other) const
  {
    return std::tie(around, point, cell) < std::tie(other.around, other.point, other.cell);
  }
};

class Builder
{
public:
  explicit Builder(FileMesh &mesh) : mesh_(mesh), n_middles_(mesh.n_middles())
  {
    around_ = vertices_around_middles(mesh.type);
    if (n_middles_ > 0)
      with_element(mesh.type, [&](const auto element) {
        using Element = std::decay_t<decltype(element)>;
        mirrored_     = mirrored_middles<Element>();
      });
  }

  void check()
  {
    require_distinct_points();
    orient();
    require_different_cells();
    require_common_middles();
    if (are_curved_tetrahedra())
      mesh_.type = type_of<Tet10Curved>();
    require_positive_jacobians();
    note_folded_cells();
    find_faces();
  }

  /// Returns the mesh and its sets.
  /// @param ordered  whether edges have the same direction in all cells, as deal.II needs
  FileCells build(const bool ordered)
  {
    make_cells(ordered);
    connect_cells(ordered);
    MeshSets sets;
    sets.n_coarse_cells = static_cast<std::uint32_t>(mesh_.cells.size());
    sets.note           = note_;
    for (const FileMesh::Group &group : mesh_.cell_groups)
      {
        sets.elements.push_back(
          {group.id, group.name, {group.members.begin(), group.members.end()}});
        if (auto &cells = sets.elements.back().cells; !std::is_sorted(cells.begin(), cells.end()))
          std::sort(cells.begin(), cells.end());
      }
    add_node_groups(mesh_, vertex_of_, coarse_, /*may_be_refined*/ ordered, sets);
    add_faces(sets);
    sets.unread_ids = mesh_.unread_ids;
    return {std::move(coarse_), std::move(sets)};
  }

private:
  void require_distinct_points() const
  {
    const auto has_a_point_twice = [this](const std::size_t c) {
      std::array<unsigned int, most_nodes_of_cell> points;
      const FileMesh::Cell &cell = mesh_.cells[c];
      auto end                   = std::copy_n(cell.begin(), n_vertices(cell), points.begin());
      end                        = std::copy_n(middles_of(c), n_middles_, end);
      std::sort(points.begin(), end);
      return std::adjacent_find(points.begin(), end) != end;
    };
    if (const std::size_t c = first_where(mesh_.cells.size(), has_a_point_twice);
        c < mesh_.cells.size())
      LineReader::fail_at(
        mesh_.lines_of_cells[c],
        std::string("a cell that has one of its nodes twice, or two of them at one place. ") +
          (mesh_.has_tetrahedra()
             ? "Mesh that place again"
             : "Collapsed hexahedra are wedges, "
               "pyramids or tetrahedra, which strut does not take: mesh that place with hexahedra of " +
                 std::string(n_middles_ == 0 ? "eight different "
                                             : std::to_string(8 + n_middles_) + " different ") +
                 "nodes; Gmsh's Mesh.SubdivisionAlgorithm = 2 splits the others into such"));
  }

  const unsigned int *middles_of(const std::size_t c) const
  {
    return mesh_.middles.data() + n_middles_ * c;
  }

  /// Turns cells that are inside out, as deal.II's readers do.
  void orient()
  {
    cpu::parallel_for(cpu::default_n_threads(), mesh_.cells.size(), [&](const std::size_t c) {
      FileMesh::Cell &cell = mesh_.cells[c];
      // Six times the volume: the sum over tetrahedra of the face triangles and the first point.
      double volume                = 0.;
      const dealii::Point<3> &apex = mesh_.points[cell[0]];
      for (unsigned int f = 0; f < n_faces(cell); ++f)
        {
          const FileMesh::Face face = face_of(cell, f);
          for (unsigned int i = 1; i + 1 < (face[3] == none ? 3u : 4u); ++i)
            volume += dealii::cross_product_3d(mesh_.points[face[i]] - mesh_.points[face[0]],
                                               mesh_.points[face[i + 1]] - mesh_.points[face[0]]) *
                      (mesh_.points[face[0]] - apex);
        }
      if (volume < 0. && cell[4] == none)
        std::swap(cell[2], cell[3]);
      else if (volume < 0.)
        for (const unsigned int v : {0, 1, 4, 5})
          std::swap(cell[v], cell[v + 2]);
      if (volume < 0. && n_middles_ > 0)
        {
          const std::vector<unsigned int> old(middles_of(c), middles_of(c) + n_middles_);
          for (std::size_t m = 0; m < n_middles_; ++m)
            mesh_.middles[n_middles_ * c + m] = old[mirrored_[m]];
        }
    });
  }

  /// Throws MeshFileError unless cells with a common line or face have a common node in its middle,
  /// and no such node is a vertex.
  void require_common_middles() const
  {
    if (n_middles_ == 0)
      return;
    std::vector<unsigned int> cell_of_vertex(mesh_.points.size(), none);
    for (std::size_t c = 0; c < mesh_.cells.size(); ++c)
      for (unsigned int v = 0; v < n_vertices(mesh_.cells[c]); ++v)
        cell_of_vertex[mesh_.cells[c][v]] = static_cast<unsigned int>(c);
    std::vector<MiddleOfCell> middles;
    middles.reserve(n_middles_ * mesh_.cells.size());
    for (std::size_t c = 0; c < mesh_.cells.size(); ++c)
      for (std::size_t m = 0; m < n_middles_; ++m)
        {
          const unsigned int point = middles_of(c)[m];
          if (const unsigned int other = cell_of_vertex[point]; other != none)
            throw MeshFileError(
              "a node is a vertex of one element and between vertices of another: those of " +
              lines(mesh_.lines_of_cells[c], mesh_.lines_of_cells[other]) + ", at " +
              place_text(mesh_.points[point]) +
              ". Mesh both sides with the same number of elements along each line");
          Around around = around_[m];
          if (around[0] == none)
            continue;
          for (unsigned int &vertex : around)
            vertex = vertex == none ? none : mesh_.cells[c][vertex];
          std::sort(around.begin(), around.end());
          middles.push_back({around, point, static_cast<unsigned int>(c)});
        }
    cpu::bucket_sort(
      cpu::default_n_threads(),
      mesh_.points.size(),
      [](const MiddleOfCell &middle) { return middle.around[0]; },
      middles);
    for (std::size_t i = 1; i < middles.size(); ++i)
      if (const MiddleOfCell &a = middles[i - 1], &b = middles[i];
          a.around == b.around && a.point != b.point)
        throw MeshFileError(
          std::string("two elements have different nodes in the middle of their common ") +
          (a.around[2] == none ? "line: those of " : "face: those of ") +
          lines(mesh_.lines_of_cells[a.cell], mesh_.lines_of_cells[b.cell]) + ", at " +
          place_text(mesh_.points[a.point]) + " and " + place_text(mesh_.points[b.point]) +
          ". 'Merge nodes' joins nodes at one place");
  }

  /// Whether these are tetrahedra of ten nodes, and a node is not in the middle of its line.
  bool are_curved_tetrahedra() const
  {
    if (mesh_.type != type_of<Tet10>())
      return false;
    for (std::size_t c = 0; c < mesh_.cells.size(); ++c)
      for (std::size_t m = 0; m < n_middles_; ++m)
        {
          const dealii::Point<3> &a     = mesh_.points[mesh_.cells[c][around_[m][0]]],
                                 &b     = mesh_.points[mesh_.cells[c][around_[m][1]]];
          const dealii::Point<3> middle = a + (b - a) / 2.;
          if (middle.distance(mesh_.points[middles_of(c)[m]]) > 1e-8 * a.distance(b))
            return true;
        }
    return false;
  }

  /// Returns the least scaled Jacobian of a cell: that of a hexahedron with eight nodes at its
  /// corners, that of others at their quadrature points, or at their nodes.
  template <typename Element>
  double minimum_jacobian(const std::size_t c, const bool at_nodes = false) const
  {
    if constexpr (std::is_same_v<Element, Hex8>)
      {
        std::array<dealii::Point<3>, 8> vertices;
        for (unsigned int v = 0; v < 8; ++v)
          vertices[v] = mesh_.points[mesh_.cells[c][v]];
        return minimum_scaled_jacobian(vertices);
      }
    else
      {
        double minimum = std::numeric_limits<double>::max();
        for (int q = 0; q < (at_nodes ? Element::n_nodes : Element::n_quadrature_points); ++q)
          {
            double x[3];
            if (at_nodes)
              for (int d = 0; d < 3; ++d)
                x[d] = 0.5 * Element::position(q, d);
            else
              Element::quadrature_point(q, x);
            std::array<dealii::Tensor<1, 3>, 3> columns;
            for (int node = 0; node < Element::n_nodes; ++node)
              {
                double gradient[3];
                Element::shape_gradient(node, x, gradient);
                const auto a = static_cast<std::size_t>(node);
                const dealii::Point<3> &point =
                  mesh_.points[node < Element::n_vertices ? mesh_.cells[c][a]
                                                          : middles_of(c)[a - Element::n_vertices]];
                for (unsigned int d = 0; d < 3; ++d)
                  columns[d] += gradient[d] * point;
              }
            const double lengths = columns[0].norm() * columns[1].norm() * columns[2].norm();
            const double volume  = dealii::cross_product_3d(columns[0], columns[1]) * columns[2];
            // written so that lengths that are not finite make it 0
            if (const double scaled = lengths > 0. ? volume / lengths : 0.; !(scaled >= minimum))
              minimum = std::isfinite(scaled) ? scaled : 0.;
          }
        return minimum;
      }
  }

  void require_positive_jacobians() const
  {
    if (!mesh_.cells.empty())
      with_element(mesh_.type, [&](const auto element) {
        using Element = std::decay_t<decltype(element)>;
        // written so that lengths that are not finite count as bad, too
        require_none_bad(
          [&](const std::size_t c) { return !(minimum_jacobian<Element>(c) > 1e-6); });
      });
  }

  /// Notes quadratic cells whose Jacobian determinant is not positive at a node. Their stiffness is
  /// that of their quadrature points.
  void note_folded_cells()
  {
    if (n_middles_ == 0)
      return;
    std::atomic<std::size_t> n(0);
    with_element(mesh_.type, [&](const auto element) {
      using Element = std::decay_t<decltype(element)>;
      cpu::parallel_for_long(cpu::default_n_threads(),
                             mesh_.cells.size(),
                             [&](const std::size_t c) {
                               if (!(minimum_jacobian<Element>(c, true) > 0.))
                                 ++n;
                             });
    });
    if (n > 0)
      note_ =
        "NOTE: " + std::to_string(n) + " of " + std::to_string(mesh_.cells.size()) +
        " elements are folded near a node: their Jacobian determinant is not positive there, though it is at the "
        "quadrature points, by which they are computed. Stresses near these nodes mean little. Mesh with smaller "
        "elements on curved surfaces, or with straight lines: in Gmsh, Mesh.SecondOrderLinear = 1";
  }

  /// Throws MeshFileError if there are cells whose Jacobian determinant is not positive.
  template <typename IsBad>
  void require_none_bad(const IsBad &is_bad) const
  {
    std::size_t n = 0, first = 0;
    for (const auto &[n_bad, first_bad] :
         cpu::values_of_blocks(cpu::default_n_threads(),
                               mesh_.cells.size(),
                               [&](const std::size_t begin, const std::size_t end) {
                                 std::pair<std::size_t, std::size_t> bad(0, 0); // count and first
                                 for (std::size_t c = begin; c < end; ++c)
                                   if (is_bad(c) && bad.first++ == 0)
                                     bad.second = c;
                                 return bad;
                               }))
      {
        first = n == 0 ? first_bad : first;
        n += n_bad;
      }
    const bool is_hex8 = mesh_.type == type_of<Hex8>();
    if (n > 0)
      throw MeshFileError(
        std::to_string(n) + " inverted or flat " +
          (mesh_.has_tetrahedra() ? "tetrahedra" : "hexahedra") + " out of " +
          std::to_string(mesh_.cells.size()) + " (Jacobian determinant not positive at a " +
          (is_hex8 ? "corner" : "quadrature point") + "); the first is that of line " +
          std::to_string(mesh_.lines_of_cells[first]) + ", with its centre at " +
          centre_of(mesh_.cells[first]) + ". Mesh the region again, with smaller elements" +
          (is_hex8          ? ", or with straight edges while they are split: in Gmsh, "
                              "Mesh.SecondOrderLinear = 1"
           : n_middles_ > 0 ? ", or with straight lines: in Gmsh, Mesh.SecondOrderLinear = 1"
                            : ""),
        places_of_cells(is_bad));
  }

  /// Returns the cells that meet a condition, for a page. Null for a mesh too large to be drawn,
  /// and for tetrahedra.
  template <typename Condition>
  std::shared_ptr<const FaultyElements> places_of_cells(const Condition &is_faulty) const
  {
    if (mesh_.cells.size() > FaultyElements::most_elements || mesh_.has_tetrahedra())
      return nullptr;
    const auto place = std::make_shared<FaultyElements>();
    for (std::size_t c = 0; c < mesh_.cells.size(); ++c)
      {
        FaultyElements::Vertices vertices;
        for (unsigned int v = 0; v < 8; ++v)
          for (unsigned int d = 0; d < 3; ++d)
            vertices[v][d] = mesh_.points[mesh_.cells[c][v]][d];
        (is_faulty(c) ? place->faulty : place->others).push_back(vertices);
      }
    return place;
  }

  /// Returns the mean of a cell's points: "(1, 0.5, 2)".
  std::string centre_of(const FileMesh::Cell &cell) const
  {
    dealii::Point<3> centre;
    for (unsigned int v = 0; v < n_vertices(cell); ++v)
      centre += mesh_.points[cell[v]];
    centre /= n_vertices(cell);
    return place_text(centre);
  }

  void require_different_cells() const
  {
    const std::vector<std::uint32_t> first = mesh_.first_of_equal_cells();
    std::size_t n = 0, at = 0; // a later cell with the least points
    FileMesh::Cell least{};
    for (std::size_t c = 0; c < first.size(); ++c)
      if (first[c] != c)
        {
          FileMesh::Cell points = mesh_.cells[c];
          std::sort(points.begin(), points.end());
          if (n++ == 0 || points < least)
            {
              at    = c;
              least = points;
            }
        }
    if (n > 0)
      throw MeshFileError(std::to_string(n) + (n == 1 ? " element is" : " elements are") +
                          " there twice, with the same nodes: first those of " +
                          lines(mesh_.lines_of_cells[first[at]], mesh_.lines_of_cells[at]) +
                          " (a part of the mesh was exported twice?)");
  }

  void find_faces()
  {
    const unsigned int n = mesh_.has_tetrahedra() ? 4 : 6;
    faces_ = cpu::filled_vector<CellFace>(cpu::default_n_threads(), n * mesh_.cells.size());
    cpu::parallel_for(cpu::default_n_threads(), mesh_.cells.size(), [&](const std::size_t c) {
      for (unsigned int f = 0; f < n; ++f)
        faces_[n * c + f] = {key_of(face_of(mesh_.cells[c], f)), static_cast<unsigned int>(c), f};
    });
    sort(mesh_.points.size(), faces_);
    const auto is_third = [this](const std::size_t i) {
      return i > 1 && faces_[i - 2].vertices == faces_[i].vertices;
    };
    const std::size_t i = first_where(faces_.size(), [&](const std::size_t k) {
      if (k == 0 || faces_[k].vertices != faces_[k - 1].vertices)
        return false;
      const CellFace &a = faces_[k - 1], &b = faces_[k];
      return is_third(k) || same_turn(face_of(mesh_.cells[a.cell], a.number),
                                      face_of(mesh_.cells[b.cell], b.number));
    });
    if (i == faces_.size())
      return;
    const std::size_t line_of_a = mesh_.lines_of_cells[faces_[i - 1].cell],
                      line_of_b = mesh_.lines_of_cells[faces_[i].cell];
    if (is_third(i))
      throw MeshFileError("three elements share a face: those of " +
                          lines(mesh_.lines_of_cells[faces_[i - 2].cell], line_of_a) +
                          " and line " + std::to_string(line_of_b));
    throw MeshFileError(
      "two elements are on the same side of their common face; they overlap, or one is inside out: " +
      lines(line_of_a, line_of_b));
  }

  void make_cells(const bool ordered)
  {
    // in the order of the file, as deal.II's readers number them
    const std::size_t n = mesh_.cells.size();
    vertex_of_.assign(mesh_.points.size(), none);
    const int n_threads = cpu::default_n_threads();
    const auto use      = [this](const unsigned int point) {
      __atomic_store_n(&vertex_of_[point], 0u, __ATOMIC_RELAXED);
    };
    cpu::parallel_for(n_threads, n, [&](const std::size_t c) {
      std::for_each_n(mesh_.cells[c].begin(), n_vertices(mesh_.cells[c]), use);
    });
    cpu::parallel_for(n_threads, mesh_.middles.size(), [&](const std::size_t i) {
      use(mesh_.middles[i]);
    });
    const std::vector<LocalIndex> used =
      numbers_where(vertex_of_.size(),
                    [this](const std::size_t point) { return vertex_of_[point] != none; });
    coarse_.vertices.resize(used.size());
    cpu::parallel_for(n_threads, used.size(), [&](const std::size_t vertex) {
      vertex_of_[used[vertex]] = static_cast<unsigned int>(vertex);
      coarse_.vertices[vertex] = mesh_.points[used[vertex]];
    });
    coarse_.type    = mesh_.type;
    coarse_.middles = cpu::filled_vector<unsigned int>(n_threads, mesh_.middles.size());
    cpu::parallel_for(n_threads, mesh_.middles.size(), [&](const std::size_t i) {
      coarse_.middles[i] = vertex_of_[mesh_.middles[i]];
    });
    coarse_.cells = cpu::filled_vector<CoarseMesh::Cell>(n_threads, n);
    cpu::parallel_for(n_threads, n, [&](const std::size_t c) {
      for (unsigned int v = 0; v < 8; ++v)
        coarse_.cells[c][v] = mesh_.cells[c][v] == none ? none : vertex_of_[mesh_.cells[c][v]];
    });
    coarse_.names.materials.assign(n, number_of_no_group(mesh_.cell_groups));
    for (const FileMesh::Group *group : from_large_to_small(mesh_.cell_groups))
      for (const unsigned int c : group->members)
        coarse_.names.materials[c] = group->id;
    if (!ordered || mesh_.has_tetrahedra())
      return;
    std::vector<dealii::CellData<3>> cells(n);
    for (std::size_t c = 0; c < n; ++c)
      cells[c].vertices.assign(coarse_.cells[c].begin(), coarse_.cells[c].end());
    dealii::GridTools::consistently_order_cells(cells);
    for (std::size_t c = 0; c < n; ++c)
      std::copy_n(cells[c].vertices.begin(), 8, coarse_.cells[c].begin());
  }

  void connect_cells(const bool ordered)
  {
    if (!ordered || mesh_.has_tetrahedra())
      return connect(faces_, coarse_);
    std::vector<CellFace> faces = faces_;
    cpu::parallel_for(cpu::default_n_threads(), faces.size(), [&](const std::size_t i) {
      faces[i].number =
        face_number(faces[i].cell, face_of(mesh_.cells[faces[i].cell], faces[i].number));
    });
    connect(faces, coarse_);
  }

  /// Returns 0 or, if that is a group, the first number that is not one.
  static unsigned int number_of_no_group(const std::vector<FileMesh::Group> &groups)
  {
    std::set<unsigned int> taken;
    for (const FileMesh::Group &group : groups)
      taken.insert(group.id);
    unsigned int number = 0;
    while (taken.count(number) > 0)
      ++number;
    return number;
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

  /// Returns the cell from which the normal of a face of the file points outwards (or the only
  /// one), and the other one. Missing cells are null.
  std::pair<const CellFace *, const CellFace *> cells_at(const FileMesh::Face &face) const
  {
    const CellFace wanted = {key_of(face), 0, 0};
    const auto first      = std::lower_bound(faces_.begin(), faces_.end(), wanted);
    if (first == faces_.end() || first->vertices != wanted.vertices)
      return {nullptr, nullptr};
    const auto second = first + 1;
    if (second == faces_.end() || second->vertices != wanted.vertices)
      return {&*first, nullptr};
    if (same_turn(face_of(mesh_.cells[first->cell], first->number), face))
      return {&*first, &*second};
    return {&*second, &*first};
  }

  void add_faces(MeshSets &sets)
  {
    const unsigned int no_group = number_of_no_group(mesh_.face_groups);
    auto &boundaries            = coarse_.names.boundaries;
    cpu::parallel_for(cpu::default_n_threads(), boundaries.size(), [&](const std::size_t c) {
      for (std::uint32_t &id : boundaries[c])
        id = id == CoarseCells::interior ? id : no_group;
    });
    std::map<const FileMesh::Group *, MeshSets::Faces> found;
    for (const FileMesh::Group *group : from_large_to_small(mesh_.face_groups))
      {
        MeshSets::Faces faces;
        faces.id   = group->id;
        faces.name = group->name;
        // Consistent faces pass each interior edge in both directions: twice the same way means
        // opposite normals.
        std::vector<std::pair<unsigned int, unsigned int>> edges;
        std::set<std::uint64_t> seen;
        for (const unsigned int member : group->members)
          {
            const FileMesh::Face &face = mesh_.faces[member];
            const auto [owner, other]  = cells_at(face);
            if (owner == nullptr)
              LineReader::fail_at(mesh_.lines_of_faces[member],
                                  "a face of " +
                                    (group->name.empty() ? "a surface"
                                                         : "the surface " + quote(group->name)) +
                                    " is a face of no " +
                                    (mesh_.has_tetrahedra() ? "tetrahedron" : "hexahedron"));
            const unsigned int f = face_number(owner->cell, face);
            if (!seen.insert(6ull * owner->cell + f).second)
              continue;
            if (other == nullptr)
              coarse_.names.boundaries[owner->cell][f] = group->id;
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

    std::set<std::uint64_t> numbered_0;
    for (const unsigned int member : mesh_.faces_numbered_0)
      if (const auto [owner, other] = cells_at(mesh_.faces[member]);
          owner != nullptr && other == nullptr)
        if (const unsigned int f = face_number(owner->cell, mesh_.faces[member]);
            coarse_.names.boundaries[owner->cell][f] == no_group)
          numbered_0.insert(6ull * owner->cell + f);
    sets.n_faces_numbered_0 = numbered_0.size();
    if (!numbered_0.empty())
      for (const auto &of_cell : boundaries)
        sets.n_faces_without_number +=
          static_cast<std::size_t>(std::count(of_cell.begin(), of_cell.end(), no_group));
    sets.n_faces_without_number -= sets.n_faces_numbered_0;
  }

  /// Returns the number in the coarse cell of a face of the file, whose vertices may be in another
  /// order.
  unsigned int face_number(const unsigned int cell, FileMesh::Face face) const
  {
    for (unsigned int &point : face)
      point = point == none ? none : vertex_of_[point];
    const FileMesh::Face wanted = key_of(face);
    unsigned int f              = 0;
    // find_faces() has checked that it exists
    while (key_of(face_of(coarse_.cells[cell], f)) != wanted)
      ++f;
    return f;
  }

  FileMesh &mesh_;
  std::size_t n_middles_;               ///< nodes of a cell after its vertices
  std::vector<Around> around_;          ///< vertices of the element around each of them
  std::vector<std::size_t> mirrored_;   ///< place of each in the mirrored element
  std::vector<CellFace> faces_;         ///< faces by their points in the file, sorted
  std::vector<unsigned int> vertex_of_; ///< vertex of each point of the file
  CoarseMesh coarse_;
  std::string note_; ///< MeshSets::note
};
} // namespace

double minimum_scaled_jacobian(const std::array<dealii::Point<3>, 8> &vertices)
{
  double minimum = std::numeric_limits<double>::max();
  for (unsigned int v = 0; v < 8; ++v)
    {
      std::array<dealii::Tensor<1, 3>, 3> edges;
      double lengths = 1.;
      for (unsigned int d = 0; d < 3; ++d)
        {
          // Edges go from the lower to the higher vertex, so that the three stay right-handed.
          edges[d] = vertices[v | (1u << d)] - vertices[v & ~(1u << d)];
          lengths *= edges[d].norm();
        }
      const double volume = dealii::cross_product_3d(edges[0], edges[1]) * edges[2];
      minimum             = std::min(minimum, lengths > 0. ? volume / lengths : 0.);
    }
  return minimum;
}

std::size_t merge_points(FileMesh &mesh, const double tolerance)
{
  const std::vector<unsigned int> first = first_of_coincident(mesh.points, tolerance);
  std::vector<bool> is_merged(mesh.points.size(), false);
  for (FileMesh::Cell &cell : mesh.cells)
    for (unsigned int &point : cell)
      if (point != none && first[point] != point)
        {
          is_merged[point] = true;
          point            = first[point];
        }
  for (unsigned int &point : mesh.middles)
    if (first[point] != point)
      {
        is_merged[point] = true;
        point            = first[point];
      }
  for (FileMesh::Face &face : mesh.faces)
    for (unsigned int &point : face)
      point = point == none ? none : first[point];
  for (FileMesh::Group &group : mesh.node_groups)
    {
      for (unsigned int &point : group.members)
        point = first[point];
      for (auto &[a, b] : group.edges)
        {
          a = first[a];
          b = first[b];
        }
    }
  return static_cast<std::size_t>(std::count(is_merged.begin(), is_merged.end(), true));
}

FileCells make_cells(FileMesh mesh)
{
  Builder builder(mesh);
  builder.check();
  return builder.build(/*ordered*/ false);
}

MeshSets make_triangulation(FileMesh mesh, dealii::Triangulation<3, 3> &triangulation)
{
  Builder builder(mesh);
  builder.check();
  FileCells made           = builder.build(/*ordered*/ true);
  const CoarseMesh &coarse = made.coarse;
  std::vector<dealii::CellData<3>> cells(coarse.cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c)
    {
      cells[c].material_id = coarse.names.materials[c];
      cells[c].vertices.assign(coarse.cells[c].begin(),
                               coarse.cells[c].begin() + n_vertices(coarse.cells[c]));
    }
  triangulation.create_triangulation(coarse.vertices, cells, dealii::SubCellData());
  for (const auto &cell : triangulation.cell_iterators_on_level(0))
    for (const unsigned int f : cell->face_indices())
      if (cell->at_boundary(f))
        cell->face(f)->set_boundary_id(
          coarse.names.boundaries[static_cast<std::size_t>(cell->index())][f]);
  return std::move(made.sets);
}
} // namespace strut
