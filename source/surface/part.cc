// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/part.h"
#include "source/surface/measures.h"
#include "source/surface/mirror.h"
#include "source/surface/self_intersections.h"
#include "source/surface/simplify.h"
#include "source/surface/vector3.h"
#include "source/surface/vertex_fans.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace strut
{
namespace
{
constexpr int most_tries = 10;

/// Kept triangles that a step has turned over, so that they fold in their plane.
std::vector<std::uint32_t> turned_over(const CutSurface &before, const TriangleMesh &after)
{
  std::vector<std::uint32_t> turned;
  for (std::size_t t = 0; t < after.triangles.size(); ++t)
    if (before.is_kept[t] != 0 && dot(area_vector(before.mesh, before.mesh.triangles[t]),
                                      area_vector(after, after.triangles[t])) < 0.)
      turned.push_back(static_cast<std::uint32_t>(t));
  return turned;
}

std::vector<std::uint32_t> vertices_of(const TriangleMesh &mesh,
                                       const std::vector<std::uint32_t> &triangles)
{
  std::vector<std::uint32_t> vertices;
  for (const std::uint32_t t : triangles)
    vertices.insert(vertices.end(), mesh.triangles[t].begin(), mesh.triangles[t].end());
  return vertices;
}

/// Halves the shares of some vertices. Shares of others may exceed those of their neighbours by a
/// third at most.
void reduce(std::vector<double> &shares,
            const TriangleMesh &mesh,
            const std::vector<std::uint32_t> &vertices)
{
  std::vector<double> reduced = shares;
  for (const std::uint32_t v : vertices)
    reduced[v] = shares[v] > 0.2 ? 0.5 * shares[v] : 0.;
  for (int ring = 0; ring < 3; ++ring)
    {
      const std::vector<double> before = reduced;
      for (const Triangle &triangle : mesh.triangles)
        for (std::size_t i = 0; i < 3; ++i)
          for (const std::size_t k : {(i + 1) % 3, (i + 2) % 3})
            reduced[triangle[i]] = std::min(reduced[triangle[i]], before[triangle[k]] + 0.33);
    }
  shares.swap(reduced);
}

/// Smooths the surface, less around places where it would cross itself, and not at all if that is
/// not enough.
void smooth_where_possible(CutSurface &surface,
                           const SmoothingSettings &settings,
                           Part &part,
                           const int n_threads)
{
  if (settings.passes == 0)
    return;
  const VertexToTriangle around(surface.mesh);
  const Freedoms freedoms(surface, around);
  const CutSurface before = surface;
  smooth(surface, around, freedoms, settings, n_threads);
  const std::vector<Point> smooth_places = surface.mesh.vertices;
  std::vector<double> shares(smooth_places.size(), 1.); // relative steps to the smooth places
  // where the cut surface crosses itself already, less smoothing does not help
  const std::vector<std::uint32_t> crossed_before = self_intersections(before.mesh, n_threads);
  for (int attempt = 0;; ++attempt)
    {
      std::vector<std::uint32_t> crossed;
      const std::vector<std::uint32_t> all = self_intersections(surface.mesh, n_threads);
      std::set_difference(all.begin(),
                          all.end(),
                          crossed_before.begin(),
                          crossed_before.end(),
                          std::back_inserter(crossed));
      const std::vector<std::uint32_t> turned = turned_over(before, surface.mesh);
      crossed.insert(crossed.end(), turned.begin(), turned.end());
      if (crossed.empty())
        break;
      if (attempt < most_tries)
        reduce(shares, surface.mesh, vertices_of(surface.mesh, crossed));
      else
        {
          std::fill(shares.begin(), shares.end(), 0.);
          part.warnings.push_back(
            "the surface crosses itself wherever it is smoothed, so it is not");
        }
      for (std::size_t v = 0; v < shares.size(); ++v)
        surface.mesh.vertices[v] =
          before.mesh.vertices[v] + shares[v] * (smooth_places[v] - before.mesh.vertices[v]);
      if (attempt == most_tries)
        break;
    }
  if (!crossed_before.empty())
    part.warnings.push_back("the surface crosses itself as it is cut from the mesh, with " +
                            std::to_string(crossed_before.size()) + " triangles");
  part.n_still = static_cast<std::size_t>(std::count(shares.begin(), shares.end(), 0.));
  for (std::size_t v = 0; v < shares.size(); ++v)
    part.farthest =
      std::max(part.farthest,
               length(surface.mesh.vertices[v] - before.mesh.vertices[v]) / surface.sizes[v]);
}
} // namespace

Part make_part(CutSurface surface, const PartSettings &settings, const int n_threads)
{
  Part part;
  part.n_triangles_before     = surface.mesh.triangles.size();
  std::vector<Point> demanded = settings.demanded;
  for (const SymmetryPlane &plane : settings.mirrors)
    {
      for (std::size_t i = 0, n = demanded.size(); i < n; ++i)
        {
          Point behind         = demanded[i];
          behind[plane.normal] = 2. * plane.value - behind[plane.normal];
          demanded.push_back(behind);
        }
      double extent = 0., gap = std::numeric_limits<double>::max();
      for (const Point &x : surface.mesh.vertices)
        {
          const double distance = std::abs(x[plane.normal] - plane.value);
          extent                = std::max(extent, distance);
          gap                   = std::min(gap, distance);
        }
      // some times the rounding of single precision, which files have, unless that is too coarse
      // for the elements
      const double tolerance =
        std::min(3e-7 * (extent + std::abs(plane.value)),
                 surface.sizes.empty()
                   ? extent
                   : 5e-4 * *std::min_element(surface.sizes.begin(), surface.sizes.end()));
      if (gap > tolerance)
        part.warnings.push_back(std::string("the part does not reach the plane ") +
                                "xyz"[plane.normal] + " = " + std::to_string(plane.value) +
                                ": its mirror image is a body of its own");
      surface = with_mirror_image(surface, plane, tolerance);
    }
  separate_fans(surface);
  if (!settings.keep_islands)
    part.largest = keep_largest_body(surface, demanded);
  for (std::size_t &place : part.largest.apart) // including places in mirror images
    place %= settings.demanded.size();
  if (const std::size_t n = faulty_edges(surface.mesh, n_threads).size(); n > 0)
    throw Error("The surface of the design is not closed: " + std::to_string(n) +
                " of its edges do not have two triangles.");
  smooth_where_possible(surface, settings.smoothing, part, n_threads);
  if (settings.error > 0. && !surface.sizes.empty())
    {
      const double size = std::accumulate(surface.sizes.begin(), surface.sizes.end(), 0.) /
                          static_cast<double>(surface.sizes.size());
      surface = simplify(surface, settings.error * size, n_threads);
    }
  part.mesh   = std::move(surface.mesh);
  part.volume = enclosed_volume(part.mesh);
  part.area   = surface_area(part.mesh);
  return part;
}
} // namespace strut
