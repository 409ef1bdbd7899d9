// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/region_sections.h"
#include <strut/mesh_summary.h>

#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "plugin/base/spelling.h"

namespace strut
{
namespace
{
constexpr const char *of_axis[] = {"radial", "tangential", "axial"};
}

Support::Support(const std::string &name) : RegionSection("Supports", name)
{
  add_parameter(
    "Components",
    directions_,
    "Components of the displacement that are prescribed. normal: along the outward normals of the "
    "region's boundary faces, so that nodes slide on them; faces at more than 45 degrees to each "
    "other have a normal each. radial, tangential, axial: of the cylindrical coordinates about "
    "Axis.",
    prm,
    dealii::Patterns::MultipleSelection("x|y|z|normal|radial|tangential|axial"));
  add_parameter(
    "Displacement",
    displacements_,
    "Prescribed displacement: one value for all components, or one for each of them, in "
    "length units of the mesh.");
  add_parameter("Axis",
                axis_,
                "Of radial, tangential and axial: three numbers, of any length. Others have none.");
  add_parameter("Point", point_, "A point of the axis: x, y, z. Without it: 0, 0, 0.");
}

bool Support::holds(const std::string &direction) const
{
  const std::vector<std::string> listed = dealii::Utilities::split_string_list(directions_);
  return std::find(listed.begin(), listed.end(), direction) != listed.end();
}

bool Support::holds(const unsigned int c) const
{
  return holds(std::string(1, "xyz"[c]));
}

double Support::displacement(const std::string &direction) const
{
  if (displacements_.size() == 1)
    return displacements_[0];
  const std::vector<std::string> listed = dealii::Utilities::split_string_list(directions_);
  if (listed.size() != displacements_.size())
    fail("Displacement",
         std::to_string(displacements_.size()) + " values for " + std::to_string(listed.size()) +
           " components (" + directions_ +
           ").\n  Give one value, or one for each component, in the same order.");
  for (unsigned int i = 0; i < listed.size(); ++i)
    if (listed[i] == direction)
      return displacements_[i];
  return 0.;
}

double Support::displacement(const unsigned int c) const
{
  return displacement(std::string(1, "xyz"[c]));
}

bool Support::needs_normals() const
{
  return holds("normal");
}

bool Support::is_oblique() const
{
  return needs_normals() || std::any_of(std::begin(of_axis),
                                        std::end(of_axis),
                                        [&](const char *name) { return holds(std::string(name)); });
}

std::optional<std::vector<DirectedDisplacement>>
Support::displacements_at(const dealii::Point<3> &node,
                          const std::vector<dealii::Tensor<1, 3>> &normals,
                          const double tolerance) const
{
  std::vector<DirectedDisplacement> result;
  const auto add = [&](const dealii::Tensor<1, 3> &direction, const std::string &name) {
    result.push_back({{{direction[0], direction[1], direction[2]}}, displacement(name)});
  };
  if (needs_normals())
    for (const dealii::Tensor<1, 3> &normal : normals)
      add(normal, "normal");
  if (axis_.empty())
    return result;
  dealii::Tensor<1, 3> axis, arm;
  for (unsigned int d = 0; d < 3; ++d)
    {
      axis[d] = axis_[d];
      arm[d]  = node[d] - (point_.empty() ? 0. : point_[d]);
    }
  axis /= axis.norm();
  const dealii::Tensor<1, 3> radius = arm - (arm * axis) * axis;
  if (holds("axial"))
    add(axis, "axial");
  if (!holds("radial") && !holds("tangential"))
    return result;
  if (radius.norm() <= tolerance)
    return std::nullopt;
  if (holds("radial"))
    add(radius / radius.norm(), "radial");
  if (holds("tangential"))
    add(dealii::cross_product_3d(axis, radius / radius.norm()), "tangential");
  return result;
}

std::string Support::describe() const
{
  std::vector<std::string> listed = dealii::Utilities::split_string_list(directions_);
  std::sort(listed.begin(), listed.end());
  const auto twice = std::adjacent_find(listed.begin(), listed.end());
  if (twice != listed.end())
    fail("Components", "'" + *twice + "' is there twice.\n  Name each component once.");
  const bool has_axis = std::any_of(std::begin(of_axis), std::end(of_axis), [&](const char *name) {
    return holds(std::string(name));
  });
  if (!has_axis && !(axis_.empty() && point_.empty()))
    fail(axis_.empty() ? "Point" : "Axis",
         "The components (" + directions_ +
           ") have no axis.\n  Leave it out, or prescribe radial, tangential or axial "
           "displacements.");
  if (has_axis && (axis_.size() != 3 || axis_ == std::vector<double>{0., 0., 0.}))
    fail("Axis",
         "The components (" + directions_ +
           ") need the direction of an axis.\n  Give three numbers, as in '0, 0, 1'.");
  if (!point_.empty() && point_.size() != 3)
    fail("Point", std::to_string(point_.size()) + " numbers are no point.\n  Give three, x, y, z.");
  std::ostringstream text;
  for (const char *const direction : {"x", "y", "z", "normal", "radial", "tangential", "axial"})
    if (holds(std::string(direction)))
      text << (text.tellp() > 0 ? ", " : "") << direction << " = "
           << displacement(std::string(direction));
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
