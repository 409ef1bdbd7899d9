// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/left_out.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "source/mesh/faces.h"

namespace strut
{
namespace
{
/// Lines and faces of the file that belong to no hexahedron.
class Strays
{
public:
  explicit Strays(const FileMesh &mesh) : is_used_(mesh.points.size(), false)
  {
    for (const FileMesh::Line &line : mesh.lines)
      add({{line.ends[0], line.ends[1], FileMesh::none, FileMesh::none}}, line.line);
    for (std::size_t f = 0; f < mesh.faces.size(); ++f)
      add(mesh.faces[f], mesh.lines_of_faces[f]);
    std::sort(all_.begin(), all_.end());
    found_.assign(all_.size(), false);
    for (const FileMesh::Cell &cell : mesh.cells)
      {
        for (unsigned int d = 0; d < 3; ++d)
          for (unsigned int v = 0; v < 8; ++v)
            if ((v >> d & 1u) == 0)
              find({{cell[v], cell[v | 1u << d], FileMesh::none, FileMesh::none}});
        for (const auto &face : around_face)
          find({{cell[face[0]], cell[face[1]], cell[face[2]], cell[face[3]]}});
      }
  }

  /// Returns "3 lines that are no edges of hexahedra (first: line 12)", or nothing if there are
  /// none.
  /// @param is_line  true: lines, false: faces
  std::string list(const bool is_line) const
  {
    std::size_t n = 0, first = 0;
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (!found_[i] && (all_[i].first[2] == FileMesh::none) == is_line)
        {
          first = n == 0 ? all_[i].second : std::min(first, all_[i].second);
          ++n;
        }
    return n == 0 ? ""
                  : std::to_string(n) +
                      (is_line ? " lines that are no edges" : " faces that are no faces") +
                      " of hexahedra (first: line " + std::to_string(first) + ")";
  }

private:
  void add(FileMesh::Face points, const std::size_t line)
  {
    for (const unsigned int point : points)
      if (point != FileMesh::none)
        is_used_[point] = true;
    std::sort(points.begin(), points.end());
    all_.emplace_back(points, line);
  }

  void find(FileMesh::Face points)
  {
    for (const unsigned int point : points)
      if (point != FileMesh::none && !is_used_[point])
        return;
    std::sort(points.begin(), points.end());
    for (auto at =
           std::lower_bound(all_.begin(), all_.end(), std::make_pair(points, std::size_t(0)));
         at != all_.end() && at->first == points;
         ++at)
      found_[static_cast<std::size_t>(at - all_.begin())] = true;
  }

  std::vector<bool> is_used_; ///< points that a line or face uses
  std::vector<std::pair<FileMesh::Face, std::size_t>> all_;
  std::vector<bool> found_;
};
} // namespace

std::string note_on_left_out(const FileMesh &mesh)
{
  std::string list = mesh.contents.has_sections ? mesh.contents.list_carriers() : "";
  if (!mesh.contents.has_sections && (!mesh.lines.empty() || !mesh.faces.empty()) &&
      !mesh.has_tetrahedra())
    {
      const Strays strays(mesh);
      list                    = strays.list(true);
      const std::string faces = strays.list(false);
      list += (list.empty() || faces.empty() ? "" : ", ") + faces;
    }
  if (list.empty())
    return "";
  return "NOTE: the file has elements beside its hexahedra that may carry load, and strut leaves them out: " +
         list +
         ". Mesh what they stand for with hexahedra, or replace it by supports or springs; where they only "
         "give names to edges and faces, nothing is missing";
}
} // namespace strut
