// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/bodies.h"

#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace strut
{
namespace
{
/// Numbers the bodies: each is a set of cells that are connected by neighbours or ties.
void colour(const CoarseMesh &mesh,
            const std::vector<std::array<std::uint32_t, 2>> &tied,
            MeshBodies &result)
{
  std::multimap<std::uint32_t, std::uint32_t> tied_to;
  for (const auto &[a, b] : tied)
    {
      tied_to.emplace(a, b);
      tied_to.emplace(b, a);
    }

  const auto n_cells = static_cast<std::uint32_t>(mesh.cells.size());
  result.of_coarse_cell.assign(n_cells, CoarseMesh::nobody);
  std::vector<std::uint32_t> front;
  for (std::uint32_t seed = 0; seed < n_cells; ++seed)
    {
      if (result.of_coarse_cell[seed] != CoarseMesh::nobody)
        continue;
      const auto body = static_cast<std::uint32_t>(result.bodies.boxes.size());
      Box3 box;
      box.lower.fill(std::numeric_limits<double>::max());
      box.upper.fill(std::numeric_limits<double>::lowest());
      std::set<unsigned int> materials;
      std::uint32_t last_material = CoarseMesh::nobody;
      std::size_t n               = 0;

      result.of_coarse_cell[seed] = body;
      front.assign(1, seed);
      while (!front.empty())
        {
          const std::uint32_t cell = front.back();
          front.pop_back();
          ++n;
          if (const std::uint32_t material = mesh.names.materials[cell]; material != last_material)
            materials.insert(last_material = material);
          for (unsigned int v = 0; v < 8; ++v)
            for (unsigned int d = 0; d < 3; ++d)
              {
                box.lower[d] = std::min(box.lower[d], mesh.vertex(cell, v)[d]);
                box.upper[d] = std::max(box.upper[d], mesh.vertex(cell, v)[d]);
              }
          const auto visit = [&](const std::uint32_t neighbour) {
            if (neighbour == CoarseMesh::nobody ||
                result.of_coarse_cell[neighbour] != CoarseMesh::nobody)
              return;
            result.of_coarse_cell[neighbour] = body;
            front.push_back(neighbour);
          };
          for (const std::uint32_t neighbour : mesh.neighbours[cell])
            visit(neighbour);
          const auto [first, last] = tied_to.equal_range(cell);
          std::for_each(first, last, [&](const auto &pair) { visit(pair.second); });
        }
      result.bodies.boxes.push_back(box);
      result.material_ids.push_back(std::move(materials));
      result.n_coarse_cells.push_back(n);
    }
}

/// Returns all pairs of a vertex of the coarse mesh and a body that has it, each pair once.
std::vector<std::pair<unsigned int, std::uint32_t>> vertices_and_bodies(const CoarseMesh &mesh,
                                                                        const MeshBodies &bodies)
{
  std::vector<std::pair<unsigned int, std::uint32_t>> result;
  result.reserve(8 * mesh.cells.size());
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (const unsigned int vertex : mesh.cells[c])
      result.emplace_back(vertex, bodies.of_coarse_cell[c]);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}
} // namespace

MeshBodies find_bodies(const CoarseMesh &mesh,
                       const std::vector<std::array<std::uint32_t, 2>> &tied)
{
  MeshBodies result;
  colour(mesh, tied, result);
  if (result.size() < 2)
    return result;
  const auto pairs = vertices_and_bodies(mesh, result);
  for (std::size_t i = 1; i < pairs.size(); ++i)
    if (pairs[i - 1].first == pairs[i].first)
      {
        const dealii::Point<3> &point = mesh.vertices[pairs[i].first];
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

std::size_t n_coincident_nodes(const CoarseMesh &mesh,
                               const MeshBodies &bodies,
                               const std::size_t body,
                               const double tolerance)
{
  // Nodes of other bodies come first: a node of this body then finds them before itself.
  std::vector<dealii::Point<3>> points;
  const auto pairs = vertices_and_bodies(mesh, bodies);
  std::vector<bool> of_body(mesh.vertices.size(), false);
  for (const auto &[vertex, b] : pairs)
    if (b == body)
      of_body[vertex] = true;
  for (const auto &[vertex, b] : pairs)
    if (!of_body[vertex])
      points.push_back(mesh.vertices[vertex]);
  const std::size_t n_others = points.size();
  for (std::size_t v = 0; v < of_body.size(); ++v)
    if (of_body[v])
      points.push_back(mesh.vertices[v]);
  const std::vector<unsigned int> first = first_of_coincident(points, tolerance);
  return static_cast<std::size_t>(
    std::count_if(first.begin() + static_cast<std::ptrdiff_t>(n_others),
                  first.end(),
                  [&](const unsigned int i) { return i < n_others; }));
}
} // namespace strut
