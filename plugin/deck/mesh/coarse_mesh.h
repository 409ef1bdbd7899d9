// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <strut/coarse_cells.h>
#include <strut/dealii_classes.h>
#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace strut
{
/// The coarse mesh of a deck, which every rank holds completely: cells, their ids and their
/// neighbours. A mesh that is not refined needs no more. For a refinement, edges and manifolds come
/// from deal.II.
struct CoarseMesh
{
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

  /// Vertices of a hexahedron in deal.II's lexicographic order: v is at (v & 1, v >> 1 & 1, v >> 2)
  /// of the unit cube. Tetrahedra have four.
  using Cell = std::array<unsigned int, 8>;

  ElementType type;                       ///< type of the cells; only hex8 can be refined
  std::vector<dealii::Point<3>> vertices; ///< vertices, and other nodes if the cells have them
  std::vector<Cell> cells;

  /// Nodes of the cells after their vertices, `[n_cells][type.n_nodes - type.n_vertices]`.
  std::vector<unsigned int> middles;
  CoarseCells names;                                    ///< material and boundary ids
  std::vector<std::array<std::uint32_t, 6>> neighbours; ///< cells behind the faces, or `nobody`

  const dealii::Point<3> &vertex(const std::size_t cell, const unsigned int v) const
  {
    return vertices[cells[cell][v]];
  }
  /// Vertices of a face, counter-clockwise as seen from outside. The last of a triangle occurs
  /// twice.
  std::array<dealii::Point<3>, 4> around(std::size_t cell, unsigned int face) const;
  /// Mean of the vertices of a cell, rounded as in deal.II.
  dealii::Point<3> centre(std::size_t cell) const;
};

/// The finest cells of a triangulation of hexahedra that is refined globally, or not at all.
CoarseMesh coarse_mesh_of(const dealii::Triangulation<3, 3> &triangulation);

/// The vertices of an element around each node after its vertices, ascending: two around the middle
/// of a line, four around that of a face. The rest is `CoarseMesh::nobody`, and so are all four for
/// the centre of the element.
std::vector<std::array<unsigned int, 4>> vertices_around_middles(const ElementType &type);

/// Makes cells of another type from hexahedra of eight nodes, with straight lines. A hexahedron
/// becomes one cell, or the six tetrahedra around its diagonal from vertex 0 to vertex 7.
/// @throws Error if two hexahedra cut their common face along different diagonals
CoarseMesh mesh_of_type(const ElementType &type, CoarseMesh hexahedra);

/// A face of a cell, given by its vertices in ascending order.
struct CellFace
{
  /// The fourth vertex of a triangle is the largest representable number.
  std::array<unsigned int, 4> vertices;
  unsigned int cell, number;

  bool operator<(const CellFace &other) const;
};

/// Finds the neighbours: the cells that share a face, of which there are at most two. Faces without
/// neighbour get boundary id 0. Missing material ids become 0.
void connect(CoarseMesh &mesh);

/// Variant for faces that are sorted already.
void connect(const std::vector<CellFace> &sorted, CoarseMesh &mesh);

/// Sorts faces by vertices, then by cell: faces with the same vertices become adjacent.
/// @param n_vertices  exceeds all vertex numbers
void sort(std::size_t n_vertices, std::vector<CellFace> &faces);
} // namespace strut
