// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/mesh_sets.h"

#include <algorithm>
#include <array>
#include <map>

#include "plugin/deck/mesh/coarse_mesh.h"
#include "plugin/deck/mesh/file_mesh.h"
#include "source/element/elements.h"
#include "source/mesh/faces.h"

namespace strut
{
namespace
{
std::uint8_t bit(const unsigned int i)
{
  return static_cast<std::uint8_t>(1u << i);
}

/// The number of the edge of a cell that runs along direction d and has this vertex.
unsigned int edge_number(const unsigned int d, const unsigned int vertex)
{
  return 4 * d + (vertex >> (d + 1) % 3 & 1u) + 2 * (vertex >> (d + 2) % 3 & 1u);
}

/// A bit for each node of a face after the vertices of its element; 0 for linear elements.
std::uint32_t middles_of_face(const ElementType &type, const unsigned int f)
{
  static const std::map<std::size_t, std::vector<std::uint32_t>> all = [] {
    std::map<std::size_t, std::vector<std::uint32_t>> masks; // by number of nodes
    for (const ElementType &known : element_types())
      {
        std::vector<std::uint32_t> &of_faces = masks[known.n_nodes];
        of_faces.clear();
        for (const std::vector<unsigned int> &face : nodes_of_faces(known))
          {
            of_faces.push_back(0);
            for (const unsigned int node : face)
              if (node >= known.n_vertices)
                of_faces.back() |= 1u << (node - known.n_vertices);
          }
      }
    return masks;
  }();
  return all.at(type.n_nodes)[f];
}

using VertexPair = std::array<unsigned int, 2>; // vertices in ascending order

class NodeSetBuilder
{
public:
  NodeSetBuilder(const FileMesh &mesh,
                 const std::vector<unsigned int> &vertex_of,
                 const CoarseMesh &coarse)
    : mesh_(mesh), vertex_of_(vertex_of), coarse_(coarse), in_set_(coarse.vertices.size(), false)
  {}

  void add(const FileMesh::Group &group)
  {
    for (const unsigned int point : group.members)
      if (const unsigned int vertex = vertex_of_[point]; vertex == FileMesh::none)
        others_.push_back(point);
      else if (!in_set_[vertex])
        {
          in_set_[vertex] = true;
          points_.push_back(mesh_.points[point]);
        }
    for (const auto &[a, b] : group.edges)
      edges_.push_back(
        {{std::min(vertex_of_[a], vertex_of_[b]), std::max(vertex_of_[a], vertex_of_[b])}});
  }

