// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "no_filter.h"
#include "sensitivity_filter.h"

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

std::unique_ptr<Filter> make_filter(const std::string &name,
                                    Backend &backend,
                                    const Communicator &communicator,
                                    const ElementMesh &mesh,
                                    const double radius)
{
  const FilterEntry &entry = find_named(list(), name, "filter");
  return (radius > 0. ? entry : no_filter()).make(backend, communicator, mesh, radius);
}

void Filter::densities(const Array<double> &design, Array<double> &densities)
{
  densities.copy_from(design);
}

void Filter::volume_sensitivities(Array<double> &)
{}
} // namespace strut
