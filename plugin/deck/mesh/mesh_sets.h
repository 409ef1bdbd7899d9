// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/bounding_box.h>

#include <strut/coarse_cells.h>
#include <strut/mesh/element_mesh.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
struct CoarseMesh;
struct FileMesh;

/// The sets that a mesh file names or numbers: sets of elements, of faces (also interior ones) and
/// of nodes. They may overlap. They are stored by coarse cell, which all ranks have, and hold for
/// refinements.
struct MeshSets
{
  struct Elements
  {
    unsigned int id = 0;
    std::string name; ///< may be empty
    std::vector<std::uint32_t> cells;
  };

  /// A set of faces, each stored with one coarse cell. An interior face is stored with the cell
  /// from which the normal of the file points outwards.
  struct Faces
  {
    unsigned int id = 0;
    std::string name;                 ///< may be empty
    std::vector<std::uint64_t> faces; ///< 6 * cell + face, ascending
    bool has_interior = false;
    /// Whether interior faces that meet at an edge have normals to opposite sides.
    bool has_two_sides = false;
  };

  /// A set of nodes. All sets of nodes have different names.
  struct Nodes
  {
    std::string name;
    std::size_t count           = 0; ///< number of nodes in the file
    std::size_t n_without_cells = 0; ///< number of these that no cell has
    dealii::BoundingBox<3> box;
    /// Coarse cells, with a bit for each vertex that is in the set.
    std::vector<std::pair<std::uint32_t, std::uint8_t>> corners;
    /// Coarse cells, with a bit for each node after their vertices that is in the set.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> middles;
    /// Coarse cells, with a bit for each edge whose nodes join the set in a refinement. Edge 4 d +
    /// k is along direction d.
    std::vector<std::pair<std::uint32_t, std::uint16_t>> edges;
    /// Whether nodes between nodes of the set join it, because the file does not give edges.
    bool grows = false;
    /// If the set grows: edges and faces that touch no others of the set, and so may be meant as
    /// points or curves.
    std::size_t n_doubtful_edges = 0, n_doubtful_faces = 0;
  };

  std::vector<Elements> elements;
  std::vector<Faces> faces;
  std::vector<Nodes> nodes;
  std::uint32_t n_coarse_cells = 0;

  /// Names of the file that select nothing, with the reason.
  std::map<std::string, std::string> names_of_nothing;
  /// A sentence on data of the file that may be ids and are not read; may be empty.
  std::string unread_ids;
  /// A NOTE on the elements for the log; may be empty.
  std::string note;
  /// Numbers of boundary faces in no group: those that have the number 0 in the file, and the
  /// others.
  std::size_t n_faces_numbered_0 = 0, n_faces_without_number = 0;

  bool empty() const
  {
    return elements.empty() && faces.empty() && nodes.empty();
  }
};

/// Makes sets of the coarse mesh from the groups of nodes of a file and from its names
/// that select nothing.
/// @param vertex_of  vertex of the coarse mesh at each point of the file, or FileMesh::none
/// @param may_be_refined  whether doubts about sets that grow are counted
void add_node_groups(const FileMesh &mesh,
                     const std::vector<unsigned int> &vertex_of,
                     const CoarseMesh &coarse,
                     bool may_be_refined,
                     MeshSets &sets);

/// A union of sets, evaluated for elements of the refined mesh.
class SetSelection
{
public:
  void add(const MeshSets &sets, const MeshSets::Elements &set);
  void add(const MeshSets &sets, const MeshSets::Faces &set);
  void add(const MeshSets &sets, const MeshSets::Nodes &set);

  bool has_cell(std::uint32_t coarse_cell) const;
  /// Whether the node sets have all nodes of face f of the coarse cell.
  bool has_face_of_nodes(const ElementType &type, std::uint32_t coarse_cell, unsigned int f) const;
  /// Whether the union has face f of the coarse cell, seen from this cell; then it has all parts of
  /// the face in refinements.
  bool has_face(std::uint32_t coarse_cell, unsigned int f) const;
  bool has_nodes() const
  {
    return !vertices_.empty() || !points_.empty();
  }
  /// Whether vertex v of the element is a node of a node set or on one of its edges. If the set
  /// grows, nodes on a line, face or cell between its nodes count, too.
  bool has_node(const PlaceInCoarseCell &place, unsigned int v) const;
  /// Whether the node sets have a node of a coarse cell that is not refined, number `middle` after
  /// its vertices.
  bool has_middle(std::uint32_t coarse_cell, unsigned int middle) const;

private:
  std::vector<bool> cells_;
  std::vector<std::uint8_t> faces_; ///< a bit for each face of a coarse cell
  /// A bit for each vertex of a coarse cell, for sets that grow.
  std::vector<std::uint8_t> vertices_;
  std::vector<std::uint8_t> points_;   ///< a bit for each vertex of a coarse cell, for other sets
  std::vector<std::uint16_t> edges_;   ///< a bit for each edge of a coarse cell, for other sets
  std::vector<std::uint32_t> middles_; ///< a bit for each node of a coarse cell after its vertices
};
} // namespace strut
