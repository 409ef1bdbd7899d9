// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/page/structure_page.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "plugin/deck/page/page_frame.h"
#include "plugin/deck/page/part_data.h"
#include "source/base/team.h"
#include "source/surface/for_looking.h"
#include "source/surface/weld.h"

namespace strut
{
namespace
{
std::string structure_data(const StructurePage &page, const std::size_t most)
{
  std::size_t n_triangles = 0;
  for (const StructurePage::Surface &surface : page.surfaces)
    n_triangles += surface.mesh.triangles.size();
  Json json;
  json.value("name", page.name).value("nodes", page.n_nodes).open("part");
  write_marks(json, page.marks);
  write_places(json, "names", page.names, page.marks);
  json.close().open_list("surfaces");
  for (const StructurePage::Surface &surface : page.surfaces)
    {
      const std::size_t n = surface.mesh.triangles.size();
      if (n == 0)
        continue;
      const bool is_whole = n_triangles <= most;
      json.open().value("name", surface.name).value("kind", surface.kind).value("whole", is_whole);
      write_surface(json,
                    is_whole    ? surface.mesh
                    : most == 0 ? TriangleMesh()
                                : for_looking(surface.mesh,
                                              std::max<std::size_t>(12, most * n / n_triangles),
                                              cpu::default_n_threads()),
                    page.marks);
      json.close();
    }
  json.close();
  return json.text();
}
} // namespace

std::string to_html(const StructurePage &page)
{
  return page_of_limited_size([&](const std::size_t most) {
    return filled_page(structure_html,
                       {{"title", html_escaped(page.name)},
                        {"style", std::string(page_css)},
                        {"data", between_tags(structure_data(page, most))},
                        {"common", std::string(page_common_js)},
                        {"viewer", std::string(page_viewer_js)},
                        {"script", std::string(structure_js)}});
  });
}

void add_face(TriangleMesh &mesh, const FaceCorners &corners)
{
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), corners.begin(), corners.end());
  mesh.triangles.push_back({{first, first + 1, first + 2}});
  if (corners[2] != corners[3]) // else it is a triangle
    mesh.triangles.push_back({{first + 2, first + 3, first}});
}

TriangleMesh skin_of(const std::vector<FaultyElements::Vertices> &elements)
{
  // The corners in ascending order, by which neighbours have the same, and the number of the face.
  std::vector<std::pair<FaceCorners, std::size_t>> faces;
  faces.reserve(6 * elements.size());
  const auto corners_of = [&](const std::size_t face) {
    FaceCorners corners;
    for (std::size_t k = 0; k < 4; ++k)
      corners[k] = elements[face / 6][FaultyElements::around_faces[face % 6][k]];
    return corners;
  };
  for (std::size_t face = 0; face < 6 * elements.size(); ++face)
    {
      faces.emplace_back(corners_of(face), face);
      std::sort(faces.back().first.begin(), faces.back().first.end());
    }
  std::sort(faces.begin(), faces.end());
  TriangleMesh skin;
  for (std::size_t i = 0, end = 0; i < faces.size(); i = end)
    {
      while (end < faces.size() && faces[end].first == faces[i].first)
        ++end;
      // A flat element may have two faces in one place.
      if (faces[i].second / 6 == faces[end - 1].second / 6)
        add_face(skin, corners_of(faces[i].second));
    }
  return welded(skin);
}
} // namespace strut
