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
struct Settings
{
  std::vector<double> counts = {2., 1., 1.};
  DesignGrid::Settings grid;

  void declare(ParameterList &list)
  {
    list.add(
      "Repetitions",
      counts,
      {1., 1e6},
      "How often the pattern is there along x, y and z: so many equal parts of the mesh's box.");
    grid.declare(list);
  }
};

std::unique_ptr<DesignMap> make(Backend &backend,
                                const Communicator &communicator,
                                const ElementMesh &mesh,
                                const MapSettings &given)
{
  const auto settings = settings_from<Settings>(given.values);
  const Box box       = bounding_box(communicator, mesh.coordinates, mesh.n_nodes);
  bool whole          = settings.counts.size() == 3;
  for (const double count : settings.counts)
    whole = whole && count == std::round(count);
  if (!whole)
    throw MapError(
      "",
      "Repetitions",
      "'Repetitions' of the map 'repetition' takes three whole numbers, along x, y and z.");
  Point3 pitch;
  for (std::size_t d = 0; d < 3; ++d)
    pitch[d] = (box[3 + d] - box[d]) / settings.counts[d];
  return std::make_unique<FoldedMap>(
    "repetition", backend, communicator, mesh, settings.grid, [=](const Point3 &p) {
      Point3 folded;
      for (std::size_t d = 0; d < 3; ++d)
        {
          constexpr double slack = 1e-9; // A place on a border belongs to the part behind it.
          const double t         = (p[d] - box[d]) / pitch[d];
          folded[d]              = box[d] + (t - std::floor(t + slack)) * pitch[d];
        }
      return folded;
    });
}
} // namespace

/// The map `repetition`, which repeats a pattern.
DesignMapEntry repetition_map()
{
  return {"repetition",
          "the same pattern in equal parts of the mesh's box",
          &make,
          parameters_of<Settings>(),
          /*needs_radius*/ false,
          DesignGrid::bytes_per_element};
}
} // namespace strut
