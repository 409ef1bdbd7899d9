// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "no_filter.h"
#include "sensitivity_filter.h"

#include <strut/base/exceptions.h>
#include <strut/optimization/filter.h>

namespace strut
{
const std::vector<FilterEntry> &filters()
{
  static const std::vector<FilterEntry> list = {
    sensitivity_filter(),
    no_filter(),
  };
  return list;
}

std::unique_ptr<Filter> make_filter(const std::string &name,
                                    Backend &backend,
                                    const Communicator &communicator,
                                    const ElementMesh &mesh,
                                    const double radius)
{
  std::string names;
  for (const FilterEntry &entry : filters())
    {
      if (entry.name == name)
        return (radius > 0. ? entry : no_filter()).make(backend, communicator, mesh, radius);
      names += (names.empty() ? "" : ", ") + entry.name;
    }
  throw Error("There is no filter '" + name + "'. Available: " + names + ".");
}

void Filter::densities(const Array<double> &design, Array<double> &densities)
{
  densities.copy_from(design);
}

void Filter::volume_sensitivities(Array<double> &)
{}
} // namespace strut
