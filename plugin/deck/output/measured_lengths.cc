// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/measured_lengths.h"

#include <deal.II/base/mpi.h>

#include <strut/base/communicator.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "plugin/base/coordinate_text.h"
#include "plugin/deck/output/surface.h"
#include "source/surface/vector3.h"

namespace strut
{
namespace
{
/// The nodes of this rank and the centres of its elements where a nodal field is at least a level.
std::vector<Point>
points_inside(const ElementMesh &mesh, const std::vector<double> &field, const double level)
{
  const auto place = [&](const std::size_t node) {
    return Point{{mesh.coordinates[node],
                  mesh.coordinates[mesh.n_nodes + node],
                  mesh.coordinates[2 * mesh.n_nodes + node]}};
  };
  std::vector<Point> points;
  for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
    if (field[node] >= level)
      points.push_back(place(node));
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      bool is_inside = true;
      Point centre{};
      const std::size_t n = mesh.type.n_vertices;
      for (std::size_t v = 0; v < n; ++v)
        {
          const std::size_t node = mesh.connectivity[v * mesh.n_elements + e];
          is_inside              = is_inside && field[node] >= level;
          centre                 = centre + 1. / static_cast<double>(n) * place(node);
        }
      if (is_inside)
        points.push_back(centre);
    }
  return points;
}

/// The largest ball inside a level over all ranks; only the root gets it. Collective.
/// @param surface  surface of the level
/// @param field  `[n_nodes]`, ghosts up to date
std::optional<LargestBall> largest_of_ranks(MPI_Comm communicator,
                                            const ElementMesh &mesh,
                                            const std::vector<double> &field,
                                            const double level,
                                            const CutSurface &surface,
                                            const unsigned int n_threads)
{
  std::vector<Point> points;
  for (const std::vector<Point> &of_rank :
       dealii::Utilities::MPI::gather(communicator, points_inside(mesh, field, level)))
    points.insert(points.end(), of_rank.begin(), of_rank.end());
  return largest_ball(points, surface, static_cast<int>(n_threads));
}

/// Treats all elements alike: solid ones are material, void ones are not. Otherwise as
/// largest_of_ranks(). Collective.
std::optional<LargestBall> largest_with_passive(MPI_Comm communicator,
                                                ElementMesh mesh,
                                                const std::vector<double> &densities,
                                                const double level,
                                                const unsigned int n_threads)
{
  mesh.flags.assign(mesh.n_elements, DesignFlag::design);
  const std::vector<double> field =
    design_densities_at_nodes(communicator, mesh, densities, n_threads);
  const CutSurface surface =
    whole_surface(communicator, make_surface(communicator, mesh, field, level, n_threads));
  return largest_of_ranks(communicator, mesh, field, level, surface, n_threads);
}
} // namespace

MeasuredLengths measure_lengths(MPI_Comm communicator,
                                const ElementMesh &mesh,
                                const std::vector<double> &densities,
                                const unsigned int n_threads)
{
  double least = 1.; // density of void
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::design)
      least = std::min(least, densities[e]);
  const Communicator ranks(communicator);
  least                = -ranks.max(-least);
  const double middle  = (1. + least) / 2.;
  const double of_wall = middle - 1e-6, of_gap = middle + 1e-6;
  const std::vector<double> field =
    design_densities_at_nodes(communicator, mesh, densities, n_threads);
  const auto surface_at = [&](const double level) {
    return whole_surface(communicator, make_surface(communicator, mesh, field, level, n_threads));
  };
  const CutSurface surface = surface_at(of_wall);
  // Most designs have no node between the levels, and thus a single surface.
  const bool has_doubtful_nodes =
    ranks.any(std::any_of(field.begin(), field.end(), [=](const double rho) {
      return rho >= of_wall && rho < of_gap;
    }));
  MeasuredLengths lengths =
    has_doubtful_nodes ? measured_lengths(surface, surface_at(of_gap), static_cast<int>(n_threads))
                       : measured_lengths(surface, surface, static_cast<int>(n_threads));
  const bool has_passive =
    ranks.any(std::any_of(mesh.flags.begin(), mesh.flags.end(), [](const DesignFlag flag) {
      return flag != DesignFlag::design;
    }));
  lengths.largest = has_passive
                      ? largest_with_passive(communicator, mesh, densities, of_wall, n_threads)
                      : largest_of_ranks(communicator, mesh, field, of_wall, surface, n_threads);
  return lengths;
}

namespace
{
std::string describe(const std::string &name, const std::optional<WallThickness> &found)
{
  std::ostringstream text;
  text << name << ' ';
  if (!found)
    text << "none";
  else
    text << found->least << " at " << place_text(found->place) << ", one per cent is narrower than "
         << found->one_percent;
  return text.str();
}
} // namespace

std::string describe_lengths(const MeasuredLengths &lengths)
{
  if (!lengths.member && !lengths.gap && !lengths.largest)
    return "";
  std::ostringstream largest;
  if (lengths.largest)
    largest << "; largest member " << lengths.largest->diameter << " at "
            << place_text(lengths.largest->middle);
  return describe("Smallest member", lengths.member) + "; " + describe("gap", lengths.gap) +
         largest.str() + '\n';
}

void write_lengths(Json &json, const MeasuredLengths &lengths)
{
  json.open("measured lengths");
  for (const auto &[name, found] : {std::make_pair("smallest member", &lengths.member),
                                    std::make_pair("smallest gap", &lengths.gap)})
    if (*found)
      json.open(name)
        .value("least", (*found)->least)
        .value("one per cent is narrower than", (*found)->one_percent)
        .list("place", (*found)->place)
        .close();
    else
      json.null(name);
  if (lengths.largest)
    json.open("largest member")
      .value("most", lengths.largest->diameter)
      .list("place", lengths.largest->middle)
      .close();
  else
    json.null("largest member");
  json.close();
}
} // namespace strut
