// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/maps/design_chain.h"
#include "source/optimization/maps/map_error.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <utility>

namespace strut
{
DesignChain::DesignChain(Backend &backend,
                         const ElementMesh &mesh,
                         std::vector<std::unique_ptr<DesignMap>> maps)
  : maps_(std::move(maps))
{
  if (maps_.empty())
    return;
  passive_ = std::make_unique<PassiveElements>(backend, mesh);
  for (std::size_t i = 1; i < maps_.size(); ++i)
    between_.emplace_back(backend.memory(), mesh.n_elements);
}

bool DesignChain::is_affine() const
{
  return std::all_of(maps_.begin(), maps_.end(), [](const auto &map) { return map->is_affine(); });
}

bool DesignChain::is_settled(const unsigned int iteration) const
{
  return std::all_of(maps_.begin(), maps_.end(), [iteration](const auto &map) {
    return map->is_settled(iteration);
  });
}

unsigned int DesignChain::unchanged_since(const unsigned int iteration) const
{
  unsigned int since = 1;
  for (const auto &map : maps_)
    since = std::max(since, map->unchanged_since(iteration));
  return since;
}

std::string DesignChain::parameters_in(const unsigned int iteration) const
{
  std::string all;
  for (const auto &map : maps_)
    if (const std::string of_map = map->parameters_in(iteration); !of_map.empty())
      all += (all.empty() ? "" : ", ") + of_map;
  return all;
}

bool DesignChain::can_shift(const double shift) const
{
  return !maps_.empty() && maps_.back()->can_shift(shift);
}

std::vector<std::string> DesignChain::remarks() const
{
  std::vector<std::string> all;
  for (const auto &map : maps_)
    if (const std::string of_map = map->remark(); !of_map.empty())
      all.push_back(of_map);
  return all;
}

void DesignChain::forward(const Array<double> &design, Array<double> &densities, const MapPoint &at)
{
  const Array<double> *from = &design;
  for (std::size_t i = 0; i < between_.size(); ++i)
    {
      maps_[i]->forward(*from, between_[i], {at.iteration});
      passive_->copy(design, between_[i]);
      from = &between_[i];
    }
  forward_last(design, densities, at);
}

void DesignChain::forward_last(const Array<double> &design,
                               Array<double> &densities,
                               const MapPoint &at)
{
  maps_.back()->forward(between_.empty() ? design : between_.back(), densities, at);
  passive_->copy(design, densities);
}

void DesignChain::backward(const Array<double> &design,
                           Array<double> &derivative,
                           const MapPoint &at)
{
  for (std::size_t i = maps_.size(); i-- > 0;)
    {
      // Values of passive elements do not depend on their neighbours.
      passive_->set_zero(derivative);
      const bool is_last = i + 1 == maps_.size();
      maps_[i]->backward(i > 0 ? between_[i - 1] : design,
                         derivative,
                         {at.iteration, is_last ? at.shift : 0.});
    }
  if (!maps_.empty())
    passive_->set_zero(derivative); // Passive elements are no variables.
}

std::unique_ptr<DesignMap> make_design_map(const std::string &name,
                                           Backend &backend,
                                           const Communicator &communicator,
                                           const ElementMesh &mesh,
                                           const MapSettings &settings,
                                           const ValuesOfMaps &values)
{
  const DesignMapEntry &entry = find_design_map(name);
  if (entry.needs_radius && !(settings.radius > 0.))
    throw Error("The map '" + name + "' needs a positive radius.", Remedy::set_filter_radius);
  MapSettings own  = settings;
  const auto found = values.find(name);
  if (found != values.end())
    own.values = found->second;
  try
    {
      check_values(own.values, entry.parameters, "The map '" + name + "'");
      return entry.make(backend, communicator, mesh, own);
    }
  catch (const MapError &error)
    {
      throw MapError(name, error.parameter, error.reason);
    }
  catch (const Error &error)
    {
      if (error.remedy != Remedy::none) // The message says already where the cause is.
        throw;
      throw MapError(name, "", error.reason);
    }
}

DesignChain make_design_chain(const std::vector<std::string> &names,
                              Backend &backend,
                              const Communicator &communicator,
                              const ElementMesh &mesh,
                              const MapSettings &settings,
                              const ValuesOfMaps &values)
{
  std::vector<std::unique_ptr<DesignMap>> maps;
  for (auto name = names.begin(); name != names.end(); ++name)
    {
      if (std::find(names.begin(), name, *name) != name)
        throw Error("The map '" + *name + "' is there twice: its parameters would be, too.");
      maps.push_back(make_design_map(*name, backend, communicator, mesh, settings, values));
    }
  return DesignChain(backend, mesh, std::move(maps));
}

double chain_memory_estimate(const std::vector<std::string> &names,
                             const Communicator &communicator,
                             const ElementMesh &mesh,
                             const bool on_device,
                             const ValuesOfMaps &values,
                             const MapSettings &settings)
{
  if (names.empty())
    return 0.;
  // The result of each map, and the derivative of the volume.
  double per_element = static_cast<double>(names.size() + 1) * sizeof(double), on_mesh = 0.;
  for (const std::string &name : names)
    {
      const DesignMapEntry &entry = find_design_map(name);
      per_element += entry.bytes_per_element;
      MapSettings own = settings;
      if (const auto found = values.find(name); found != values.end())
        own.values = found->second;
      if (entry.bytes_on_mesh != nullptr)
        on_mesh += entry.bytes_on_mesh(communicator, mesh, on_device, own);
    }
  return per_element * static_cast<double>(mesh.n_elements) + on_mesh;
}
} // namespace strut
