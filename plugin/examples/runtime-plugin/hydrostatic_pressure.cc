// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/plugin/load_integrals.h>

#include <algorithm>

#include "dam.h"

namespace dam
{
namespace
{
/// `set Type = hydrostatic pressure`, `set Value = gamma, level, 0`: the pressure gamma (level - z)
/// below the surface of the water, against the outward normal of the region's boundary faces.
std::string assemble(const strut::plugin::LoadContext &context, const strut::plugin::Load &load)
{
  const double gamma = load.value()[0];
  const double level = load.value()[1];
  if (load.value()[2] != 0.)
    throw strut::EntryError(
      load.path(),
      "Value",
      "A hydrostatic pressure has two numbers: the specific weight of the "
      "water and the height of its surface.\nWrite 'set Value = gamma, level, "
      "0'.");
  return strut::plugin::add_face_integral(
    context, load, [&](const dealii::Point<3> &x, const dealii::Tensor<1, 3> &normal) {
      return -gamma * std::max(0., level - x[2]) * normal;
    });
}
} // namespace

strut::plugin::LoadType hydrostatic_pressure()
{
  return {"hydrostatic pressure",
          "the first component, a specific weight, times the depth below the height that is the "
          "second, against the outward normal of the faces",
          &assemble};
}
} // namespace dam
