// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/surface.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "plugin/base/attempt.h"
#include "plugin/deck/output/boundary_faces.h"
#include "plugin/deck/output/level_loops.h"
#include "plugin/deck/output/touching_sheets.h"
#include "source/base/parallel_loop.h"
#include "source/element/hexahedra_of_vertices.h"
#include "source/element/iso_cell.h"
#include "source/mesh/faces.h"
#include "source/parallel/nodes_of_several_ranks.h"

namespace strut
{
namespace
{
class SurfaceMaker
{
public:
  SurfaceMaker(MPI_Comm communicator, const LevelOnMesh &level)
    : communicator_(communicator), level_(level), mesh_(level.mesh)
  {}

  Surface make()
  {
    attempt_together(Communicator(communicator_), [this] { loops_.emplace(level_); });
    const std::vector<std::uint8_t> is_shared = nodes_of_several_ranks(mesh_);
    const std::vector<BoundaryFace> faces     = boundary_faces(communicator_, level_, is_shared);
    surface_                                  = loops_->make();

    const std::vector<Polygons> polygons = all_polygons(faces);
    std::vector<EdgePart> uses;
    for (const Polygons &of_faces : polygons)
      uses.insert(uses.end(), of_faces.uses.begin(), of_faces.uses.end());
    const TouchingSheets sheets(
      communicator_, mesh_, level_.numbers, is_shared, std::move(uses), level_.n_threads);
    attempt_together(Communicator(communicator_), [&] {
      for (const Polygons &of_faces : polygons)
        for (const Polygon &polygon : of_faces.list)
          add_polygon(polygon, sheets);
      require_numbers_of_surface(std::max(surface_.vertices.size(), surface_.triangles.size()));
    });
    return std::move(surface_);
  }

private:
  using Corner = LevelOnMesh::Corner;

  /// A convex polygon on a face of an element.
  struct Polygon
  {
    std::size_t element;
    std::uint64_t number; ///< number among the polygons of this element
    std::vector<Corner> points;
    /// The vertices that loops have at the points; of_no_loop elsewhere.
    std::vector<std::uint32_t> of_loops;
  };
  static constexpr std::uint32_t of_no_loop = std::numeric_limits<std::uint32_t>::max();

  /// The polygons of some faces.
  struct Polygons
  {
    std::vector<Polygon> list;
    std::vector<EdgePart> uses; ///< parts of mesh edges that are sides of polygons
  };

  std::vector<Polygons> all_polygons(const std::vector<BoundaryFace> &faces) const
  {
    constexpr std::size_t faces_of_block = 256;
    std::vector<Polygons> polygons((faces.size() + faces_of_block - 1) / faces_of_block);
    cpu::parallel_blocks(level_.n_threads,
                         faces.size(),
                         faces_of_block,
                         [&](const std::size_t begin, const std::size_t end) {
                           polygons[begin / faces_of_block] = polygons_of(faces, begin, end);
                         });
    return polygons;
  }

  /// The polygons of the faces in [begin, end).
  Polygons polygons_of(const std::vector<BoundaryFace> &faces,
                       const std::size_t begin,
                       const std::size_t end) const
  {
    Polygons found;
    for_each_polygon(faces, begin, end, [&](Polygon &polygon) {
      for (std::size_t i = 0; i < polygon.points.size(); ++i)
        {
          if (const auto part = part_of_edge(polygon, i))
            found.uses.push_back(*part);
          const auto [first, last] = level_.ordered(polygon.points[i]);
          polygon.of_loops.push_back(
            first == last ? of_no_loop : loops_->vertex(first, last).value_or(of_no_loop));
        }
      found.list.push_back(std::move(polygon));
    });
    return found;
  }

  /// Number of the element of a polygon over all ranks.
  std::uint64_t number(const Polygon &polygon) const
  {
    return level_.numbers.first_element() + polygon.element;
  }

  std::uint32_t add_vertex(const Surface::Key &key, const std::array<double, 3> &place)
  {
    surface_.keys.push_back(key);
    surface_.vertices.push_back(place);
    return static_cast<std::uint32_t>(surface_.vertices.size() - 1);
  }

  /// The vertex at point i of a polygon.
  std::uint32_t vertex(const Polygon &polygon, const std::size_t i)
  {
    if (polygon.of_loops[i] != of_no_loop)
      return polygon.of_loops[i];
    const Corner &corner      = polygon.points[i];
    const auto [first, last]  = level_.ordered(corner);
    const std::uint64_t local = std::uint64_t(first) << 32 | last;
    if (const auto found = known_.find(local); found != known_.end())
      return found->second;
    const std::uint32_t index =
      add_vertex({{level_.numbers(first), level_.numbers(last)}}, level_.place(corner));
    known_.emplace(local, index);
    return index;
  }

