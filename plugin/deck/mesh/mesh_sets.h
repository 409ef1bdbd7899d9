// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/bounding_box.h>

#include <strut/plugin/coarse_cells.h>

#include <cstdint>
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

  struct Nodes
  {
    std::string name;
    std::size_t count = 0; ///< in the file
    dealii::BoundingBox<3> box;
    /// Coarse cells with a bit for each vertex that is in the set.
    std::vector<std::pair<std::uint32_t, std::uint8_t>> corners;
  };

  std::vector<Elements> elements;
  std::vector<Faces> faces;
  std::vector<Nodes> nodes;
  std::uint32_t n_coarse_cells = 0;

  bool empty() const
  {
    return elements.empty() && faces.empty() && nodes.empty();
  }
};

/// A union of some of the sets, for elements of the refined mesh.
class SetSelection
{
public:
  void add(const MeshSets &sets, const MeshSets::Elements &set);
  void add(const MeshSets &sets, const MeshSets::Faces &set);
  void add(const MeshSets &sets, const MeshSets::Nodes &set);

  bool has_cell(std::uint32_t coarse_cell) const;
  /// Whether it has the faces of elements that are a part of face f of the coarse cell, as seen from there.
  bool has_face(std::uint32_t coarse_cell, unsigned int f) const;
  bool has_nodes() const
  {
    return !vertices_.empty();
  }
  /// Whether vertex v of the element is a node of a node set, or on a line, face or cell between such nodes.
  bool has_node(const PlaceInCoarseCell &place, unsigned int v) const;

private:
  std::vector<bool> cells_;
  std::vector<std::uint8_t> faces_;    ///< a bit for each face of a coarse cell
  std::vector<std::uint8_t> vertices_; ///< a bit for each vertex of a coarse cell
};
} // namespace strut::plugin
