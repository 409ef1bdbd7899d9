// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/frame.h"
#include "source/optimization/maps/folded_map.h"

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
  return std::make_unique<FoldedMap>(
    backend, communicator, mesh, settings.grid, [=](const Point3 &p) -> Point3 {
      return {{dot(p, frame.first), dot(p, frame.second), 0.}};
    });
}
} // namespace

/// `extrusion`: the same cross section all along.
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
