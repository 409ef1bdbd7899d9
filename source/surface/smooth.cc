// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/smooth.h"
#include "source/base/parallel_loop.h"
#include "source/surface/box_tree.h"
#include "source/surface/vector3.h"

#include <algorithm>

namespace strut
{
namespace
{
class Smoother
{
public:
  Smoother(CutSurface &surface,
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
} // namespace

void smooth(CutSurface &surface,
            const VertexToTriangle &around,
            const Freedoms &freedoms,
            const SmoothingSettings &settings,
            const int n_threads)
{
  const double volume = enclosed_volume(surface.mesh);
  Smoother smoother(surface, around, freedoms, settings.reach, n_threads);
  for (unsigned int pass = 0; pass < settings.passes; ++pass)
    {
      smoother.step(0.5);
      smoother.step(-0.526);
    }
  smoother.limit();
  smoother.restore_volume(volume);
}
} // namespace strut
