// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/islands.h"
#include "source/base/forest.h"
#include "source/surface/box_tree.h"
#include "source/surface/ray.h"
#include "source/surface/vector3.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace strut
{
namespace
{
/// Triangles that are connected.
struct Shell
{
  std::uint32_t vertex = 0; ///< one of its vertices
  double volume        = 0.;
  Point low, high;
};

/// A direction that is unlikely to be parallel to an edge.
constexpr Point direction = {{0.5257311121, 0.7236067977, 0.4472135955}};
} // namespace

CutSurface selected(const CutSurface &surface, const std::vector<std::uint8_t> &is_selected)
{
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  CutSurface result;
  std::vector<std::uint32_t> number(surface.mesh.vertices.size(), none);
  for (std::size_t t = 0; t < surface.mesh.triangles.size(); ++t)
    if (is_selected[t] != 0)
      {
        Triangle triangle = surface.mesh.triangles[t];
        for (std::uint32_t &v : triangle)
          {
            if (number[v] == none)
              {
                number[v] = static_cast<std::uint32_t>(result.mesh.vertices.size());
                result.mesh.vertices.push_back(surface.mesh.vertices[v]);
                result.sizes.push_back(surface.sizes[v]);
              }
            v = number[v];
          }
        result.mesh.triangles.push_back(triangle);
        result.is_kept.push_back(surface.is_kept[t]);
      }
  return result;
}

LargestBody keep_largest_body(CutSurface &surface, const std::vector<Point> &demanded)
{
  const TriangleMesh &mesh = surface.mesh;
  LargestBody result;
  if (mesh.triangles.empty())
    return result;

  // (1) The shells, and their volumes.
  Forest forest(mesh.vertices.size());
  for (const Triangle &triangle : mesh.triangles)
    {
      forest.unite(triangle[0], triangle[1]);
      forest.unite(triangle[0], triangle[2]);
    }
  std::size_t n_shells                    = 0;
  const std::vector<std::uint32_t> number = forest.trees(n_shells);
  constexpr double far                    = std::numeric_limits<double>::max();
  std::vector<Shell> shells(n_shells, {0, 0., {{far, far, far}}, {{-far, -far, -far}}});
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    {
      Shell &shell = shells[number[v]];
      shell.vertex = static_cast<std::uint32_t>(v);
      for (std::size_t d = 0; d < 3; ++d)
        {
          shell.low[d]  = std::min(shell.low[d], mesh.vertices[v][d]);
          shell.high[d] = std::max(shell.high[d], mesh.vertices[v][d]);
        }
    }
  for (const Triangle &triangle : mesh.triangles)
    {
      Shell &shell = shells[number[triangle[0]]];
      shell.volume += dot(mesh.vertices[triangle[0]] - shell.low, area_vector(mesh, triangle)) / 6.;
    }

  // (2) The body of each cavity: the smallest body around it.
  std::vector<std::size_t> body(n_shells);
  std::iota(body.begin(), body.end(), std::size_t(0));
  const bool any_cavity =
    std::any_of(shells.begin(), shells.end(), [](const Shell &shell) { return shell.volume < 0.; });
  const bool is_tree_needed = any_cavity || (n_shells > 1 && !demanded.empty());
  const BoxTree tree(is_tree_needed ? mesh : TriangleMesh());
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::map<std::size_t, bool> is_around; // whether a ray crosses each shell an odd number of times
  const auto smallest_around = [&](const Point &x, const std::size_t own) {
    is_around.clear();
    tree.any_on_ray(x, direction, [&](const std::uint32_t t) {
      const std::size_t other = number[mesh.triangles[t][0]];
      if (other != own && shells[other].volume > 0. &&
          distance_along({x, direction}, mesh, mesh.triangles[t]) != is_missed)
        is_around[other] = !is_around[other];
      return false;
    });
    std::size_t smallest = none;
    for (const auto &[other, is_inside] : is_around)
      if (is_inside && (smallest == none || shells[other].volume < shells[smallest].volume))
        smallest = other;
    return smallest;
  };
  for (std::size_t s = 0; s < n_shells; ++s)
    if (shells[s].volume < 0.)
      if (const std::size_t around = smallest_around(mesh.vertices[shells[s].vertex], s);
          around != none)
        body[s] = around;

  // (3) The largest body without its cavities, and the demanded bodies.
  std::vector<double> volumes(n_shells, 0.);
  for (std::size_t s = 0; s < n_shells; ++s)
    volumes[body[s]] += shells[s].volume;
  const auto largest =
    static_cast<std::size_t>(std::max_element(volumes.begin(), volumes.end()) - volumes.begin());
  std::vector<bool> stays(n_shells, false);
  stays[largest] = true;
  for (std::size_t i = 0; i < demanded.size() && n_shells > 1; ++i)
    if (const std::size_t around = smallest_around(demanded[i], none);
        around != none && around != largest)
      {
        stays[around] = true;
        result.apart.push_back(i);
      }
  for (std::size_t s = 0; s < n_shells; ++s)
    if (!stays[body[s]] && body[s] == s)
      result.islands.push_back({volumes[s], shells[s].low, shells[s].high});
    else if (stays[body[s]] && body[s] != s)
      ++result.n_cavities;
  std::sort(result.islands.begin(), result.islands.end(), [](const Island &a, const Island &b) {
    return a.volume > b.volume;
  });
  if (!result.islands.empty())
    {
      std::vector<std::uint8_t> is_selected;
      is_selected.reserve(mesh.triangles.size());
      for (const Triangle &triangle : mesh.triangles)
        is_selected.push_back(stays[body[number[triangle[0]]]] ? 1 : 0);
      surface = selected(surface, is_selected);
    }
  return result;
}
} // namespace strut
