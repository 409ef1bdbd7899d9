// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plugin/deck/mesh/cell_types.h"
#include "source/base/bucket_sort.h"
#include "source/base/parallel_loop.h"

namespace strut
{
/// A mesh as a file has it, in flat arrays: points, cells, faces, and sets with a name or a number.
/// Only the rules of the format are checked.
struct FileMesh
{
  static constexpr unsigned int none = std::numeric_limits<unsigned int>::max();

  /// Points of a cell. Hexahedra are in deal.II's lexicographic order: vertex v is at (v & 1, v >>
  /// 1 & 1, v >> 2) of the unit cube. Tetrahedra have four; the rest is `none`.
  using Cell = std::array<unsigned int, 8>;

  /// Points around a face, so that its normal follows the right-hand rule. The fourth of a triangle
  /// is `none`.
  using Face = std::array<unsigned int, 4>;

  /// Cells, faces or points with a number and a name. Groups may overlap.
  struct Group
  {
    unsigned int id = 0;
    std::string name; ///< may be empty
    std::vector<unsigned int> members;
    /// Pairs of nodes of the group that an element of the file connects; for groups of nodes only.
    std::vector<std::array<unsigned int, 2>> edges = {};
  };

  /// A cell with two ends. Meshes of solids do not need it.
  struct Line
  {
    std::array<unsigned int, 2> ends;
    std::size_t line; ///< line of the file, from 1
  };

  std::vector<dealii::Point<3>> points;
  std::vector<Cell> cells;
  std::vector<Face> faces;
  std::vector<std::size_t> lines_of_cells, lines_of_faces; ///< lines of the file, from 1
  std::vector<Line> lines;

  std::vector<Group> cell_groups, face_groups;
  std::vector<Group> node_groups; ///< have names only; their ids mean nothing
  /// Whether nodes between nodes of a group join it, because the format has no edges of groups.
  bool node_groups_grow = false;

  /// Faces with the number 0, where that may mean that they are in no group.
  std::vector<unsigned int> faces_numbered_0;

  /// Names that select nothing, with the reason.
  std::map<std::string, std::string> names_of_nothing;
  std::string unread_ids; ///< a sentence on data that may be ids and are not read; may be empty
  std::vector<std::string> remarks; ///< for the log; notes begin with "NOTE: "

  /// Number of cells of each kind in the file, including those that strut refuses.
  MeshFileContents contents;

  /// Adds a cell or face of a useful type. The nodes are given around a face, and around the bottom
  /// and then the top of a hexahedron.
  /// @param line  line of the file
  /// @return the number among the cells or the faces
  unsigned int
  add(const CellType &type, const std::array<unsigned int, 8> &nodes, const std::size_t line)
  {
    Cell points;
    points.fill(none);
    std::copy_n(nodes.begin(), type.n_nodes, points.begin());
    if (type.dim == 2)
      {
        faces.push_back({{points[0], points[1], points[2], points[3]}});
        lines_of_faces.push_back(line);
        return static_cast<unsigned int>(faces.size() - 1);
      }
    if (type.n_nodes == 8)
      {
        std::swap(points[2], points[3]);
        std::swap(points[6], points[7]);
      }
    cells.push_back(points);
    lines_of_cells.push_back(line);
    return static_cast<unsigned int>(cells.size() - 1);
  }

  /// The points of each cell in ascending order, with the number of the cell. Cells with the same
  /// points are adjacent, in the order of the file.
  std::vector<std::pair<Cell, unsigned int>> cells_by_points() const
  {
    std::vector<std::pair<Cell, unsigned int>> sorted(cells.size());
    const int n_threads = cpu::default_n_threads();
    cpu::parallel_for(n_threads, cells.size(), [&](const std::size_t c) {
      sorted[c] = {cells[c], static_cast<unsigned int>(c)};
      std::sort(sorted[c].first.begin(), sorted[c].first.end());
    });
    cpu::bucket_sort(
      n_threads, points.size(), [](const auto &cell) { return cell.first[0]; }, sorted);
    return sorted;
  }

  bool has_tetrahedra() const
  {
    return !cells.empty() && cells.front()[4] == none;
  }
};
} // namespace strut
