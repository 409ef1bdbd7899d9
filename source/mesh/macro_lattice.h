// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "source/mesh/macro_mesh.h"

namespace strut
{
/// The points of a refined macro mesh: `n + 1` along each edge. Vertices are numbered first, then
/// the inner points of edges, faces and cells, each in its own frame.
class MacroLattice
{
public:
  MacroLattice(const MacroMesh &macro, unsigned int n_refinements);

  /// Number of elements along an edge.
  std::size_t n() const
  {
    return n_;
  }
  std::size_t n_points() const
  {
    return first_of_cells_ + macro_.cells.size() * inside_ * inside_ * inside_;
  }

  /// Number of points of vertices, edges and faces, which are numbered first.
  std::size_t n_outer_points() const
  {
    return first_of_cells_;
  }

  /// The point at t in [0, n] of an edge.
  std::size_t of_edge(const std::size_t edge, const std::size_t t) const
  {
    if (t == 0 || t == n_)
      return macro_.edges[edge].vertices[t == 0 ? 0 : 1];
    return first_of_edges_ + edge * inside_ + t - 1;
  }

  /// The point at (p, q) of a face.
  std::size_t of_face(const std::size_t face, const std::size_t p, const std::size_t q) const
  {
    if (p == 0 || p == n_)
      return of_edge_from(macro_.faces[face], p == 0 ? 0 : 1, p == 0 ? 0 : 1, q);
    if (q == 0 || q == n_)
      return of_edge_from(macro_.faces[face], q == 0 ? 2 : 3, q == 0 ? 0 : 2, p);
    return first_of_faces_ + (face * inside_ + q - 1) * inside_ + p - 1;
  }

  /// The point at (i, j, k) of a cell.
  std::size_t of_cell(const std::size_t cell, const std::array<std::size_t, 3> &at) const
  {
    const auto outer     = [&](const std::size_t i) { return i == 0 || i == n_; };
    const auto [i, j, k] = at;
    const bool outer_i = outer(i), outer_j = outer(j), outer_k = outer(k);
    if (outer_i && outer_j && outer_k)
      return macro_.cells[cell].vertices[(i > 0 ? 1 : 0) + (j > 0 ? 2 : 0) + (k > 0 ? 4 : 0)];
    if (outer_i)
      return of_cell_face(cell, i == 0 ? 0 : 1, j, k);
    if (outer_j)
      return of_cell_face(cell, j == 0 ? 2 : 3, k, i);
    if (outer_k)
      return of_cell_face(cell, k == 0 ? 4 : 5, i, j);
    return first_of_cells_ + ((cell * inside_ + k - 1) * inside_ + j - 1) * inside_ + i - 1;
  }

private:
  /// The orientation in which a cell has a face, in bits: the coordinates are swapped, then the
  /// first and the second are reversed.
  enum Orientation : std::uint8_t
  {
    swapped         = 1,
    first_backward  = 2,
    second_backward = 4
  };

  std::size_t of_edge_from(const MacroMesh::Face &face,
                           const unsigned int e,
                           const unsigned int start,
                           const std::size_t t) const
  {
    const bool forward = macro_.edges[face.edges[e]].vertices[0] == face.vertices[start];
    return of_edge(face.edges[e], forward ? t : n_ - t);
  }

  std::size_t of_cell_face(const std::size_t cell,
                           const unsigned int f,
                           const std::size_t a,
                           const std::size_t b) const
  {
    const std::uint8_t seen = orientations_[cell][f];
    const std::size_t p = (seen & swapped) != 0 ? b : a, q = (seen & swapped) != 0 ? a : b;
    return of_face(macro_.cells[cell].faces[f],
                   (seen & first_backward) != 0 ? n_ - p : p,
                   (seen & second_backward) != 0 ? n_ - q : q);
  }

  const MacroMesh &macro_;
  std::size_t n_, inside_; ///< elements along an edge, inner points of an edge
  std::size_t first_of_edges_, first_of_faces_, first_of_cells_;
  std::vector<std::array<std::uint8_t, 6>> orientations_;
};
} // namespace strut
