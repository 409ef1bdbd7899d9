// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/region_sections.h"
#include <strut/mesh_summary.h>

#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>

#include <strut/base/exceptions.h>

#include <sstream>

#include "plugin/base/spelling.h"

namespace strut
{
Support::Support(const std::string &name) : RegionSection("Supports", name)
{
  add_parameter("Components",
                components_,
                "Components of the displacement that are prescribed.",
                prm,
                dealii::Patterns::MultipleSelection("x|y|z"));
  add_parameter(
    "Displacement",
    displacements_,
    "Prescribed displacement: one value for all components, or one for each of them, in "
    "length units of the mesh.");
}

bool Support::holds(const unsigned int c) const
{
  return components_.find("xyz"[c]) != std::string::npos;
}

double Support::displacement(const unsigned int c) const
{
  if (displacements_.size() == 1)
    return displacements_[0];
  const std::vector<std::string> listed = dealii::Utilities::split_string_list(components_);
  if (listed.size() != displacements_.size())
    fail("Displacement",
         std::to_string(displacements_.size()) + " values for " + std::to_string(listed.size()) +
           " components (" + components_ +
           ").\n  Give one value, or one for each component, in the same order.");
  for (unsigned int i = 0; i < listed.size(); ++i)
    if (listed[i] == std::string(1, "xyz"[c]))
      return displacements_[i];
  return 0.;
}

std::string Support::describe() const
{
  std::ostringstream text;
  for (unsigned int c = 0; c < 3; ++c)
    if (holds(c))
      text << (text.tellp() > 0 ? ", " : "") << "xyz"[c] << " = " << displacement(c);
  return text.str();
}

SymmetryPlanes::SymmetryPlanes() : dealii::ParameterAcceptor("/Symmetry")
{
  add_parameter(
    "Planes",
    planes_,
    "Planes of symmetry, for example 'x = xmin, z = 0': the nodes on a plane keep their "
    "displacement normal to it at zero. Values are numbers or xmin, xmax, ymin, ymax, "
    "zmin, zmax.");
  add_parameter(
    "Mirror filters",
    mirror_filters_,
    "Whether filters see the mirror image of the design behind the planes, so that a half "
    "gives the design of the whole. Many published codes stop at the planes: 'false'.");
}

bool SymmetryPlanes::Plane::passes_through(const MeshSummary &summary) const
{
  const auto &[lower, upper] = summary.box.get_boundary_points();
  return lower[component] < value - summary.tolerance() &&
         upper[component] > value + summary.tolerance();
}

std::vector<SymmetryPlanes::Plane> SymmetryPlanes::planes(const MeshSummary &summary) const
{
  std::vector<Plane> result;
  for (const std::string &text : dealii::Utilities::split_string_list(planes_))
    {
      const auto fail = [&]() {
        throw EntryError({"Symmetry"},
                         "Planes",
                         "'" + shown(text) +
                           "' is not a plane.\n  Write 'x = 0', 'y = ymax', ...: a coordinate and "
                           "a number, or one of xmin, xmax, ymin, ymax, zmin, zmax.");
      };
      const std::vector<std::string> sides = dealii::Utilities::split_string_list(text, '=');
      if (sides.size() != 2 || sides[0].size() != 1 ||
          std::string("xyz").find(sides[0]) == std::string::npos)
        fail();
      Plane plane;
      plane.component            = static_cast<unsigned int>(std::string("xyz").find(sides[0]));
      plane.text                 = sides[0] + " = " + sides[1];
      const auto &[lower, upper] = summary.box.get_boundary_points();
      bool known                 = false;
      for (unsigned int d = 0; d < 3; ++d)
        for (const bool high : {false, true})
          if (sides[1] == std::string(1, "xyz"[d]) + (high ? "max" : "min"))
            {
              plane.value = (high ? upper : lower)[d];
              known       = true;
            }
      if (!known)
        try
          {
            plane.value = dealii::Utilities::string_to_double(sides[1]);
          }
        catch (const std::exception &)
          {
            fail();
          }
      result.push_back(plane);
    }
  return result;
}
} // namespace strut
