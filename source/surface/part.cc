// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/part.h"
#include "source/base/parallel_loop.h"
#include "source/surface/box_tree.h"
#include "source/surface/freedoms.h"
#include "source/surface/measures.h"
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
#include <sstream>
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

class SurfaceSmoother
{
public:
  SurfaceSmoother(CutSurface &surface,
                  const VertexToTriangle &around,
                  const Freedoms &freedoms,
                  const double reach,
                  const int n_threads)
    : mesh_(surface.mesh)
    , sizes_(surface.sizes)
    , around_(around)
    , freedoms_(freedoms)
    , reach_(reach)
    , n_threads_(n_threads)
    , begin_(mesh_.vertices)
    , next_(mesh_.vertices)
  {
    for (const Point &x : begin_)
      box_.add(x);
    find_neighbours(surface);
  }

  /// Makes a step towards the mean of the neighbours, or away from it.
  void step(const double factor)
  {
    cpu::parallel_for(n_threads_, next_.size(), [&](const std::size_t v) {
      next_[v]                = mesh_.vertices[v];
      const std::size_t first = first_neighbour_[v], end = first_neighbour_[v + 1];
      if (first == end)
        return;
      Point mean{};
      for (std::size_t i = first; i < end; ++i)
        mean = mean + mesh_.vertices[neighbours_[i]];
      mean     = (1. / static_cast<double>(end - first)) * mean;
      next_[v] = mesh_.vertices[v] + freedoms_.allowed(v, factor * (mean - mesh_.vertices[v]));
    });
    mesh_.vertices.swap(next_);
  }

  /// Limits the displacements. It is not called after each step: that would roughen the surface
  /// again.
  void limit()
  {
    for (std::size_t v = 0; v < mesh_.vertices.size(); ++v)
      mesh_.vertices[v] = within_reach(v, mesh_.vertices[v]);
  }

  /// Moves the free part along its normals to restore the volume.
  void restore_volume(const double volume)
  {
    for (int pass = 0; pass < 3; ++pass) // the limit may shorten some displacements
      {
        const double missing = volume - enclosed_volume(mesh_);
        std::vector<Point> normals(mesh_.vertices.size());
        cpu::parallel_for(n_threads_, normals.size(), [&](const std::size_t v) {
          if (first_neighbour_[v] == first_neighbour_[v + 1])
            return;
          Point sum{};
          for (std::size_t i = around_.begin[v]; i < around_.begin[v + 1]; ++i)
            sum = sum + area_vector(mesh_, mesh_.triangles[around_.triangles[i]]);
          const double size = length(sum);
          normals[v]        = size > 0. ? freedoms_.allowed(v, (1. / size) * sum) : Point{};
        });
        double gain = 0.; // increase of the volume per unit step
        for (const Triangle &triangle : mesh_.triangles)
          gain += dot(area_vector(mesh_, triangle),
                      normals[triangle[0]] + normals[triangle[1]] + normals[triangle[2]]) /
                  6.;
        if (gain <= 0.)
          return;
        const double offset = missing / gain;
        cpu::parallel_for(n_threads_, normals.size(), [&](const std::size_t v) {
          mesh_.vertices[v] = within_reach(v, mesh_.vertices[v] + offset * normals[v]);
        });
      }
  }

private:
  /// Finds the neighbours of vertices by edges. For a vertex on the rim they are those along the
  /// rim.
  void find_neighbours(const CutSurface &surface)
  {
    const std::size_t n = mesh_.vertices.size();
    first_neighbour_.assign(n + 1, 0);
    std::vector<std::pair<std::uint32_t, bool>> found; // with a flag whether the triangle is kept
    for (std::size_t v = 0; v < n; ++v)
      {
        found.clear();
        bool any_kept = false, any_free = false;
        for (std::size_t i = around_.begin[v]; i < around_.begin[v + 1]; ++i)
          {
            const std::uint32_t t           = around_.triangles[i];
            const bool is_kept              = surface.is_kept[t] != 0;
            (is_kept ? any_kept : any_free) = true;
            for (const std::uint32_t w : mesh_.triangles[t])
              if (w != v)
                found.emplace_back(w, is_kept);
          }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        const bool is_on_rim = any_kept && any_free;
        if (freedoms_.kinds[v] != Freedoms::Kind::fixed &&
            (is_on_rim || freedoms_.kinds[v] != Freedoms::Kind::on_line))
          for (std::size_t i = 0; i < found.size(); ++i)
            {
              const bool is_twice = i + 1 < found.size() && found[i + 1].first == found[i].first;
              if (!is_on_rim || is_twice) // belongs to both kinds of triangles
                neighbours_.push_back(found[i].first);
              i += is_twice ? 1 : 0;
            }
        first_neighbour_[v + 1] = neighbours_.size();
      }
  }

