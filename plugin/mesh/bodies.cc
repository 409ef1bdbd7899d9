// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/mesh/bodies.h"

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace strut::plugin
{
namespace
{
constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

/// Body by body, from neighbour to neighbour.
void colour(const dealii::Triangulation<3, 3> &triangulation, MeshBodies &result)
{
  result.of_coarse_cell.assign(triangulation.n_cells(0), nobody);
  std::vector<int> front;
  for (const auto &seed : triangulation.cell_iterators_on_level(0))
    {
      if (result.of_coarse_cell[seed->index()] != nobody)
        continue;
      const auto body = static_cast<std::uint32_t>(result.bodies.boxes.size());
      Box3 box;
      box.lower.fill(std::numeric_limits<double>::max());
      box.upper.fill(std::numeric_limits<double>::lowest());
      std::set<unsigned int> materials;
      std::size_t n = 0;

      result.of_coarse_cell[seed->index()] = body;
      front.assign(1, seed->index());
      while (!front.empty())
        {
          const dealii::Triangulation<3, 3>::cell_iterator cell(&triangulation, 0, front.back());
          front.pop_back();
          ++n;
          // a parent has the material of its children
          materials.insert(cell->material_id());
          for (const unsigned int v : cell->vertex_indices())
            for (unsigned int d = 0; d < 3; ++d)
              {
                box.lower[d] = std::min(box.lower[d], cell->vertex(v)[d]);
                box.upper[d] = std::max(box.upper[d], cell->vertex(v)[d]);
              }
          for (const unsigned int f : cell->face_indices())
            if (!cell->at_boundary(f) && result.of_coarse_cell[cell->neighbor_index(f)] == nobody)
              {
                result.of_coarse_cell[cell->neighbor_index(f)] = body;
                front.push_back(cell->neighbor_index(f));
              }
        }
      result.bodies.boxes.push_back(box);
      result.material_ids.push_back(std::move(materials));
      result.n_coarse_cells.push_back(n);
    }
}

/// The vertices of the coarse cells with the bodies around them, each pair once.
std::vector<std::pair<unsigned int, std::uint32_t>>
vertices_and_bodies(const dealii::Triangulation<3, 3> &triangulation, const MeshBodies &bodies)
{
  std::vector<std::pair<unsigned int, std::uint32_t>> result;
  result.reserve(8 * triangulation.n_cells(0));
  for (const auto &cell : triangulation.cell_iterators_on_level(0))
    for (const unsigned int v : cell->vertex_indices())
      result.emplace_back(cell->vertex_index(v), bodies.of_coarse_cell[cell->index()]);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}
} // namespace

MeshBodies find_bodies(const dealii::Triangulation<3, 3> &triangulation)
{
  MeshBodies result;
  colour(triangulation, result);
  if (result.size() < 2)
    return result;
  const auto pairs = vertices_and_bodies(triangulation, result);
  for (std::size_t i = 1; i < pairs.size(); ++i)
    if (pairs[i - 1].first == pairs[i].first)
      {
        const dealii::Point<3> &point = triangulation.get_vertices()[pairs[i].first];
        result.bodies.hinges.push_back(
          {pairs[i - 1].second, pairs[i].second, {{point[0], point[1], point[2]}}});
      }
  return result;
}

std::vector<unsigned int> first_of_coincident(const std::vector<dealii::Point<3>> &points,
                                              const double tolerance)
{
  namespace index = boost::geometry::index;
  std::vector<std::pair<dealii::Point<3>, unsigned int>> numbered;
  for (const dealii::Point<3> &point : points)
    numbered.emplace_back(point, static_cast<unsigned int>(numbered.size()));
  const auto tree = dealii::pack_rtree(numbered);
  const dealii::Tensor<1, 3> reach({tolerance, tolerance, tolerance});
  std::vector<unsigned int> result;
  for (const auto &[point, i] : numbered)
    {
      result.push_back(i);
      const dealii::BoundingBox<3> near({point - reach, point + reach});
      for (const auto &[other, j] : tree | index::adaptors::queried(index::intersects(near)))
        if (j < result[i] && result[j] == j && other.distance(point) <= tolerance)
          result[i] = j;
    }
  return result;
}

std::size_t n_coincident_nodes(const dealii::Triangulation<3, 3> &triangulation,
                               const MeshBodies &bodies,
                               const std::size_t body,
                               const double tolerance)
{
  // of the others first, then of the body: a node of the body finds the others before it
  std::vector<dealii::Point<3>> points;
  const auto pairs = vertices_and_bodies(triangulation, bodies);
  std::vector<bool> of_body(triangulation.n_vertices(), false);
  for (const auto &[vertex, b] : pairs)
    if (b == body)
      of_body[vertex] = true;
  for (const auto &[vertex, b] : pairs)
    if (!of_body[vertex])
      points.push_back(triangulation.get_vertices()[vertex]);
  const std::size_t n_others = points.size();
  for (std::size_t v = 0; v < of_body.size(); ++v)
    if (of_body[v])
      points.push_back(triangulation.get_vertices()[v]);
  const std::vector<unsigned int> first = first_of_coincident(points, tolerance);
  return static_cast<std::size_t>(
    std::count_if(first.begin() + static_cast<std::ptrdiff_t>(n_others),
                  first.end(),
                  [&](const unsigned int i) { return i < n_others; }));
}
} // namespace strut::plugin