  std::array<double, 3> mean_place(const std::vector<std::uint32_t> &points) const
  {
    std::array<double, 3> mean{};
    for (const std::uint32_t point : points)
      for (std::size_t d = 0; d < 3; ++d)
        mean[d] += surface_.vertices[point][d];
    for (double &x : mean)
      x /= static_cast<double>(points.size());
    return mean;
  }

  /// The part of a mesh edge that is side i of a polygon, if there is one.
  std::optional<EdgePart> part_of_edge(const Polygon &polygon, const std::size_t i) const
  {
    const Corner &a = polygon.points[i], &b = polygon.points[(i + 1) % polygon.points.size()];
    const bool is_node_a = a.first == a.second, is_node_b = b.first == b.second;
    if (!is_node_a && !is_node_b)
      return std::nullopt;
    const LocalIndex end   = is_node_a ? a.first : b.first;
    const Corner edge      = !is_node_a ? a : !is_node_b ? b : Corner(a.first, b.first);
    const auto [low, high] = std::minmax({level_.numbers(edge.first), level_.numbers(edge.second)});
    return EdgePart{{low, high, level_.field[end] >= level_.level ? 1u : 0u}};
  }

  /// The vertex of one wedge on side i of a polygon: the middle of the side, moved slightly into
  /// the wedge.
  std::uint32_t
  vertex_of_wedge(const Polygon &polygon, const std::size_t i, const TouchingSheets::Wedge &wedge)
  {
    if (const auto found = of_wedge_.find(wedge.number); found != of_wedge_.end())
      return found->second;
    const std::size_t after = (i + 1) % polygon.points.size();
    const Corner &a = polygon.points[i], &b = polygon.points[after];
    double share = 1.; // fraction of the edge
    for (const auto &[cut_corner, end] : {std::make_pair(a, b.first), std::make_pair(b, a.first)})
      if (cut_corner.first != cut_corner.second)
        {
          const double t = level_.cut(cut_corner);
          share          = end == level_.ordered(cut_corner).first ? t : 1. - t;
        }
    std::uint32_t begin = vertex(polygon, i), end = vertex(polygon, after);
    if (surface_.keys[end] < surface_.keys[begin]) // gives the same bits on every rank
      std::swap(begin, end);
    const std::array<double, 3> middle =
      LevelOnMesh::on_way(surface_.vertices[begin], surface_.vertices[end], 0.5);
    const std::uint32_t index = add_vertex(
      {{Surface::beside_edge, wedge.number}},
      LevelOnMesh::on_way(middle, wedge.centre, std::min(4. * level_.separation, 0.25 * share)));
    of_wedge_.emplace(wedge.number, index);
    return index;
  }

  /// Adds a fan from the first point. If sides have a vertex of a wedge, the fan is around the
  /// mean.
  void add_polygon(const Polygon &polygon, const TouchingSheets &sheets)
  {
    std::vector<std::uint32_t> points;
    for (std::size_t i = 0; i < polygon.points.size(); ++i)
      {
        points.push_back(vertex(polygon, i));
        if (const auto part = part_of_edge(polygon, i))
          if (const auto *wedge = sheets.find(*part, number(polygon)))
            points.push_back(vertex_of_wedge(polygon, i, *wedge));
      }
    if (points.size() > polygon.points.size())
      add_fan(points, {{Surface::on_face, number(polygon) * 64 + polygon.number}});
    else
      for (std::size_t i = 2; i < points.size(); ++i)
        surface_.triangles.push_back({{points[0], points[i - 1], points[i]}});
    describe(polygon.element);
  }

  /// Adds sizes and marks for what an element has added on its face.
  void describe(const std::size_t e)
  {
    if (surface_.sizes.size() < surface_.vertices.size())
      surface_.sizes.resize(surface_.vertices.size(), level_.shortest_edge(e));
    surface_.is_on_face.resize(surface_.triangles.size(), 1);
  }

  /// Adds a fan around the mean of the points.
  void add_fan(const std::vector<std::uint32_t> &points, const Surface::Key &key)
  {
    const std::uint32_t middle = add_vertex(key, mean_place(points));
    for (std::size_t i = 0; i < points.size(); ++i)
      surface_.triangles.push_back({{middle, points[i], points[(i + 1) % points.size()]}});
  }

