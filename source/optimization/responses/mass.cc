// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/responses/sum_of_densities.h"

namespace strut
{
namespace
{
struct Settings
{
  double density = 1.;
  ResponseRegion region;

  void declare(ParameterList &list)
  {
    list.add("Density", density, {1e-300, 1e300}, "Of the solid, mass per volume.");
    region.declare(list);
  }
};
} // namespace

ResponseEntry mass()
{
  ResponseEntry entry;
  entry.name         = "mass";
  entry.summary      = "the mass of the material of a region";
  entry.second_solve = false;
  entry.by_load_case = false;
  entry.is_amount    = true;
  entry.parameters   = parameters_of<Settings>();
  entry.make         = [](const ResponseContext &context) -> std::unique_ptr<Response> {
    const auto settings = settings_from<Settings>(context.values);
    return std::make_unique<SumOfDensities>(
      context, settings.region, SumOfDensities::Scale::none, settings.density, context.solids.mass);
  };
  return entry;
}
} // namespace strut