  Point within_reach(const std::size_t v, const Point &x) const
  {
    const Point way       = freedoms_.allowed(v, x - begin_[v]);
    const double distance = length(way), most = reach_ * sizes_[v];
    Point place = begin_[v] + (distance > most ? most / distance : 1.) * way;
    for (std::size_t d = 0; d < 3;
         ++d) // vertices close to the faces of the domain do not cross them
      place[d] = std::clamp(place[d], box_.low[d], box_.high[d]);
    return place;
  }

  TriangleMesh &mesh_;
  const std::vector<double> &sizes_;
  const VertexToTriangle &around_;
  const Freedoms &freedoms_;
  const double reach_;
  const int n_threads_;
  const std::vector<Point> begin_;
  AxisBox box_; ///< bounding box of all vertices
  std::vector<Point> next_;
  std::vector<std::size_t> first_neighbour_;
  std::vector<std::uint32_t> neighbours_;
};

/// Smooths a surface without shrinking it (Taubin 1995). Each pass has a step towards the mean of
/// the neighbours, by 0.5, and one away from it, by 0.526. An offset of the free part restores the
/// volume. Vertices of kept triangles stay in their planes. At the rim of kept triangles,
/// neighbours are those along this rim. The same bits for any number of threads.
void smooth(CutSurface &surface,
            const VertexToTriangle &around,
            const Freedoms &freedoms,
            const SmoothingSettings &settings,
            const int n_threads)
{
  const double volume = enclosed_volume(surface.mesh);
  SurfaceSmoother smoother(surface, around, freedoms, settings.reach, n_threads);
  for (unsigned int pass = 0; pass < settings.passes; ++pass)
    {
      smoother.step(0.5);
      smoother.step(-0.526);
    }
  smoother.limit();
  smoother.restore_volume(volume);
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

CutSurface
with_mirror_image(const CutSurface &surface, const SymmetryPlane &plane, const double tolerance)
{
  const auto is_in_plane = [&](const Point &x) {
    return std::abs(x[plane.normal] - plane.value) <= tolerance;
  };
  bool is_below = false, is_above = false;
  for (const Point &x : surface.mesh.vertices)
    {
      const bool is_in = is_in_plane(x);
      is_below         = is_below || (!is_in && x[plane.normal] < plane.value);
      is_above         = is_above || (!is_in && x[plane.normal] > plane.value);
    }
  if (is_below && is_above)
    {
      std::ostringstream text;
      text
        << "The plane "
        << "xyz"[plane.normal] << " = " << plane.value
        << " goes through the part, so it can have no mirror image there. Take a plane of symmetry "
           "at its boundary.";
      throw Error(text.str());
    }
  std::vector<std::uint8_t> is_selected;
  for (std::size_t t = 0; t < surface.mesh.triangles.size(); ++t)
    {
      bool is_inside = surface.is_kept[t] != 0; // the body continues there
      for (const std::uint32_t v : surface.mesh.triangles[t])
        is_inside = is_inside && is_in_plane(surface.mesh.vertices[v]);
      is_selected.push_back(is_inside ? 0 : 1);
    }
  CutSurface whole = selected(surface, is_selected);

  std::vector<std::uint32_t> image;
  const std::size_t n_vertices = whole.mesh.vertices.size();
  for (std::size_t v = 0; v < n_vertices; ++v)
    {
      Point &x = whole.mesh.vertices[v];
      if (is_in_plane(x))
        {
          x[plane.normal] = plane.value;
          image.push_back(static_cast<std::uint32_t>(v));
          continue;
        }
      Point behind         = x;
      behind[plane.normal] = 2. * plane.value - x[plane.normal];
      image.push_back(static_cast<std::uint32_t>(whole.mesh.vertices.size()));
      whole.mesh.vertices.push_back(behind);
      whole.sizes.push_back(whole.sizes[v]);
    }
  const std::size_t n_triangles = whole.mesh.triangles.size();
  for (std::size_t t = 0; t < n_triangles; ++t)
    {
      const Triangle triangle = whole.mesh.triangles[t];
      whole.mesh.triangles.push_back(
        {{image[triangle[0]], image[triangle[2]], image[triangle[1]]}});
      whole.is_kept.push_back(whole.is_kept[t]);
    }
  return whole;
}

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
