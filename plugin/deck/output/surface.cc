// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/surface.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "plugin/deck/output/result_writer.h"
#include "plugin/deck/output/touching_sheets.h"
#include "source/element/iso_cell.h"
#include "source/mesh/faces.h"

namespace strut::plugin
{
namespace
{
/// What is on the other side of a face.
enum class Beyond : std::uint8_t
{
  nothing, ///< or an empty element
  design,
  solid
};

/// A face whose other side matters.
struct Face
{
  std::array<LocalIndex, 4> nodes; ///< ascending
  LocalIndex element;
  std::uint8_t number;
  Beyond beyond;
};

class SurfaceMaker
{
public:
  SurfaceMaker(MPI_Comm communicator,
               const ElementMesh &mesh,
               const std::vector<double> &field,
               const double level,
               const double separation)
    : communicator_(communicator)
    , mesh_(mesh)
    , field_(field)
    , level_(level)
    , separation_(separation)
    , numbers_(communicator, mesh)
  {
    const std::uint64_t n_elements = mesh.n_elements;
    MPI_Scan(&n_elements, &first_element_, 1, MPI_UINT64_T, MPI_SUM, communicator); // up to ours
    first_element_ -= n_elements;
  }

  Surface make()
  {
    std::vector<Face> faces = relevant_faces();
    look_beyond(faces);
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      if (mesh_.flags[e] == DesignFlag::design)
        add_loops(e);

    std::vector<EdgePart> uses;
    for_each_polygon(faces, [&](const Polygon &polygon) {
      for (std::size_t i = 0; i < polygon.points.size(); ++i)
        if (const auto part = part_of_edge(polygon, i))
          uses.push_back(*part);
    });
    const TouchingSheets sheets(
      communicator_, mesh_, numbers_, is_shared_, first_element_, std::move(uses));
    for_each_polygon(faces, [&](const Polygon &polygon) { add_polygon(polygon, sheets); });
    return std::move(surface_);
  }

private:
  /// A corner of a polygon: where the edge of two nodes is cut, or a node if they are the same.
  using Corner = std::pair<LocalIndex, LocalIndex>;

  /// On a face of an element, convex.
  struct Polygon
  {
    std::size_t element;
    std::uint64_t number; ///< among the polygons on this element
    std::vector<Corner> points;
  };

  LocalIndex node(const std::size_t e, const int v) const
  {
    return mesh_.connectivity[static_cast<std::size_t>(v) * mesh_.n_elements + e];
  }

  int marking(const std::size_t e) const
  {
    double values[8];
    for (int v = 0; v < 8; ++v)
      values[v] = field_[node(e, v)];
    return iso_cell::marking(values, level_);
  }

  /// Faces of solid elements, of design elements where they have material or touch solid ones, and between ranks.
  std::vector<Face> relevant_faces()
  {
    is_shared_.assign(mesh_.n_nodes, 0);
    std::fill(is_shared_.begin() + static_cast<std::ptrdiff_t>(mesh_.n_owned_nodes),
              is_shared_.end(),
              1);
    for (const HaloPattern::Neighbour &neighbour : mesh_.node_halo.neighbours)
      for (const std::uint32_t n : neighbour.send)
        is_shared_[n] = 1;
    std::vector<std::uint8_t> is_solid(mesh_.n_nodes, 0);
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      if (mesh_.flags[e] == DesignFlag::solid)
        for (int v = 0; v < 8; ++v)
          is_solid[node(e, v)] = 1;

    std::vector<Face> faces;
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      if (mesh_.flags[e] != DesignFlag::empty)
        for (int f = 0; f < 6; ++f)
          {
            Face face{{},
                      static_cast<LocalIndex>(e),
                      static_cast<std::uint8_t>(f),
                      Beyond::nothing};
            bool any_marked = false, all_solid = true, all_shared = true;
            for (int k = 0; k < 4; ++k)
              {
                const LocalIndex n                      = node(e, face_corner(f, k));
                face.nodes[static_cast<std::size_t>(k)] = n;
                any_marked                              = any_marked || field_[n] >= level_;
                all_solid                               = all_solid && is_solid[n] != 0;
                all_shared                              = all_shared && is_shared_[n] != 0;
              }
            std::sort(face.nodes.begin(), face.nodes.end());
            if (any_marked || all_solid || all_shared)
              faces.push_back(face);
          }
    sort(faces);
    return faces;
  }

