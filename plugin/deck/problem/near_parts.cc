// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/near_parts.h"

#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "plugin/base/spelling.h"
#include "plugin/deck/problem/distance_to_faces.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/faces.h"

namespace strut
{
namespace
{
using Point = dealii::Point<3>;

struct BoundaryTriangle
{
  std::array<Point, 3> corners;
  std::size_t body;
};

dealii::BoundingBox<3> box_around(const Point &point, const double reach)
{
  const dealii::Tensor<1, 3> all({reach, reach, reach});
  return dealii::BoundingBox<3>(std::make_pair(point - all, point + all));
}
} // namespace

std::optional<NearParts> find_near_parts(const CoarseMesh &mesh,
                                         const MeshBodies &bodies,
                                         const double least,
                                         const double most)
{
  namespace index = boost::geometry::index;
  if (bodies.size() < 2)
    return {};
  std::set<std::pair<std::size_t, std::size_t>> hinged;
  for (const Bodies::Hinge &hinge : bodies.bodies.hinges)
    hinged.insert(std::minmax(hinge.first, hinge.second));

  std::vector<BoundaryTriangle> triangles;
  std::vector<std::pair<dealii::BoundingBox<3>, std::uint32_t>> boxes;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (unsigned int f = 0; f < 6; ++f)
      if (mesh.neighbours[c][f] == CoarseMesh::nobody)
        for (const auto &[second, third] : {std::make_pair(1u, 2u), std::make_pair(2u, 3u)})
          {
            const std::array<Point, 3> corners = {{mesh.vertex(c, around_face[f][0]),
                                                   mesh.vertex(c, around_face[f][second]),
                                                   mesh.vertex(c, around_face[f][third])}};
            boxes.emplace_back(dealii::BoundingBox<3>(
                                 std::vector<Point>(corners.begin(), corners.end())),
                               static_cast<std::uint32_t>(triangles.size()));
            triangles.push_back({corners, bodies.of_coarse_cell[c]});
          }
  const auto tree  = dealii::pack_rtree(boxes);
  const auto found = cpu::values_of_blocks(
    cpu::default_n_threads(),
    triangles.size(),
    [&](const std::size_t begin, const std::size_t end) {
      NearParts nearest;
      nearest.distance = most;
      for (std::size_t i = begin; i < end; ++i)
        for (const Point &corner : triangles[i].corners)
          for (const auto &[box, j] :
               tree | index::adaptors::queried(index::intersects(box_around(corner, most))))
            {
              const std::size_t a = triangles[i].body, b = triangles[j].body;
              if (a == b || hinged.count(std::minmax(a, b)) > 0)
                continue;
              const double distance = distance_to_triangle(corner, triangles[j].corners);
              if (distance > least && distance < nearest.distance)
                nearest = {{{a, b}}, distance, corner};
            }
      return nearest;
    });
  NearParts nearest;
  nearest.distance = most;
  for (const NearParts &of_block : found)
    if (of_block.distance < nearest.distance)
      nearest = of_block;
  return nearest.distance < most ? std::make_optional(nearest) : std::nullopt;
}

std::string note_on_near_parts(const CoarseMesh &mesh,
                               const std::vector<std::array<std::uint32_t, 2>> &tied,
                               const std::vector<std::string> &in_vain,
                               const double tolerance,
                               const double shortest_edge)
{
  // Intended gaps are wider than a thousandth of the longest side or a fifth of an edge.
  const double nearly     = std::min(1e3 * tolerance, 0.2 * shortest_edge);
  const double most       = in_vain.empty() ? nearly : std::max(1e4 * tolerance, nearly);
  const MeshBodies bodies = find_bodies(mesh, tied);
  const auto near         = find_near_parts(mesh, bodies, tolerance, most);
  if (in_vain.empty() && !near)
    return "";
  std::ostringstream text;
  text << "  NOTE: ";
  if (in_vain.empty())
    text << "parts of the mesh nearly touch, and are not joined";
  else
    text << "'" << join(in_vain, "' and '") << "' in Mesh / File joined nothing";
  text.precision(6);
  if (near)
    {
      text << ": part " << std::min(near->bodies[0], near->bodies[1]) + 1 << " and part "
           << std::max(near->bodies[0], near->bodies[1]) + 1 << " are " << near->distance
           << " apart at (" << near->point[0] << ", " << near->point[1] << ", " << near->point[2]
           << "), ";
      text.precision(2);
      text << near->distance / tolerance << " times the tolerance of " << tolerance
           << ", a millionth of the longest side; to join them, write the coordinates with more "
              "digits, or close the gap in the mesh\n";
    }
  else if (bodies.size() < 2)
    text << ": the mesh is one part already\n";
  else
    text << ": no two parts that share no nodes are nearer than " << most << '\n';
  return text.str();
}
} // namespace strut