  /// Returns the set of everything that was added, without its name. Its count is 0 if no cell has
  /// a node of it.
  MeshSets::Nodes build(const bool may_be_refined)
  {
    MeshSets::Nodes nodes;
    if (points_.empty())
      return nodes;
    sort(others_);
    sort(edges_);
    nodes.grows           = mesh_.node_groups_grow;
    nodes.n_without_cells = others_.size();
    nodes.count           = points_.size() + others_.size();
    nodes.box             = dealii::BoundingBox<3>(points_);
    for (std::size_t c = 0; c < coarse_.cells.size(); ++c)
      add_cell(c, nodes);
    if (nodes.grows && may_be_refined)
      count_doubts(nodes);
    return nodes;
  }

private:
  template <typename T>
  static void sort(std::vector<T> &list)
  {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  /// Calls edge(d, v, vertices) for the edges of a cell with both ends in the set. Edges along d
  /// begin at vertex v of the cell.
  template <typename Action>
  void for_edges(const CoarseMesh::Cell &cell, const Action &edge) const
  {
    for (unsigned int d = 0; d < 3; ++d)
      for (unsigned int v = 0; v < 8; ++v)
        if (const unsigned int w = v | 1u << d; w != v && in_set_[cell[v]] && in_set_[cell[w]])
          edge(d, v, VertexPair{{std::min(cell[v], cell[w]), std::max(cell[v], cell[w])}});
  }

  void add_cell(const std::size_t c, MeshSets::Nodes &nodes) const
  {
    const CoarseMesh::Cell &cell = coarse_.cells[c];
    unsigned int corners = 0, edges = 0;
    for (unsigned int v = 0; v < 8; ++v)
      if (cell[v] != FileMesh::none && in_set_[cell[v]])
        corners |= 1u << v;
    if (corners != 0)
      nodes.corners.emplace_back(c, corners);
    const std::size_t n_middles = coarse_.type.n_nodes - coarse_.type.n_vertices;
    std::uint32_t middles       = 0;
    for (std::size_t m = 0; m < n_middles; ++m)
      if (in_set_[coarse_.middles[n_middles * c + m]])
        middles |= 1u << m;
    if (middles != 0)
      nodes.middles.emplace_back(c, middles);
    if (corners == 0 || edges_.empty() || cell[4] == FileMesh::none) // tetrahedra are not refined
      return;
    for_edges(cell, [&](const unsigned int d, const unsigned int v, const VertexPair &edge) {
      if (std::binary_search(edges_.begin(), edges_.end(), edge))
        edges |= 1u << edge_number(d, v);
    });
    if (edges != 0)
      nodes.edges.emplace_back(c, edges);
  }

  /// Counts edges and faces that may be meant as points or curves. Inside a surface of several rows
  /// of elements, four faces meet at a node; inside a curve, two edges do.
  void count_doubts(MeshSets::Nodes &nodes) const
  {
    std::vector<VertexPair> edges;
    std::vector<std::array<unsigned int, 4>> faces;
    for (const auto &[c, corners] : nodes.corners)
      {
        const CoarseMesh::Cell &cell = coarse_.cells[c];
        if (cell[4] == FileMesh::none)
          return;
        for_edges(cell, [&](unsigned int, unsigned int, const VertexPair &edge) {
          edges.push_back(edge);
        });
        for (unsigned int f = 0; f < 6; ++f)
          {
            std::array<unsigned int, 4> face;
            for (unsigned int i = 0; i < 4; ++i)
              face[i] = cell[around_face[f][i]];
            // An interior face counts once; `nobody` is larger than all cells.
            if (c < coarse_.neighbours[c][f] &&
                std::all_of(face.begin(), face.end(), [&](const unsigned int vertex) {
                  return in_set_[vertex];
                }))
              faces.push_back(face);
          }
      }
    sort(edges);
    std::vector<unsigned int> n_edges(in_set_.size(), 0), n_faces(in_set_.size(), 0);
    for (const auto &[a, b] : edges)
      {
        ++n_edges[a];
        ++n_edges[b];
      }
    for (const auto &face : faces)
      for (const unsigned int vertex : face)
        ++n_faces[vertex];
    nodes.n_doubtful_edges = static_cast<std::size_t>(
      std::count_if(edges.begin(), edges.end(), [&](const VertexPair &edge) {
        return n_edges[edge[0]] == 1 && n_edges[edge[1]] == 1;
      }));
    nodes.n_doubtful_faces =
      static_cast<std::size_t>(std::count_if(faces.begin(), faces.end(), [&](const auto &face) {
        return std::all_of(face.begin(), face.end(), [&](const unsigned int vertex) {
          return n_faces[vertex] < 4;
        });
      }));
  }

  const FileMesh &mesh_;
  const std::vector<unsigned int> &vertex_of_;
  const CoarseMesh &coarse_;
  std::vector<bool> in_set_;
  std::vector<unsigned int> others_; ///< points of no cell
  std::vector<dealii::Point<3>> points_;
  std::vector<VertexPair> edges_;
};
} // namespace

void SetSelection::add(const MeshSets &sets, const MeshSets::Elements &set)
{
  cells_.resize(sets.n_coarse_cells, false);
  for (const std::uint32_t cell : set.cells)
    cells_[cell] = true;
}

void SetSelection::add(const MeshSets &sets, const MeshSets::Faces &set)
{
  faces_.resize(sets.n_coarse_cells, 0);
  for (const std::uint64_t face : set.faces)
    faces_[face / 6] |= bit(face % 6);
}

void SetSelection::add(const MeshSets &sets, const MeshSets::Nodes &set)
{
  std::vector<std::uint8_t> &vertices = set.grows ? vertices_ : points_;
  vertices.resize(sets.n_coarse_cells, 0);
  for (const auto &[cell, bits] : set.corners)
    vertices[cell] |= bits;
  middles_.resize(set.middles.empty() ? middles_.size() : sets.n_coarse_cells, 0);
  for (const auto &[cell, bits] : set.middles)
    middles_[cell] |= bits;
  edges_.resize(set.edges.empty() ? edges_.size() : sets.n_coarse_cells, 0);
  for (const auto &[cell, bits] : set.edges)
    edges_[cell] |= bits;
}

bool SetSelection::has_cell(const std::uint32_t coarse_cell) const
{
  return !cells_.empty() && cells_[coarse_cell];
}

bool SetSelection::has_face_of_nodes(const ElementType &type,
                                     const std::uint32_t coarse_cell,
                                     const unsigned int f) const
{
  const auto has = [&](const unsigned int v) { return (vertices_[coarse_cell] & bit(v)) != 0; };
  if (vertices_.empty())
    return false;
  if (const std::uint32_t wanted = middles_of_face(type, f); wanted != 0)
    if (middles_.empty() || (middles_[coarse_cell] & wanted) != wanted)
      return false;
  if (type.n_vertices == 4)
    return std::all_of(around_triangle[f].begin(), around_triangle[f].end(), has);
  return std::all_of(around_face[f].begin(), around_face[f].end(), has);
}

bool SetSelection::has_face(const std::uint32_t coarse_cell, const unsigned int f) const
{
  return !faces_.empty() && (faces_[coarse_cell] & bit(f)) != 0;
}

bool SetSelection::has_node(const PlaceInCoarseCell &place, const unsigned int v) const
{
  // position in each direction: at the lower end, at the upper end, or between
  std::array<unsigned int, 3> at;
  unsigned int corner = 0, along = 0, n_between = 0;
  for (unsigned int d = 0; d < 3; ++d)
    {
      at[d] = place.at[d] + (v >> d & 1u);
      if (at[d] == place.n)
        corner |= 1u << d;
      else if (at[d] != 0)
        {
          along = d;
          ++n_between;
        }
    }
  if (n_between == 0 && !points_.empty() && (points_[place.cell] & bit(corner)) != 0)
    return true;
  if (n_between == 1 && !edges_.empty() &&
      (edges_[place.cell] >> edge_number(along, corner) & 1u) != 0)
    return true;
  if (vertices_.empty() || vertices_[place.cell] == 0)
    return false;
  const std::uint8_t vertices = vertices_[place.cell];
  // A node is between nodes of the set if the set has all vertices of the coarse vertex, line, face
  // or cell on which the node lies.
  for (unsigned int w = 0; w < 8; ++w)
    {
      bool around = true;
      for (unsigned int d = 0; d < 3; ++d)
        around =
          around && (at[d] == 0 ? (w >> d & 1u) == 0 : at[d] != place.n || (w >> d & 1u) == 1);
      if (around && (vertices & bit(w)) == 0)
        return false;
    }
  return true;
}

bool SetSelection::has_middle(const std::uint32_t coarse_cell, const unsigned int middle) const
{
  return !middles_.empty() && (middles_[coarse_cell] >> middle & 1u) != 0;
}

void add_node_groups(const FileMesh &mesh,
                     const std::vector<unsigned int> &vertex_of,
                     const CoarseMesh &coarse,
                     const bool may_be_refined,
                     MeshSets &sets)
{
  sets.names_of_nothing = mesh.names_of_nothing;
  for (auto group = mesh.node_groups.begin(); group != mesh.node_groups.end(); ++group)
    {
      const auto has_name = [&](const auto &other) { return other.name == group->name; };
      // Points and curves with one name are one set.
      if (std::any_of(mesh.node_groups.begin(), group, has_name))
        continue;
      NodeSetBuilder builder(mesh, vertex_of, coarse);
      for (auto other = group; other != mesh.node_groups.end(); ++other)
        if (has_name(*other))
          builder.add(*other);
      MeshSets::Nodes nodes = builder.build(may_be_refined);
      nodes.name            = group->name;
      if (nodes.count > 0)
        sets.nodes.push_back(std::move(nodes));
      else
        sets.names_of_nothing.emplace(
          group->name,
          std::string("none of its nodes belongs to a ") +
            (mesh.has_tetrahedra() ? "tetrahedron" : "hexahedron") +
            " (a reference point, say); couplings of such nodes "
            "with others are not read. Take the surface or nodes that they are coupled to");
    }
}
} // namespace strut