  /// By nodes, then by elements: placed by the first node, around which there are few. In place (McIlroy, Bostic and McIlroy 1993):
  /// of a large mesh the faces are the larger part of the memory here.
  void sort(std::vector<Face> &faces) const
  {
    std::vector<LocalIndex> begin(mesh_.n_nodes + 1, 0); // 6 faces of fewer than 2^32 / 8 elements
    for (const Face &face : faces)
      ++begin[face.nodes[0] + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<LocalIndex> next(begin.begin(), begin.end() - 1); // behind those that are in place
    for (std::size_t node = 0; node < mesh_.n_nodes; ++node)
      while (next[node] < begin[node + 1])
        {
          Face &face = faces[next[node]];
          std::swap(face, faces[next[face.nodes[0]]++]); // perhaps with itself
        }
    for (std::size_t node = 0; node < mesh_.n_nodes; ++node)
      std::sort(faces.begin() + static_cast<std::ptrdiff_t>(begin[node]),
                faces.begin() + static_cast<std::ptrdiff_t>(begin[node + 1]),
                [](const Face &a, const Face &b) {
                  return std::tie(a.nodes, a.element) < std::tie(b.nodes, b.element);
                });
  }

  Beyond seen_from_outside(const Face &face) const
  {
    return mesh_.flags[face.element] == DesignFlag::solid ? Beyond::solid : Beyond::design;
  }

  /// Find the other element of each face, on this rank or another. Collective.
  void look_beyond(std::vector<Face> &faces) const
  {
    using Nodes = std::array<std::uint64_t, 4>;
    std::map<Nodes, std::size_t> between_ranks;
    std::vector<std::uint64_t> words; // of each of these faces: its nodes, and our side of it
    for (std::size_t i = 0; i < faces.size(); ++i)
      {
        Face &face = faces[i];
        if (i + 1 < faces.size() && faces[i + 1].nodes == face.nodes)
          {
            face.beyond         = seen_from_outside(faces[i + 1]);
            faces[i + 1].beyond = seen_from_outside(face);
            ++i;
          }
        else if (std::all_of(face.nodes.begin(), face.nodes.end(), [this](const LocalIndex n) {
                   return is_shared_[n] != 0;
                 }))
          {
            Nodes nodes;
            for (std::size_t k = 0; k < 4; ++k)
              nodes[k] = numbers_(face.nodes[k]);
            std::sort(nodes.begin(), nodes.end());
            between_ranks.emplace(nodes, i);
            words.insert(words.end(), nodes.begin(), nodes.end());
            words.push_back(static_cast<std::uint64_t>(seen_from_outside(face)));
          }
      }
    const auto of_ranks    = dealii::Utilities::MPI::all_gather(communicator_, words);
    const std::size_t mine = dealii::Utilities::MPI::this_mpi_process(communicator_);
    for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
      if (rank != mine)
        for (std::size_t w = 0; w < of_ranks[rank].size(); w += 5)
          {
            Nodes nodes;
            std::copy_n(of_ranks[rank].begin() + static_cast<std::ptrdiff_t>(w), 4, nodes.begin());
            if (const auto found = between_ranks.find(nodes); found != between_ranks.end())
              faces[found->second].beyond = static_cast<Beyond>(of_ranks[rank][w + 4]);
          }
  }

  std::uint32_t add_vertex(const Surface::Key &key, const std::array<double, 3> &place)
  {
    surface_.keys.push_back(key);
    surface_.vertices.push_back(place);
    return static_cast<std::uint32_t>(surface_.vertices.size() - 1);
  }

  std::array<double, 3> place(const LocalIndex n) const
  {
    return {{mesh_.coordinates[n],
             mesh_.coordinates[mesh_.n_nodes + n],
             mesh_.coordinates[2 * mesh_.n_nodes + n]}};
  }

  /// In one order for all who ask, also on other ranks.
  Corner ordered(const Corner &corner) const
  {
    return numbers_(corner.second) < numbers_(corner.first) ? Corner(corner.second, corner.first)
                                                            : corner;
  }

  std::uint32_t vertex(const Corner &corner)
  {
    const auto [first, last]  = ordered(corner);
    const std::uint64_t local = std::uint64_t(first) << 32 | last;
    if (const auto found = known_.find(local); found != known_.end())
      return found->second;
    std::array<double, 3> x = place(first);
    if (first != last)
      x = on_way(x, place(last), cut(corner));
    const std::uint32_t index = add_vertex({{numbers_(first), numbers_(last)}}, x);
    known_.emplace(local, index);
    return index;
  }

  /// The share of an edge, in its order, up to its cut. It keeps its distance from nodes, where it would join sheets.
  double cut(const Corner &edge) const
  {
    const auto [first, last] = ordered(edge);
    const double t           = (level_ - field_[first]) / (field_[last] - field_[first]);
    return std::clamp(t, separation_, 1. - separation_);
  }

  static std::array<double, 3>
  on_way(std::array<double, 3> x, const std::array<double, 3> &end, const double share)
  {
    for (std::size_t d = 0; d < 3; ++d)
      x[d] += share * (end[d] - x[d]);
    return x;
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

  /// The part of an edge of the mesh that is side i of a polygon, if it is one.
  std::optional<EdgePart> part_of_edge(const Polygon &polygon, const std::size_t i) const
  {
    const Corner &a = polygon.points[i], &b = polygon.points[(i + 1) % polygon.points.size()];
    const bool is_node_a = a.first == a.second, is_node_b = b.first == b.second;
    if (!is_node_a && !is_node_b)
      return std::nullopt;
    const LocalIndex end   = is_node_a ? a.first : b.first;
    const Corner edge      = !is_node_a ? a : !is_node_b ? b : Corner(a.first, b.first);
    const auto [low, high] = std::minmax({numbers_(edge.first), numbers_(edge.second)});
    return EdgePart{{low, high, field_[end] >= level_ ? 1u : 0u}};
  }

  /// The vertex of one wedge on side i of a polygon: the middle of the side, moved a little into the wedge.
  std::uint32_t
  vertex_of_wedge(const Polygon &polygon, const std::size_t i, const TouchingSheets::Wedge &wedge)
  {
    if (const auto found = of_wedge_.find(wedge.number); found != of_wedge_.end())
      return found->second;
    const Corner &a = polygon.points[i], &b = polygon.points[(i + 1) % polygon.points.size()];
    double share = 1.; // of the edge
    for (const auto &[cut_corner, end] : {std::make_pair(a, b.first), std::make_pair(b, a.first)})
      if (cut_corner.first != cut_corner.second)
        {
          const double t = cut(cut_corner);
          share          = end == ordered(cut_corner).first ? t : 1. - t;
        }
    std::uint32_t begin = vertex(a), end = vertex(b);
    if (surface_.keys[end] < surface_.keys[begin]) // the same bits on every rank
      std::swap(begin, end);
    const std::array<double, 3> middle =
      on_way(surface_.vertices[begin], surface_.vertices[end], 0.5);
    const std::uint32_t index =
      add_vertex({{Surface::beside_edge, wedge.number}},
                 on_way(middle, wedge.centre, std::min(4. * separation_, 0.25 * share)));
    of_wedge_.emplace(wedge.number, index);
    return index;
  }

  /// A fan from the first point; about the mean where sides have a vertex of a wedge.
  void add_polygon(const Polygon &polygon, const TouchingSheets &sheets)
  {
    std::vector<std::uint32_t> points;
    for (std::size_t i = 0; i < polygon.points.size(); ++i)
      {
        points.push_back(vertex(polygon.points[i]));
        if (const auto part = part_of_edge(polygon, i))
          if (const auto *wedge = sheets.find(*part, first_element_ + polygon.element))
            points.push_back(vertex_of_wedge(polygon, i, *wedge));
      }
    if (points.size() > polygon.points.size())
      add_fan(points,
              {{Surface::on_face, (first_element_ + polygon.element) * 64 + polygon.number}});
    else
      for (std::size_t i = 2; i < points.size(); ++i)
        surface_.triangles.push_back({{points[0], points[i - 1], points[i]}});
    describe(polygon.element, true);
  }

  /// Of what an element has added.
  void describe(const std::size_t e, const bool is_on_face)
  {
    if (surface_.sizes.size() < surface_.vertices.size())
      surface_.sizes.resize(surface_.vertices.size(), shortest_edge(e));
    surface_.is_on_face.resize(surface_.triangles.size(), is_on_face ? 1 : 0);
  }

  double shortest_edge(const std::size_t e) const
  {
    double shortest = std::numeric_limits<double>::max();
    for (int edge = 0; edge < iso_cell::n_edges; ++edge)
      {
        const int begin = iso_cell::edge_begin(edge);
        const auto a    = place(node(e, begin));
        const auto b    = place(node(e, begin | 1 << iso_cell::edge_direction(edge)));
        shortest        = std::min(shortest, std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]));
      }
    return shortest;
  }

