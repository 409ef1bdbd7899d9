// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <sstream>

#include "plugin/base/host_halo.h"
#include "plugin/deck/problem/problem.h"
#include "plugin/deck/problem/region_members.h"
#include "source/base/parallel_loop.h"

namespace strut
{
double NonDesignRegion::distance() const
{
  if (!(distance_ >= 0.))
    fail("Distance", "The distance must not be negative.");
  if (distance_ > 0. && !region.has_boundary_ids())
    fail(
      "Distance",
      "It is measured from faces, and the region has no 'Boundary ids'.\n  Name those, or write the "
      "distance into the expression.");
  return distance_;
}

std::string NonDesignRegion::describe() const
{
  std::ostringstream text;
  if (distance_ > 0.)
    text << "within " << distance_ << " of ";
  text << region.describe();
  return text.str();
}

VoidNodes::VoidNodes(const ElementMesh &mesh, MPI_Comm communicator) : communicator_(communicator)
{
  const std::size_t n = mesh.n_elements;
  const double largest =
    cpu::parallel_max(cpu::parts_of_loop(cpu::default_n_threads(), n), n, [&](const std::size_t e) {
      return mesh.flags[e] == DesignFlag::empty ? 1. : 0.;
    });
  const bool here = largest > 0.;
  any_            = dealii::Utilities::MPI::max(here ? 1u : 0u, communicator) > 0;
  if (!any_)
    return;
  // Number of elements at each node that are not void, summed over ranks.
  std::vector<double> touching(mesh.n_nodes, 0.);
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      if (mesh.flags[e] != DesignFlag::empty)
        touching[mesh.connectivity[v * mesh.n_elements + e]] += 1.;
  add_to_owners(communicator, mesh, touching);
  is_among_.resize(mesh.n_owned_nodes);
  for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
    is_among_[node] = touching[node] == 0.;
}

std::string VoidNodes::note(const std::string &whose, const std::vector<LocalIndex> &nodes) const
{
  if (!any_)
    return {};
  const auto found =
    static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), [&](const LocalIndex node) {
      return is_among_[node];
    }));
  const auto all     = dealii::Utilities::MPI::sum(nodes.size(), communicator_);
  const auto in_void = dealii::Utilities::MPI::sum(found, communicator_);
  if (in_void == 0)
    return {};
  return "NOTE: " + whose + ": " + (in_void == all ? "all" : std::to_string(in_void) + " of") +
         " its " + std::to_string(all) +
         " nodes are in void regions only, where the minimum density alone connects them to the "
         "structure";
}

void Problem::flag_regions()
{
  std::vector<DesignFlag> &flags = mesh_.elements.flags; // all are design elements at first
  for (const auto &region : regions_)
    {
      region->region.prepare(summary_);
      const DesignFlag flag     = region->is_solid() ? DesignFlag::solid : DesignFlag::empty;
      const double distance     = region->distance();
      const ElementSet elements = select_elements(mesh_, communicator_, region->region, distance);
      bool overlap              = false;
      for (const LocalIndex e : elements)
        {
          overlap  = overlap || (flags[e] != DesignFlag::design && flags[e] != flag);
          flags[e] = flag;
        }
      if (dealii::Utilities::MPI::max(overlap ? 1u : 0u, communicator_) > 0)
        throw EntryError(region->path(),
                         "Density",
                         "The region shares elements with another one of the other density.\nLet "
                         "solid and void regions not overlap.");
      const auto count = dealii::Utilities::MPI::sum(elements.size(), communicator_);
      if (count == 0)
        region->region.throw_selects_nothing("element", summary_);
      note_region("non-design region '" + region->name + "': " + std::to_string(count) +
                    (region->is_solid() ? " solid" : " void") + " elements (" + region->describe() +
                    ")",
                  selected_elements(elements, mesh_),
                  region->region);
    }
  void_nodes_ = std::make_unique<VoidNodes>(mesh_.elements, communicator_);
}

std::vector<Problem::Selection> Problem::selections() const
{
  std::vector<Selection> all;
  for (const auto &material : materials_)
    all.push_back({"material " + material->name,
                   true,
                   select_elements(mesh_, communicator_, material->region)});
  for (const auto &support : supports_)
    all.push_back(
      {"support " + support->name, false, select_nodes(mesh_, communicator_, support->region)});
  for (const auto &spring : springs_)
    all.push_back(
      {"spring " + spring->name, false, select_nodes(mesh_, communicator_, spring->region)});
  for (const auto &region : regions_)
    all.push_back({"region " + region->name,
                   true,
                   select_elements(mesh_, communicator_, region->region, region->distance())});
  return all;
}
} // namespace strut
