// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/patterns.h>

#include <strut/base/exceptions.h>

#include <cmath>
#include <sstream>

#include "plugin/base/spelling.h"
#include "plugin/deck/parameters/named_choice.h"
#include "plugin/deck/problem/problem.h"

namespace strut
{
MeshParameters::MeshParameters(const std::vector<std::unique_ptr<MeshSource>> &sources)
  : dealii::ParameterAcceptor("/Mesh")
{
  std::vector<std::string> names;
  for (const auto &source : sources)
    names.push_back(source->name);
  add_parameter("Type",
                type,
                "Where the mesh comes from; the parameters of each source are in a subsection.",
                prm,
                dealii::Patterns::Selection(join(names, "|")));
  add_parameter("Additional refinements",
                refinements,
                "How often to refine the whole mesh once more; each time gives eight times the "
                "elements.",
                prm,
                dealii::Patterns::Integer(0, 10));
}

MaterialParameters::MaterialParameters() : dealii::ParameterAcceptor("/Material")
{
  add_parameter("Young's modulus", material_.youngs_modulus, "Of the solid, force per area.");
  add_parameter("Poisson's ratio", material_.poisson_ratio, "In (-1, 0.5).");
  add_choice(
    *this,
    "Volumetric integration",
    material_.volumetric_integration,
    {{"full", VolumetricIntegration::full}, {"mean", VolumetricIntegration::mean}},
    "Of the part of the stiffness that resists changes of volume. full: as the rest. mean: with the mean "
    "change of volume of an element, so that elements do not lock where Poisson's ratio comes near 0.5.");
  add_choice(
    *this,
    "Element",
    material_.element,
    {{"trilinear", ElementKind::trilinear},
     {"incompatible modes", ElementKind::incompatible_modes}},
    "trilinear: the displacements of the nodes alone, too stiff where one or two elements across a wall bend. "
    "incompatible modes: quadratic ones beside them, eliminated in each element (Wilson, Taylor), so that elements that are "
    "about parallelepipeds bend as they should; a product takes about twice as long.");
}

Material MaterialParameters::get() const
{
  if (!(material_.youngs_modulus > 0. && std::isfinite(material_.youngs_modulus)))
    throw EntryError({"Material"},
                     "Young's modulus",
                     "Young's modulus must be a positive, finite number.");
  if (!(material_.poisson_ratio > -1. && material_.poisson_ratio < 0.5))
    throw EntryError(
      {"Material"},
      "Poisson's ratio",
      "Poisson's ratio must lie between -1 and 0.5, both excluded. Near 0.5 trilinear elements lock "
      "with 'Volumetric integration = full'.");
  if (material_.has_mean_dilatation() && material_.has_incompatible_modes())
    throw EntryError(
      {"Material"},
      "Element",
      "An element has incompatible modes, or the mean change of volume: leave out 'Element', or "
      "'Volumetric integration'.");
  return material_;
}

LoadCaseParameters::LoadCaseParameters() : dealii::ParameterAcceptor("/Load cases")
{
  add_parameter(
    "Weights",
    weights,
    "Weights of the load cases in the objective, 'name: weight, name: weight'; those not "
    "named weigh 1. From 1e-12 to 1e12.");
}

Spring::Spring(const std::string &name) : RegionSection("Springs", name)
{
  add_parameter(
    "Stiffness",
    stiffness_,
    "Along x, y, z: force per displacement of the region as a whole; its nodes get equal parts.");
}

std::array<double, 3> Spring::stiffness() const
{
  std::array<double, 3> result{};
  bool any = false, allowed = stiffness_.size() == 3;
  for (std::size_t c = 0; allowed && c < 3; ++c)
    {
      allowed   = stiffness_[c] >= 0. && std::isfinite(stiffness_[c]);
      any       = any || stiffness_[c] > 0.;
      result[c] = stiffness_[c];
    }
  if (!allowed || !any)
    fail("Stiffness",
         "A spring takes three numbers along x, y and z, from 0 on, and one of them above 0.");
  return result;
}

std::string Spring::describe() const
{
  const std::array<double, 3> k = stiffness();
  std::ostringstream text;
  text << "stiffness (" << k[0] << ", " << k[1] << ", " << k[2] << ')';
  return text.str();
}
} // namespace strut
