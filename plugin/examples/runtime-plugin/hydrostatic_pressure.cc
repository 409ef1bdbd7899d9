// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/load_integrals.h>

#include <algorithm>

#include "dam.h"

namespace dam
{
namespace
{
struct Settings
{
  double weight = 1.;
  double level  = 0.;

  void declare(strut::ParameterList &list)
  {
    list.add("Specific weight", weight, {0., 1e300}, "Of the water, force per volume.");
    list.add("Level", level, {-1e300, 1e300}, "Height of the water's surface, along z.");
  }
};

/// Load of `set Type = hydrostatic pressure`: the pressure gamma (level - z) below the water's
/// surface, against the outward normal of the region's boundary faces. Both numbers are entries
/// that only this load has.
std::string assemble(const strut::LoadContext &context, const strut::Load &load)
{
  if (load.value().norm() != 0.)
    throw strut::EntryError(
      load.path(),
      "Value",
      "A hydrostatic pressure has entries of its own.\nLeave 'Value' out, and "
      "set them in 'subsection Hydrostatic pressure'.");
  const auto water = strut::settings_from<Settings>(load.values());
  return strut::add_face_integral(
    context, load, [&](const dealii::Point<3> &x, const dealii::Tensor<1, 3> &normal) {
      return -water.weight * std::max(0., water.level - x[2]) * normal;
    });
}
} // namespace

strut::LoadType hydrostatic_pressure()
{
  return {
    "hydrostatic pressure",
    "that of water below its surface, against the outward normal of the faces, see subsection "
    "Hydrostatic pressure",
    &assemble,
    strut::parameters_of<Settings>()};
}
} // namespace dam