  /// About the mean of the points.
  void add_fan(const std::vector<std::uint32_t> &points, const Surface::Key &key)
  {
    const std::uint32_t middle = add_vertex(key, mean_place(points));
    for (std::size_t i = 0; i < points.size(); ++i)
      surface_.triangles.push_back({{middle, points[i], points[(i + 1) % points.size()]}});
  }

  /// The pieces of the iso-surface in an element: fans about the mean of their points.
  void add_loops(const std::size_t e)
  {
    const int marked = marking(e);
    if (marked == 0 || marked == 255)
      return;
    const std::uint64_t next = iso_cell::loops(marked);
    unsigned int seen        = 0;
    for (int begin = 0; begin < iso_cell::n_edges; ++begin)
      if (iso_cell::next_edge(next, begin) != 15 && (seen >> begin & 1) == 0)
        {
          std::vector<std::uint32_t> points;
          for (int edge = begin; points.empty() || edge != begin;
               edge     = iso_cell::next_edge(next, edge))
            {
                  seen |= 1u << edge;
                  const int from = iso_cell::edge_begin(edge);
                  points.push_back(
                vertex({node(e, from), node(e, from | 1 << iso_cell::edge_direction(edge))}));
            }
          add_fan(points,
                  {{Surface::inside_element,
                    (first_element_ + e) * iso_cell::n_edges + static_cast<std::uint64_t>(begin)}});
          describe(e, false);
        }
  }