  /// Visits the polygons of the boundary on the faces in [begin, end). A triangle is a face with a
  /// corner that occurs twice, and its polygons have no point twice.
  template <typename Visit>
  void for_each_polygon(const std::vector<BoundaryFace> &faces,
                        const std::size_t begin,
                        const std::size_t end,
                        const Visit &action) const
  {
    const auto visit = [&](Polygon polygon) {
      std::vector<Corner> &points = polygon.points;
      points.erase(std::unique(points.begin(), points.end()), points.end());
      if (points.back() == points.front())
        points.pop_back();
      action(polygon);
    };
    for (std::size_t i = begin; i < end; ++i)
      {
        const BoundaryFace &face = faces[i];
        if (face.beyond == Beyond::nothing)
          visit_caps(face.element, face.number, visit);
        if (mesh_.flags[face.element] == DesignFlag::solid && face.beyond != Beyond::solid)
          visit_uncovered(face.element, face.number, visit);
      }
  }

  /// Corner k of a face, or the cut between the corners k and l.
  Corner corner_of_face(const std::size_t e, const int f, const int k, const int l) const
  {
    return {level_.node(e, face_corner(f, k % 4)), level_.node(e, face_corner(f, l % 4))};
  }

  /// Number of a polygon: a cap has its first corner, 4 is an uncovered part, 5 a whole face.
  static std::uint64_t number_of_polygon(const int f, const int begin)
  {
    return static_cast<std::uint64_t>(8 * f + begin);
  }

  /// Visits the part of a face in which the field is at least the level.
  template <typename Visit>
  void visit_caps(const std::size_t e, const int f, const Visit &visit) const
  {
    const int marked = level_.marking(e);
    if (iso_cell::is_marked(marked, face_corner(f, 0)) && iso_cell::run_length(marked, f, 0) == 4)
      {
        visit(whole_face(e, f));
        return;
      }
    for (int k = 0; k < 4; ++k)
      if (iso_cell::begins_run(marked, f, k))
        {
          const int end   = k + iso_cell::run_length(marked, f, k);
          Polygon polygon = {e, number_of_polygon(f, k), {corner_of_face(e, f, k + 3, k)}, {}};
          for (int i = k; i < end; ++i)
            polygon.points.push_back(corner_of_face(e, f, i, i));
          polygon.points.push_back(corner_of_face(e, f, end - 1, end));
          visit(polygon);
        }
  }

  /// Visits the rest of a face. It is one polygon, since caps of marked corners across a face are
  /// separate.
  template <typename Visit>
  void visit_uncovered(const std::size_t e, const int f, const Visit &visit) const
  {
    const int marked     = level_.marking(e);
    const auto is_marked = [&](const int k) {
      return iso_cell::is_marked(marked, face_corner(f, k % 4));
    };
    int begin = 0; // Begins at a cut: a fan from a corner would have triangles without area.
    while (begin < 4 && !(is_marked(begin) && !is_marked(begin + 1)))
      ++begin;
    if (begin == 4)
      {
        if (!is_marked(0))
          visit(whole_face(e, f));
        return;
      }
    Polygon polygon = {e, number_of_polygon(f, 4), {}, {}};
    for (int k = begin; k < begin + 4; ++k)
      {
        if (!is_marked(k))
          polygon.points.push_back(corner_of_face(e, f, k, k));
        if (is_marked(k) != is_marked(k + 1))
          polygon.points.push_back(corner_of_face(e, f, k, k + 1));
      }
    visit(polygon);
  }

  Polygon whole_face(const std::size_t e, const int f) const
  {
    Polygon polygon = {e, number_of_polygon(f, 5), {}, {}};
    for (int k = 0; k < 4; ++k)
      polygon.points.push_back(corner_of_face(e, f, k, k));
    return polygon;
  }

  MPI_Comm communicator_;
  const LevelOnMesh &level_;
  const ElementMesh &mesh_;
  std::optional<SurfaceLoops> loops_;                                 ///< used by make()
  std::unordered_map<std::uint64_t, std::uint32_t> known_, of_wedge_; ///< vertices of no loop
  Surface surface_;
};
} // namespace

Surface make_surface(MPI_Comm communicator,
                     const ElementMesh &mesh,
                     const std::vector<double> &field,
                     const double level,
                     const unsigned int n_threads,
                     const double separation)
{
  if (mesh.type != ElementType())
    return make_surface(
      communicator, hexahedra_of_vertices(mesh), field, level, n_threads, separation);
  const GlobalNodeNumbers numbers(communicator, mesh);
  return SurfaceMaker(communicator,
                      {mesh, field, level, separation, numbers, static_cast<int>(n_threads)})
    .make();
}
} // namespace strut
