// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/responses/sum_of_densities.h"

namespace strut
{
namespace
{
struct Settings
{
  ResponseRegion region;

  void declare(ParameterList &list)
  {
    region.declare(list);
  }
};
} // namespace

ResponseEntry volume()
{
  ResponseEntry entry;
  entry.name         = "volume";
  entry.summary      = "the volume of the material, as a fraction of that of its region";
  entry.second_solve = false;
  entry.by_load_case = false;
  entry.is_amount    = true;
  entry.parameters   = parameters_of<Settings>();
  entry.make         = [](const ResponseContext &context) -> std::unique_ptr<Response> {
    const auto settings = settings_from<Settings>(context.values);
    return std::make_unique<SumOfDensities>(context, settings.region, SumOfDensities::Scale::mean);
  };
  return entry;
}
} // namespace strut
