// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>
#include <strut/mesh/hierarchy.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace strut
{
/// A coarse mesh of hexahedra (macro cells) that is refined everywhere: into `8^n` elements per
/// cell.
///
/// Vertices, edges and faces of a cell are in deal.II's order. Edges and faces have their own
/// frames, in any orientation relative to a cell. An edge runs from its vertex 0 to its vertex 1.
/// Vertex `v` of a face is at `(v & 1, v >> 1)` of the unit square. Its edges are those at 0 and 1
/// of the first coordinate, then those of the second one.
struct MacroMesh
{
  using Point = std::array<double, 3>;

  /// Marks a flat manifold, whose new points are weighted sums.
  static constexpr std::uint32_t flat = std::numeric_limits<std::uint32_t>::max();

  struct Edge
  {
    std::array<LocalIndex, 2> vertices{};
    std::uint32_t manifold = flat;
  };
  struct Face
  {
    std::array<LocalIndex, 4> vertices{};
    std::array<LocalIndex, 4> edges{};
    std::uint32_t manifold = flat;
  };
  struct Cell
  {
    std::array<LocalIndex, 8> vertices{};
    std::array<LocalIndex, 12> edges{};
    std::array<LocalIndex, 6> faces{};
    std::uint32_t manifold = flat;
  };

  std::vector<Point> vertices;
  std::vector<Edge> edges; ///< may be missing, with the faces, if there is no refinement
  std::vector<Face> faces;
  std::vector<Cell> cells;

  /// Returns the point of a manifold between others, `(manifold, n, points, weights)`. Several
  /// threads may call it concurrently. It is not needed if everything is flat.
  std::function<Point(std::uint32_t, std::size_t, const Point *, const double *)> new_point;
};

/// Refines a macro mesh n times, on one rank. The elements of a cell are consecutive: its children,
/// their children, and so on, as octants along their parents' axes. So element e is in cell
/// `order[e >> 3 n]`, and is child `e & 7` of element `e >> 3` of the mesh with one refinement
/// less. Nodes are numbered by first touch, with the same numbers for any number of threads.
///
/// New points are placed level by level, as by deal.II's refinement. Midpoints of edges follow from
/// their ends, centres of faces from 8 points around them, and centres of cells from 26, by
/// transfinite interpolation. Children have the manifold of the edge, face or cell that contains
/// them.
///
/// The function sets nodes, elements and coordinates, but no volumes. All elements are design
/// elements.
///
/// @param order  order of the cells
/// @throws Error if there are too many elements for their numbers; exceptions of new_point()
ElementMesh refine(const MacroMesh &macro,
                   const std::vector<std::uint32_t> &order,
                   unsigned int n_refinements,
                   int n_threads);

/// The meshes that refine() makes with fewer refinements, the finest coarse one first, and the
/// transfers between them. Their DoFs are constrained where those of the fine mesh are.
///
/// @param fine  result of refine() with n_refinements, and its constraints
MeshHierarchy coarser_meshes(const ElementMesh &fine, unsigned int n_refinements, int n_threads);
} // namespace strut
