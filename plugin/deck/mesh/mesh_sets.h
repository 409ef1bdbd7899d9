// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/bounding_box.h>

#include <strut/plugin/coarse_cells.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace strut::plugin
{
/// The sets that a mesh file names or numbers: sets of elements, of faces (interior ones, too) and of nodes, which
/// may overlap. They are kept by coarse cell, which all ranks have, and hold for their refinements.
struct MeshSets
{
  struct Elements
  {
    unsigned int id = 0;
    std::string name; ///< may be empty
    std::vector<std::uint32_t> cells;
  };

  /// A face is a face of one coarse cell: of the two around an interior one that from which the normal of
  /// the file points out.
  struct Faces
  {
    unsigned int id = 0;
    std::string name;                 ///< may be empty
    std::vector<std::uint64_t> faces; ///< 6 * cell + face, ascending
    bool has_interior  = false;
    bool has_two_sides = false; ///< interior faces that meet at an edge have normals to either side
  };

  /// Each has another name.
  struct Nodes
  {
    std::string name;
    std::size_t count           = 0; ///< in the file
    std::size_t n_without_cells = 0; ///< of these, those of no cell
    dealii::BoundingBox<3> box;
    /// Coarse cells with a bit for each vertex that is in the set.
    std::vector<std::pair<std::uint32_t, std::uint8_t>> corners;
    /// Likewise for edges, number 4 d + k along direction d, whose nodes join the set in a refinement.
    std::vector<std::pair<std::uint32_t, std::uint16_t>> edges;
    /// Whether instead nodes between nodes of the set join it, for the file says no edges.
    bool grows = false;
    /// Then: edges and faces that no others of the set go with, which may be points and curves.
    std::size_t n_doubtful_edges = 0, n_doubtful_faces = 0;
  };

  std::vector<Elements> elements;
  std::vector<Faces> faces;
  std::vector<Nodes> nodes;
  std::uint32_t n_coarse_cells = 0;

  /// Names of the file that select nothing, and why.
  std::map<std::string, std::string> names_of_nothing;
  /// A sentence on data of the file that may be ids and are not read; may be empty.
  std::string unread_ids;
  /// The faces to which the file gives the number 0, where that is no group, and other boundary faces of no group.
  std::size_t n_faces_numbered_0 = 0, n_faces_without_number = 0;

  bool empty() const
  {
    return elements.empty() && faces.empty() && nodes.empty();
  }
};

/// The number of the edge of a cell along direction d that has a vertex.
unsigned int edge_number(unsigned int d, unsigned int vertex);

/// A union of some of the sets, for elements of the refined mesh.
class SetSelection
{
public:
  void add(const MeshSets &sets, const MeshSets::Elements &set);
  void add(const MeshSets &sets, const MeshSets::Faces &set);
  void add(const MeshSets &sets, const MeshSets::Nodes &set);

  bool has_cell(std::uint32_t coarse_cell) const;
  /// Whether node sets have all nodes of face f of the coarse cell.
  bool has_face_of_nodes(std::uint32_t coarse_cell, unsigned int f) const;
  /// Whether it has the faces of elements that are a part of face f of the coarse cell, as seen from there.
  bool has_face(std::uint32_t coarse_cell, unsigned int f) const;
  bool has_nodes() const
  {
    return !vertices_.empty() || !points_.empty();
  }
  /// Whether vertex v of the element is a node of a node set, on an edge of it, or, if the set grows, on a line, face or
  /// cell between such nodes.
  bool has_node(const PlaceInCoarseCell &place, unsigned int v) const;

private:
  std::vector<bool> cells_;
  std::vector<std::uint8_t> faces_; ///< a bit for each face of a coarse cell
  std::vector<std::uint8_t>
    vertices_;                       ///< a bit for each vertex of a coarse cell, of sets that grow
  std::vector<std::uint8_t> points_; ///< likewise, of the others
  std::vector<std::uint16_t> edges_; ///< and for each edge
};
} // namespace strut::plugin
