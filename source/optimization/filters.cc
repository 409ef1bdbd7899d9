// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "density_filter.h"
#include "no_filter.h"
#include "projection_filter.h"
#include "sensitivity_filter.h"

#include <strut/base/exceptions.h>
#include <strut/base/registry.h>
#include <strut/optimization/filter.h>

namespace strut
{
namespace
{
std::vector<FilterEntry> &list()
{
  static std::vector<FilterEntry> list = {
    sensitivity_filter(),
    density_filter(),
    projection_filter(),
    no_filter(),
  };
  return list;
}
} // namespace

const std::vector<FilterEntry> &filters()
{
  return list();
}

void add_filter(const FilterEntry &filter)
{
  add_named(list(), filter, "a filter");
}

const FilterEntry &find_filter(const std::string &name)
{
  return find_named(list(), name, "filter");
}

std::unique_ptr<Filter> make_filter(const std::string &name,
                                    Backend &backend,
                                    const Communicator &communicator,
                                    const ElementMesh &mesh,
                                    const FilterSettings &settings)
{
  const FilterEntry &entry = find_filter(name);
  if (entry.needs_radius && !(settings.radius > 0.))
    throw Error("The filter '" + name + "' needs a positive radius.", Remedy::set_filter_radius);
  FilterSettings complete = settings;
  for (const FilterParameter &parameter : entry.parameters)
    complete.values.emplace(parameter.name, parameter.default_value);
  if (complete.values.size() != entry.parameters.size())
    throw Error("The filter '" + name + "' has " + std::to_string(entry.parameters.size()) +
                " parameters" + (entry.parameters.empty() ? "" : ": ") +
                names_in(entry.parameters) + "; there are values of others.");
  return (settings.radius > 0. ? entry : no_filter()).make(backend, communicator, mesh, complete);
}

void Filter::begin_iteration(unsigned int)
{}

void Filter::densities(const Array<double> &design, Array<double> &densities)
{
  densities.copy_from(design);
}

void Filter::volume_sensitivities(const Array<double> &, Array<double> &)
{}
} // namespace strut
