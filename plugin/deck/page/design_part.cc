// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/page/design_part.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "plugin/deck/output/surface.h"
#include "source/surface/for_looking.h"

namespace strut::plugin
{
namespace
{
/// The part of this rank.
TriangleMesh own_surface(const Communicator &communicator,
                         const ElementMesh &mesh,
                         const std::vector<double> &densities,
                         const unsigned int n_threads)
{
  double volume = 0.;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::design)
      volume += mesh.volumes[e] * densities[e];
  const std::vector<double> field =
    design_densities_at_nodes(communicator.mpi(), mesh, densities, n_threads);
  const double level =
    find_enclosing_level(communicator.mpi(), mesh, field, communicator.sum(volume), n_threads)
      .level;
  Surface surface = make_surface(communicator.mpi(), mesh, field, level);
  return {std::move(surface.vertices), std::move(surface.triangles)};
}
} // namespace

TriangleMesh joined_at_places(const std::vector<double> &places,
                              const std::vector<std::uint32_t> &corners)
{
  const auto place = [&](const std::uint32_t i) {
    const double *const p = &places[3 * std::size_t(i)];
    return Point{{p[0], p[1], p[2]}};
  };
  std::vector<std::uint32_t> order(places.size() / 3), number(order.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](const std::uint32_t a, const std::uint32_t b) {
    return place(a) < place(b);
  });
  TriangleMesh joined;
  for (const std::uint32_t i : order)
    {
      if (joined.vertices.empty() || joined.vertices.back() != place(i))
        joined.vertices.push_back(place(i));
      number[i] = static_cast<std::uint32_t>(joined.vertices.size() - 1);
    }
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
    joined.triangles.push_back(
      {{number[corners[i]], number[corners[i + 1]], number[corners[i + 2]]}});
  return joined;
}

TriangleMesh design_part(const Communicator &communicator,
                         const ElementMesh &mesh,
                         const std::vector<double> &densities,
                         const unsigned int n_threads,
                         const std::size_t most_triangles)
{
  TriangleMesh ours = own_surface(communicator, mesh, densities, n_threads);
  if (communicator.size() == 1)
    return for_looking(ours, most_triangles);
  // Twice the share of a rank: the borders of ranks keep all their triangles until the whole is thinned out.
  ours = for_looking(ours, 2 * most_triangles / static_cast<std::size_t>(communicator.size()));
  std::vector<double> n_before(static_cast<std::size_t>(communicator.size()), 0.), places;
  n_before[static_cast<std::size_t>(communicator.rank())] =
    static_cast<double>(ours.vertices.size());
  communicator.sum(n_before.data(), n_before.size());
  const auto first = static_cast<std::uint32_t>(
    std::accumulate(n_before.begin(), n_before.begin() + communicator.rank(), 0.));
  for (const Point &vertex : ours.vertices)
    places.insert(places.end(), vertex.begin(), vertex.end());
  std::vector<std::uint32_t> corners;
  for (const Triangle &triangle : ours.triangles)
    for (const std::uint32_t vertex : triangle)
      corners.push_back(first + vertex);
  places  = communicator.gather(places);
  corners = communicator.gather_indices(corners);
  if (communicator.rank() != 0)
    return {};
  return for_looking(joined_at_places(places, corners), most_triangles);
}
} // namespace strut::plugin
