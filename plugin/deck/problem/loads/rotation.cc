// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/load_integrals.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "plugin/deck/problem/loads/type_entries.h"
#include <strut/mesh_summary.h>

namespace strut::loads
{
namespace
{
using Vector = dealii::Tensor<1, 3>;
using Point  = dealii::Point<3>;

constexpr const char *name_of_rotation = "rotation";

struct RotationSettings
{
  std::vector<double> point = {0., 0., 0.};
  double density            = 0.;

  void declare(ParameterList &list)
  {
    list.add("Point", point, {-1e300, 1e300}, "A point of the axis: x, y, z.");
    list.add("Density",
             density,
             {0., 1e300},
             "Mass per volume of the solid of 'Material'; 'Mass ratio' of 'Materials' multiplies "
             "it. A load needs it.");
  }
};

/// Throws EntryError for a plane of symmetry behind which the body would turn about another axis.
/// The plane must contain the axis or be normal to it.
void require_image(const Load &load,
                   const SymmetryPlane &plane,
                   const Vector &axis,
                   const Vector &point,
                   const double tolerance)
{
  constexpr double rounding = 1e-9;
  Vector across             = axis;
  across[plane.normal]      = 0.;
  const bool is_normal      = across.norm() <= rounding;
  const bool is_parallel    = std::abs(axis[plane.normal]) <= rounding;
  if (is_normal || (is_parallel && std::abs(point[plane.normal] - plane.value) <= tolerance))
    return;
  const std::string name(1, "xyz"[plane.normal]);
  std::ostringstream text;
  if (is_parallel)
    text << "The axis is at " << name << " = " << point[plane.normal] << ", beside";
  else
    text << "The axis is oblique to";
  text << " the plane of symmetry " << name << " = " << plane.value
       << ", and the mirror image turns about another axis.\nTake an axis "
       << (is_parallel ? "with a point on" : "in or normal to")
       << " the plane, or mesh the whole without this plane.";
  if (is_parallel)
    refuse(load, name_of_rotation, "Point", text.str());
  throw EntryError(load.path(), "Value", text.str());
}

/// Assembles the force `rho omega^2 r` per volume of solid material, away from the axis.
std::string assemble_rotation(const LoadContext &context, const Load &load)
{
  const auto settings = settings_from<RotationSettings>(load.values());
  const Vector &omega = load.value(),
               point  = vector_of(load, name_of_rotation, "Point", settings.point);
  if (omega.norm() == 0.)
    throw EntryError(load.path(),
                     "Value",
                     "The angular velocity is zero.\nGive its components about x, y and z in "
                     "radians per time: n revolutions per minute are n pi / 30 rad/s.");
  if (settings.density == 0.)
    refuse(load,
           name_of_rotation,
           "Density",
           "A rotation acts by the mass, and no density is given.\nSet the mass per "
           "volume of the solid, in units of the modulus times time^2 per length^2: t/mm^3 with "
           "MPa, mm and s.");
  for (const SymmetryPlane &plane : context.planes)
    require_image(load, plane, omega / omega.norm(), point, context.summary.tolerance());

  std::ostringstream text;
  text << add_weight_integral(context,
                              load,
                              [&](const Point &x) {
                                const Vector arm = x - point;
                                return settings.density *
                                       (omega.norm_square() * arm - (omega * arm) * omega);
                              })
       << ", density " << settings.density << ", about an axis through (" << point[0] << ", "
       << point[1] << ", " << point[2] << ')';
  return text.str();
}
} // namespace

LoadType rotation()
{
  return {name_of_rotation,
          "centrifugal force on the region's elements, times their densities; the value is the "
          "angular velocity about x, y and z in radians per time, see subsection Rotation",
          &assemble_rotation,
          parameters_of<RotationSettings>()};
}
} // namespace strut::loads
