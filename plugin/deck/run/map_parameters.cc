// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Members of OptimizationParameters for the filter and the maps between design variables and
// densities.
#include <strut/base/exceptions.h>

#include <algorithm>

#include "plugin/base/spelling.h"
#include "plugin/deck/run/run_parameters.h"
#include "source/optimization/maps/map_error.h"
#include "source/optimization/maps/sensitivity_filter.h"
#include "source/optimization/simp.h"

namespace strut
{
namespace
{
/// Returns the result of an action that makes maps. A MapError becomes an EntryError with the path
/// of its entry.
template <typename Action>
auto with_places_of_maps(const Action &action)
{
  try
    {
      return action();
    }
  catch (const MapError &error)
    {
      throw EntryError({"Optimization", subsection_of(error.map)}, error.parameter, error.reason);
    }
}
} // namespace

std::vector<std::string> OptimizationParameters::maps() const
{
  const auto refuse = [](const std::string &text) {
    throw EntryError({"Optimization"}, "Maps", text + "\nLeave one of them out.");
  };
  if (!maps_.empty() && filter_ != default_filter && filter_ != "none")
    refuse("'Filter = " + filter_ +
           "' is there, too, and both name what is between design and densities.");
  for (auto name = maps_.begin(); name != maps_.end(); ++name)
    if (std::find(maps_.begin(), name, *name) != name)
      refuse("The map '" + *name + "' is there twice: its parameters would be, too.");
  if (!find_design_method(method).solves_any_problem)
    return {};
  if (!maps_.empty())
    return maps_;
  return filter_ == "projection" ? std::vector<std::string>{"density", "projection"}
         : filter_ == "density" && filter_radius > 0. ? std::vector<std::string>{"density"}
                                                      : std::vector<std::string>{};
}

double OptimizationParameters::sensitivity_radius() const
{
  const bool filters =
    find_design_method(method).solves_any_problem && maps_.empty() && filter_ == default_filter;
  return filters ? filter_radius : 0.;
}

MapSettings OptimizationParameters::settings_of_maps() const
{
  return {filter_radius, settings_.criteria.minimum_density, {}, settings_.filter_weights};
}

DesignChain OptimizationParameters::make_map(Backend &backend,
                                             const Communicator &communicator,
                                             const ElementMesh &mesh) const
{
  return with_places_of_maps([&]() {
    return make_design_chain(maps(), backend, communicator, mesh, settings_of_maps(), map_values_);
  });
}

void OptimizationParameters::check_maps(Backend &backend,
                                        const Communicator &communicator,
                                        const ElementMesh &mesh) const
{
  if (maps().empty())
    return;
  const bool has_regions =
    communicator.any(std::any_of(mesh.flags.begin(), mesh.flags.end(), [](const DesignFlag flag) {
      return flag != DesignFlag::design;
    }));
  // Without regions, the volume is between those of the emptiest and the fullest design. Filters by
  // a radius take long on large meshes, and the run makes them.
  if (!has_regions)
    {
      for (const std::string &name : maps())
        if (!find_design_map(name).needs_radius)
          with_places_of_maps([&]() {
            return make_design_map(
              name, backend, communicator, mesh, settings_of_maps(), map_values_);
          });
      return;
    }
  DesignChain map    = make_map(backend, communicator, mesh);
  const double least = settings_.criteria.minimum_density;
  Array<double> design(backend.memory(), mesh.n_elements),
    densities(backend.memory(), mesh.n_elements);
  value_of_volume(backend,
                  communicator,
                  mesh,
                  VolumeConstraint::build(communicator,
                                          mesh,
                                          settings_.volume_fraction,
                                          least,
                                          settings_.count_non_design),
                  DesignVolumes(backend.memory(), mesh.volumes),
                  least,
                  map,
                  design,
                  densities);
}

bool OptimizationParameters::has_map(const std::string &name) const
{
  const std::vector<std::string> names = maps();
  return std::find(names.begin(), names.end(), name) != names.end();
}

double OptimizationParameters::map_memory_estimate(const Communicator &communicator,
                                                   const ElementMesh &mesh,
                                                   const bool on_device) const
{
  const FilterWeights weights = settings_.filter_weights;
  const bool filters_itself   = find_design_method(method).has_own_filter && filter_radius > 0.;
  return chain_memory_estimate(
           maps(), communicator, mesh, on_device, map_values_, settings_of_maps()) +
         (sensitivity_radius() > 0.
            ? SensitivityFilter::memory_estimate(communicator, mesh, weights, on_device)
            : 0.) +
         (filters_itself ? NeighbourhoodMean::memory_of_volumes(communicator, mesh, weights) : 0.);
}

bool OptimizationParameters::uses_filter_radius() const
{
  const std::vector<std::string> names = maps();
  return find_design_method(method).has_own_filter || sensitivity_radius() > 0. ||
         std::any_of(names.begin(), names.end(), [](const std::string &name) {
           return find_design_map(name).needs_radius;
         });
}

bool OptimizationParameters::uses_filter_weights() const
{
  const std::vector<std::string> names = maps();
  return (find_design_method(method).has_own_filter && filter_radius > 0.) ||
         sensitivity_radius() > 0. ||
         std::any_of(names.begin(), names.end(), [](const std::string &name) {
           return find_design_map(name).takes_weights;
         });
}

void OptimizationParameters::require_filter() const
{
  const bool has_maps = !maps_.empty();
  if (find_design_method(method).solves_any_problem ||
      (!has_maps && (filter_ == default_filter || filter_ == "none")))
    return;
  std::vector<std::string> others;
  for (const DesignMethodEntry &entry : design_methods())
    if (entry.solves_any_problem)
      others.push_back("'" + entry.name + "'");
  throw EntryError({"Optimization"},
                   has_maps ? "Maps" : "Filter",
                   "The method '" + method + "' takes no " +
                     (has_maps ? "maps. Methods with maps: "
                               : "filter '" + filter_ + "'. Methods with a filter: ") +
                     join(others) + ".\nLeave this entry out, or 'set Method = simp'.");
}
} // namespace strut
