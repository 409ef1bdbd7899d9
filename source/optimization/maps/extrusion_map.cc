// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/frame.h"
#include "source/optimization/maps/folded_map.h"

#include <strut/base/exceptions.h>

#include <cmath>

namespace strut
{
namespace
{
struct Settings
{
  std::vector<double> direction = {0., 0., 1.};
  DesignGrid::Settings grid;

  void declare(ParameterList &list)
  {
    list.add("Direction",
             direction,
             {-1e300, 1e300},
             "Three numbers, of any length: the design does not change along it.");
    grid.declare(list);
  }
};

std::unique_ptr<DesignMap> make(Backend &backend,
                                const Communicator &communicator,
                                const ElementMesh &mesh,
                                const MapSettings &given)
{
  const auto settings = settings_from<Settings>(given.values);
  const Frame frame(unit_vector(settings.direction, "The direction of the map 'extrusion'"));
  for (const SymmetryPlane &plane : mesh.symmetry_planes)
    if (const double along = std::abs(frame.axis[plane.normal]); along > 1e-9 && along < 1. - 1e-9)
      throw Error(
        "The direction of the map 'extrusion' is oblique to a plane of symmetry: the mirror image behind it has another direction. "
        "Take one in the plane or normal to it, or mesh the whole without that plane.");
  return std::make_unique<FoldedMap>(
    "extrusion", backend, communicator, mesh, settings.grid, [=](const Point3 &p) -> Point3 {
      return {{dot(p, frame.first), dot(p, frame.second), 0.}};
    });
}
} // namespace

/// The map `extrusion`, which gives all cross sections the same design.
DesignMapEntry extrusion_map()
{
  return {"extrusion",
          "the same cross section all along a direction",
          &make,
          parameters_of<Settings>(),
          /*needs_radius*/ false,
          DesignGrid::bytes_per_element};
}
} // namespace strut