  /// The polygons of the boundary on faces of elements.
  template <typename Visit>
  void for_each_polygon(const std::vector<Face> &faces, const Visit &visit) const
  {
    for (const Face &face : faces)
      {
        if (face.beyond == Beyond::nothing)
          visit_caps(face.element, face.number, visit);
        if (mesh_.flags[face.element] == DesignFlag::solid && face.beyond != Beyond::solid)
          visit_uncovered(face.element, face.number, visit);
      }
  }

  /// The corner k of a face, or the cut between the corners k and l.
  Corner corner_of_face(const std::size_t e, const int f, const int k, const int l) const
  {
    return {node(e, face_corner(f, k % 4)), node(e, face_corner(f, l % 4))};
  }

  /// A cap by the corner where it begins, 4 for what is uncovered, 5 for a whole face.
  static std::uint64_t number_of_polygon(const int f, const int begin)
  {
    return static_cast<std::uint64_t>(8 * f + begin);
  }

  /// The part of a face in which the field is at least the level.
  template <typename Visit>
  void visit_caps(const std::size_t e, const int f, const Visit &visit) const
  {
    const int marked = marking(e);
    if (iso_cell::is_marked(marked, face_corner(f, 0)) && iso_cell::run_length(marked, f, 0) == 4)
      {
        visit(whole_face(e, f));
        return;
      }
    for (int k = 0; k < 4; ++k)
      if (iso_cell::begins_run(marked, f, k))
        {
          const int end   = k + iso_cell::run_length(marked, f, k);
          Polygon polygon = {e, number_of_polygon(f, k), {corner_of_face(e, f, k + 3, k)}};
          for (int i = k; i < end; ++i)
            polygon.points.push_back(corner_of_face(e, f, i, i));
          polygon.points.push_back(corner_of_face(e, f, end - 1, end));
          visit(polygon);
        }
  }

  /// The other part: one polygon, since caps of marked corners across a face are apart.
  template <typename Visit>
  void visit_uncovered(const std::size_t e, const int f, const Visit &visit) const
  {
    const int marked     = marking(e);
    const auto is_marked = [&](const int k) {
      return iso_cell::is_marked(marked, face_corner(f, k % 4));
    };
    int begin = 0; // at a cut: a fan from a corner would have triangles without area
    while (begin < 4 && !(is_marked(begin) && !is_marked(begin + 1)))
      ++begin;
    if (begin == 4)
      {
        if (!is_marked(0))
          visit(whole_face(e, f));
        return;
      }
    Polygon polygon = {e, number_of_polygon(f, 4), {}};
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
    Polygon polygon = {e, number_of_polygon(f, 5), {}};
    for (int k = 0; k < 4; ++k)
      polygon.points.push_back(corner_of_face(e, f, k, k));
    return polygon;
  }

  MPI_Comm communicator_;
  const ElementMesh &mesh_;
  const std::vector<double> &field_;
  const double level_, separation_;
  const GlobalNodeNumbers numbers_;
  std::uint64_t first_element_ = 0;
  std::vector<std::uint8_t> is_shared_; ///< `[n_nodes]`: with another rank
  std::unordered_map<std::uint64_t, std::uint32_t> known_, of_wedge_; ///< vertices
  Surface surface_;
};
} // namespace

Surface make_surface(MPI_Comm communicator,
                     const ElementMesh &mesh,
                     const std::vector<double> &field,
                     const double level,
                     const double separation)
{
  return SurfaceMaker(communicator, mesh, field, level, separation).make();
}
} // namespace strut::plugin
