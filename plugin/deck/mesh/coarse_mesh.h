// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <strut/plugin/coarse_cells.h>
#include <strut/plugin/dealii_classes.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace strut::plugin
{
/// The coarse mesh of a deck, which every rank has whole: cells, what they are, what is behind their faces. This
/// is all that a mesh needs that is not refined. For a refinement, edges and manifolds come from deal.II.
struct CoarseMesh
{
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

  /// Vertices of a hexahedron in deal.II's lexicographic order: v is at (v & 1, v >> 1 & 1, v >> 2) of the unit
  /// cube. Tetrahedra, which only matrix generation takes, have four.
  using Cell = std::array<unsigned int, 8>;

  std::vector<dealii::Point<3>> vertices;
  std::vector<Cell> cells;
  CoarseCells names;                                    ///< material and boundary ids
  std::vector<std::array<std::uint32_t, 6>> neighbours; ///< cells behind the faces, or `nobody`

  const dealii::Point<3> &vertex(const std::size_t cell, const unsigned int v) const
  {
    return vertices[cells[cell][v]];
  }
  /// Mean of the vertices of a hexahedron, with deal.II's rounding.
  dealii::Point<3> centre(std::size_t cell) const;
};

/// The coarse mesh of a triangulation of hexahedra.
CoarseMesh coarse_mesh_of(const dealii::Triangulation<3, 3> &triangulation);

/// A face of a cell, by its vertices in ascending order.
struct CellFace
{
  std::array<unsigned int, 4>
    vertices; ///< the last one of a triangle is the largest number there is
  unsigned int cell, number;

  bool operator<(const CellFace &other) const;
};

/// Find out which cells share which faces, of which at most two share one: the neighbours, and boundary ids 0 where
/// there is none. Material ids are 0 if they are missing.
void connect(CoarseMesh &mesh);

/// Likewise, from faces that are sorted already.
void connect(const std::vector<CellFace> &sorted, CoarseMesh &mesh);

/// Sort faces: those with the same vertices are next to each other, by cell.
/// @param n_vertices  above all numbers of vertices
void sort(std::size_t n_vertices, std::vector<CellFace> &faces);
} // namespace strut::plugin
