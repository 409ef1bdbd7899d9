// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/repeated_cells.h"

#include <set>
#include <vector>

namespace strut
{
void merge_repeated_cells(FileMesh &mesh)
{
  const auto sorted = mesh.cells_by_points();
  std::vector<unsigned int> first(mesh.cells.size());
  bool repeated = false;
  for (std::size_t i = 0; i < sorted.size(); ++i)
    {
      const bool again        = i > 0 && sorted[i].first == sorted[i - 1].first;
      first[sorted[i].second] = again ? first[sorted[i - 1].second] : sorted[i].second;
      repeated                = repeated || again;
    }
  if (!repeated)
    return;
  // Cells that occur twice in one group, or in none, are kept: a later check refuses them.
  std::vector<bool> in_group(mesh.cells.size(), false);
  for (const FileMesh::Group &group : mesh.cell_groups)
    for (const unsigned int member : group.members)
      in_group[member] = true;
  for (unsigned int c = 0; c < first.size(); ++c)
    if (!in_group[c])
      first[c] = c;
  for (FileMesh::Group &group : mesh.cell_groups)
    {
      std::set<unsigned int> members;
      for (unsigned int &member : group.members)
        if (members.insert(first[member]).second)
          member = first[member];
        else
          first[member] = member;
    }
  std::vector<unsigned int> number(mesh.cells.size());
  std::size_t n = 0;
  for (unsigned int c = 0; c < first.size(); ++c)
    if (first[c] == c)
      {
        mesh.cells[n]          = mesh.cells[c];
        mesh.lines_of_cells[n] = mesh.lines_of_cells[c];
        number[c]              = static_cast<unsigned int>(n++);
      }
  mesh.cells.resize(n);
  mesh.lines_of_cells.resize(n);
  for (FileMesh::Group &group : mesh.cell_groups)
    for (unsigned int &member : group.members)
      member = number[member];
}
} // namespace strut
