// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/optimization/filter.h>

namespace strut
{
namespace
{
class NoFilter : public Filter
{
public:
  void objective_sensitivities(const Array<double> &, Array<double> &) override
  {}
};
} // namespace

/// `none`: the design variables are the densities.
FilterEntry no_filter()
{
  FilterEntry entry;
  entry.name           = "none";
  entry.summary        = "no filter: the result depends on the mesh and may show checkerboards";
  entry.has_neighbours = false;
  entry.make = [](Backend &, const Communicator &, const ElementMesh &, const FilterSettings &)
    -> std::unique_ptr<Filter> { return std::make_unique<NoFilter>(); };
  return entry;
}
} // namespace strut
