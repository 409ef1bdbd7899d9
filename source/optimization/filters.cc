// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/entries.h"

#include <strut/base/exceptions.h>
#include <strut/base/registry.h>
#include <strut/optimization/filter.h>
#include <strut/optimization/neighbourhood_mean.h>

// All filters, in the order of the reference; each is a function in a file of its name.
#define STRUT_FILTERS(FILTER) \
  FILTER(sensitivity_filter)  \
  FILTER(density_filter)      \
  FILTER(projection_filter)   \
  FILTER(no_filter)

namespace strut
{
STRUT_DECLARE_EACH(STRUT_FILTERS, FilterEntry)

namespace
{
std::vector<FilterEntry> &list()
{
  static std::vector<FilterEntry> list = {STRUT_CALL_EACH(STRUT_FILTERS)};
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
  check_values(settings.values, entry.parameters, "The filter '" + name + "'");
  return (settings.radius > 0. ? entry : no_filter()).make(backend, communicator, mesh, settings);
}

double
filter_memory_estimate(const std::string &name, const double radius, const std::size_t n_elements)
{
  const FilterEntry &entry = find_filter(name);
  if (!(radius > 0.))
    return 0.;
  return (entry.has_neighbours ? NeighbourhoodMean::memory_estimate(n_elements) : 0.) +
         static_cast<double>(n_elements) * sizeof(double) * entry.n_fields;
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
