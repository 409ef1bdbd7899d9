// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <strut/cell_keys.h>
#include <strut/coarse_cells.h>
#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace strut
{
struct MeshSets;

/// The mesh of a deck: the flat arrays of this rank's elements, and the place of each element in
/// the coarse mesh. Every rank has the whole coarse mesh, which holds the materials and boundaries.
class DeckMesh
{
public:
  /// A face of an element.
  struct Face
  {
    LocalIndex element  = 0;
    std::uint8_t number = 0; ///< deal.II's number: hexahedra have x = 0, x = 1, y = 0, ...
  };

  DeckMesh() = default;

  /// @param n_refinements  levels from the coarse cells to the elements
  /// @param sets  sets of the mesh file, may be null; only the constructor reads them
  DeckMesh(ElementMesh mesh,
           CoarseCells coarse,
           CellKeys keys,
           unsigned int n_refinements,
           const MeshSets *sets);

  ElementMesh elements;

  const CoarseCells &coarse() const
  {
    return coarse_;
  }

  /// Number of levels from the coarse cells to the elements.
  unsigned int n_refinements() const
  {
    return n_refinements_;
  }

  const CellKeys &keys() const
  {
    return keys_;
  }
  std::uint32_t coarse_cell(const std::size_t e) const
  {
    return keys_.coarse_cell(e);
  }
  PlaceInCoarseCell place(std::size_t e) const;

  std::uint32_t material_id(const std::size_t e) const
  {
    return coarse_.materials[coarse_cell(e)];
  }

  /// Whether face f of an element is a part of face f of its coarse cell.
  bool is_on_coarse_face(std::size_t e, unsigned int f) const;
  /// Removes faces of coarse cells from the boundary because constraint rows join them to other
  /// faces.
  /// @param sets  sets of the mesh file, may be null; faces that they name keep their names
  void take_from_boundary(const std::vector<CoarseFace> &faces, const MeshSets *sets);
  bool at_boundary(std::size_t e, unsigned int f) const;
  /// Boundary id of a face; CoarseCells::interior if the face is not at the boundary.
  std::uint32_t boundary_id(std::size_t e, unsigned int f) const;

  /// All faces at the boundary, and the interior faces that the mesh file names, ordered by
  /// element.
  const std::vector<Face> &named_faces() const
  {
    return named_faces_;
  }

  LocalIndex node(const std::size_t e, const unsigned int v) const
  {
    return elements.connectivity[v * elements.n_elements + e];
  }
  dealii::Point<3> location(std::size_t node) const;
  dealii::Point<3> vertex(const std::size_t e, const unsigned int v) const
  {
    return location(node(e, v));
  }
  /// Mean of the vertices.
  dealii::Point<3> centre(std::size_t e) const;
  /// Vertices of a face, in the order of face_vertex(). The last of a triangle occurs twice.
  std::array<dealii::Point<3>, 4> vertices(const Face &face) const;
  unsigned int n_vertices_of_face() const
  {
    return elements.type.n_vertices == 4 ? 3 : 4;
  }
  /// Calls action(node) for each node of a face.
  template <typename Action>
  void for_each_node(const Face &face, const Action &action) const
  {
    for (const unsigned int v : nodes_of_faces_[face.number])
      action(node(face.element, v));
  }
  dealii::Point<3> face_centre(const Face &face) const;

  /// Vertex k of face f of a hexahedron, at (k & 1, k >> 1) of the face. The face's first
  /// coordinate follows the normal's cyclically, so that the first cross the second points along
  /// the element's x, y or z.
  static unsigned int face_vertex(unsigned int f, unsigned int k);

private:
  void list_named_faces(const MeshSets *sets);

  CoarseCells coarse_;
  CellKeys keys_;
  unsigned int n_refinements_ = 0;
  std::vector<Face> named_faces_;
  std::vector<std::vector<unsigned int>> nodes_of_faces_; ///< nodes of an element, by face
};
} // namespace strut
