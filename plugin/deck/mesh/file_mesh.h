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

namespace strut::plugin
{
/// A mesh as a file has it, in flat arrays: points, cells and faces of them, and sets with a name or a
/// number. Only the rules of the format are checked.
struct FileMesh
{
  static constexpr unsigned int none = std::numeric_limits<unsigned int>::max();

  /// Points that span a cell. Hexahedra in deal.II's lexicographic order: vertex v is at (v & 1, v >> 1 & 1,
  /// v >> 2) of the unit cube. Tetrahedra have four; the others are `none`.
  using Cell = std::array<unsigned int, 8>;

  /// Points around a face, so that its normal follows the right-hand rule; the fourth of a triangle is
  /// `none`.
  using Face = std::array<unsigned int, 4>;

  /// Cells, faces or points that go by a number and a name. Groups may overlap.
  struct Group
  {
    unsigned int id = 0;
    std::string name; ///< may be empty
    std::vector<unsigned int> members;
    std::vector<std::array<unsigned int, 2>> edges =
      {}; ///< of a group of nodes: between which of them
  };

  /// A cell of two ends, which no mesh of solids needs.
  struct Line
  {
    std::array<unsigned int, 2> ends;
    std::size_t line; ///< of the file, from 1
  };

  std::vector<dealii::Point<3>> points;
  std::vector<Cell> cells;
  std::vector<Face> faces;
  std::vector<std::size_t> lines_of_cells, lines_of_faces; ///< of the file, from 1
  std::vector<Line> lines;

  std::vector<Group> cell_groups, face_groups;
  std::vector<Group> node_groups; ///< by name alone; their ids mean nothing
  bool node_groups_grow =
    false; ///< the format has no edges of them: nodes between nodes of a group join it

  /// Faces with the number 0, where that may mean that they are in no group.
  std::vector<unsigned int> faces_numbered_0;

  std::map<std::string, std::string> names_of_nothing; ///< that select nothing, and why
  std::string unread_ids; ///< a sentence on data that may be ids and are not read; may be empty
  std::vector<std::string> remarks; ///< for the log; notes begin with "NOTE: "

  /// How many cells of which kind the file has, those that strut does not take among them.
  MeshFileContents contents;

  /// Add a cell or face of a useful type, whose nodes go round it, or round its bottom and then its top.
  /// @param line  of the file @return its number among the cells, or the faces
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

  /// The points of each cell in ascending order, with the number of the cell; those with the same points are
  /// next to each other, in the order of the file.
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
} // namespace strut::plugin
