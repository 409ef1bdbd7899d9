// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/bounding_box.h"
#include "source/optimization/maps/folded_map.h"
#include "source/optimization/maps/map_error.h"

namespace strut
{
namespace
{
struct Settings
{
  std::vector<double> normals = {1., 0., 0.};
  std::vector<double> point   = {};
  DesignGrid::Settings grid;

  void declare(ParameterList &list)
  {
    list.add(
      "Normals",
      normals,
      {-1e300, 1e300},
      "Of the planes, three numbers of any length for each of one, two or three planes at right angles.");
    list.add("Point",
             point,
             {-1e300, 1e300},
             "In all planes, three numbers; empty: the middle of the mesh's box.");
    grid.declare(list);
  }
};

std::unique_ptr<DesignMap> make(Backend &backend,
                                const Communicator &communicator,
                                const ElementMesh &mesh,
                                const MapSettings &given)
{
  const auto settings = settings_from<Settings>(given.values);
  std::vector<Point3> normals;
  if (settings.normals.empty() || settings.normals.size() % 3 != 0)
    throw MapError("",
                   "Normals",
                   "'Normals' of the map 'mirror' takes three numbers for each plane.");
  for (auto n = settings.normals.begin(); n != settings.normals.end(); n += 3)
    {
      normals.push_back(
        unit_vector_of("Normals", {n[0], n[1], n[2]}, "A normal of the map 'mirror'"));
      for (std::size_t k = 0; k + 1 < normals.size(); ++k)
        if (std::abs(dot(normals[k], normals.back())) > 1e-9)
          throw MapError("",
                         "Normals",
                         "The planes of the map 'mirror' must be at right angles to each other: "
                         "images of images would be elsewhere. For a wheel there is 'cyclic'.");
    }
  const Point3 middle = middle_of(bounding_box(communicator, mesh.coordinates, mesh.n_nodes));
  const Point3 origin = of_parameter("Point", [&]() {
    return point_or(settings.point, middle, "The point of the map 'mirror'");
  });
  return std::make_unique<FoldedMap>(
    "mirror", backend, communicator, mesh, settings.grid, [=](const Point3 &p) {
      Point3 folded = p;
      for (const Point3 &normal : normals)
        {
          const double height = dot(folded, normal) - dot(origin, normal);
          if (height < 0.)
            for (std::size_t d = 0; d < 3; ++d)
              folded[d] -= 2. * height * normal[d];
        }
      return folded;
    });
}
} // namespace

/// The map `mirror`, which makes the design symmetric under any loads.
DesignMapEntry mirror_map()
{
  return {"mirror",
          "symmetric about planes, whatever the loads and the supports are",
          &make,
          parameters_of<Settings>(),
          /*needs_radius*/ false,
          DesignGrid::bytes_per_element};
}
} // namespace strut
