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
    return whole_surface(communicator, make_surface(communicator, mesh, field, level));
  };
  const CutSurface surface = surface_at(of_wall);
  // most designs have no node between the levels, and one surface
  const bool has_doubtful_nodes =
    ranks.any(std::any_of(field.begin(), field.end(), [=](const double rho) {
      return rho >= of_wall && rho < of_gap;
    }));
  if (!has_doubtful_nodes)
    return measured_lengths(surface, surface, static_cast<int>(n_threads));
  return measured_lengths(surface, surface_at(of_gap), static_cast<int>(n_threads));
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
