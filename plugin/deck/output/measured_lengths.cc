// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/measured_lengths.h"

#include <strut/base/communicator.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "plugin/deck/output/surface.h"
#include "plugin/deck/output/whole_surface.h"

namespace strut::plugin
{
MeasuredLengths measure_lengths(MPI_Comm communicator,
                                const ElementMesh &mesh,
                                const std::vector<double> &densities,
                                const unsigned int n_threads)
{
  constexpr double half = 0.5, above = 0.5 + 1e-6;
  const std::vector<double> field =
    design_densities_at_nodes(communicator, mesh, densities, n_threads);
  const auto surface_at = [&](const double level) {
    return whole_surface(communicator, make_surface(communicator, mesh, field, level));
  };
  const auto measure = [&](const CutSurface &surface, const SideOfSurface side) {
    return wall_thickness(surface.mesh, static_cast<int>(n_threads), side, surface.is_kept);
  };
  const CutSurface surface = surface_at(half);
  MeasuredLengths lengths;
  lengths.member = measure(surface, SideOfSurface::inside);
  // most designs have no node between the levels, and one surface
  const bool is_crisp =
    Communicator(communicator).any(std::any_of(field.begin(), field.end(), [=](const double rho) {
      return rho >= half && rho < above;
    }));
  lengths.gap = measure(is_crisp ? surface_at(above) : surface, SideOfSurface::outside);
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
    text << found->least << " at (" << found->place[0] << ", " << found->place[1] << ", "
         << found->place[2] << "), one per cent is narrower than " << found->one_percent;
  return text.str();
}
} // namespace

std::string describe_lengths(const MeasuredLengths &lengths)
{
  if (!lengths.member && !lengths.gap)
    return "";
  return describe("Smallest member", lengths.member) + "; " + describe("gap", lengths.gap) + '\n';
}

void write_lengths(Json &json, const MeasuredLengths &lengths)
{
  json.open("measured lengths");
  for (const auto &[name, found] : {std::make_pair("smallest member", &lengths.member),
                                    std::make_pair("smallest gap", &lengths.gap)})
    {
      if (!*found)
        {
          json.null(name);
          continue;
        }
      json.open(name)
        .value("least", (*found)->least)
        .value("one per cent is narrower than", (*found)->one_percent)
        .open_list("place");
      for (const double x : (*found)->place)
        json.element(x);
      json.close().close();
    }
  json.close();
}
} // namespace strut::plugin
