// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/bounding_box.h"
#include "source/optimization/maps/folded_map.h"
#include "source/optimization/maps/map_error.h"

#include <cmath>

namespace strut
{
namespace
{
enum class Sector
{
  plain,
  mirrored
};

struct Settings
{
  unsigned int sectors      = 2;
  std::vector<double> axis  = {0., 0., 1.};
  std::vector<double> point = {};
  Sector sector             = Sector::plain;
  DesignGrid::Settings grid;

  void declare(ParameterList &list)
  {
    list.add("Sectors", sectors, {1, 100000}, "How often the design repeats in a turn.");
    list.add("Axis", axis, {-1e300, 1e300}, "Three numbers, of any length: the turn is about it.");
    list.add("Point",
             point,
             {-1e300, 1e300},
             "On the axis, three numbers; empty: the middle of the mesh's box.");
    list.add<Sector>("Each sector",
                     sector,
                     {{"plain", Sector::plain}, {"mirrored", Sector::mirrored}},
                     "mirrored: its two halves are mirror images of each other, too.");
    grid.declare(list);
  }
};

std::unique_ptr<DesignMap> make(Backend &backend,
                                const Communicator &communicator,
                                const ElementMesh &mesh,
                                const MapSettings &given)
{
  const auto settings = settings_from<Settings>(given.values);
  const Frame frame(unit_vector_of("Axis", settings.axis, "The axis of the map 'cyclic'"));
  const Point3 middle = middle_of(bounding_box(communicator, mesh.coordinates, mesh.n_nodes));
  const Point3 origin = of_parameter("Point", [&]() {
    return point_or(settings.point, middle, "The point of the map 'cyclic'");
  });
  const double width  = 8. * std::atan(1.) / settings.sectors;
  return std::make_unique<FoldedMap>(
    "cyclic", backend, communicator, mesh, settings.grid, [=](const Point3 &p) -> Point3 {
      const Point3 from = {{p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]}};
      const double x = dot(from, frame.first), y = dot(from, frame.second);
      constexpr double slack = 1e-9; // A place on a border belongs to the sector behind it.
      const double t         = std::atan2(y, x) / width;
      double angle           = (t - std::floor(t + slack)) * width;
      if (settings.sector == Sector::mirrored)
        angle = std::min(angle, width - angle);
      const double r = std::hypot(x, y);
      return {{r * std::cos(angle), r * std::sin(angle), dot(from, frame.axis)}};
    });
}
} // namespace

/// The map `cyclic`, which makes all sectors of a wheel equal.
DesignMapEntry cyclic_map()
{
  return {"cyclic",
          "the same design in each of the sectors about an axis",
          &make,
          parameters_of<Settings>(),
          /*needs_radius*/ false,
          DesignGrid::bytes_per_element};
}
} // namespace strut
