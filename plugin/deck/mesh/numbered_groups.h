// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "plugin/deck/mesh/file_mesh.h"

namespace strut
{
/// Groups of a format in which each cell or face has one number and no name. The number 0 means no
/// group: faces that the file does not list have it, too.
class NumberedGroups
{
public:
  /// deal.II uses the next larger number for interior faces.
  static constexpr long largest_id = std::numeric_limits<unsigned int>::max() - 1l;

  /// Adds a cell or face to its group. @param dim  3: a cell, 2: a face
  /// @param member  number of the cell or face in the mesh
  void add(const unsigned int dim, const unsigned int id, const unsigned int member)
  {
    if (id != 0)
      (dim == 3 ? cells_ : faces_)[id].push_back(member);
    else if (dim == 2)
      faces_numbered_0_.push_back(member);
  }

  void move_to(FileMesh &mesh)
  {
    for (auto &[id, members] : cells_)
      mesh.cell_groups.push_back({id, "", std::move(members)});
    for (auto &[id, members] : faces_)
      mesh.face_groups.push_back({id, "", std::move(members)});
    mesh.faces_numbered_0 = std::move(faces_numbered_0_);
  }

private:
  std::map<unsigned int, std::vector<unsigned int>> cells_, faces_;
  std::vector<unsigned int> faces_numbered_0_;
};
} // namespace strut
