// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/frame.h"
#include "source/optimization/maps/layer_sweep.h"

#include <strut/base/exceptions.h>

#include <cmath>

namespace strut
{
namespace
{
struct Settings
{
  std::vector<double> direction = {0., 0., 1.};
  double angle                  = 0.;
  double exponent               = 1e5;
  DesignGrid::Settings grid;

  void declare(ParameterList &list)
  {
    list.add(
      "Direction",
      direction,
      {-1e300, 1e300},
      "Three numbers, of any length: the mould is drawn off this way. Whatever lies below material is material.");
    list.add("Draft angle",
             angle,
             {0., 60.},
             "Degrees by which walls lean, at least: 0, or from 45 on, which the grid can tell.");
    list.add(
      "Exponent",
      exponent,
      {10., 1e8},
      "P of the smooth maximum over what covers a place. A density falls by log(2) / P from layer to layer, or more where the draft angle lets several cover one.");
    grid.declare(list);
  }
};

LayerSweepSettings sweep_of(const Settings &settings)
{
  LayerSweepSettings sweep;
  sweep.map            = "casting";
  sweep.ends_at_planes = true; // The mould is parted there.
  sweep.direction      = unit_vector(settings.direction, "The direction of the map 'casting'");
  for (double &component : sweep.direction) // The sweep goes from the mould downwards.
    component = -component;
  sweep.tangent = std::tan(settings.angle * std::atan(1.) / 45.);
  if (settings.angle > 0. && settings.angle < 45.)
    throw Error(
      "The map 'casting' knows draft angles of 0, and from 45 degrees on: on its grid one between them would be no other than 0.");
  sweep.grid      = settings.grid;
  sweep.rule.kind = LayerRule::Kind::at_least;
  sweep.rule.P    = settings.exponent;
  return sweep;
}

std::unique_ptr<DesignMap> make(Backend &backend,
                                const Communicator &communicator,
                                const ElementMesh &mesh,
                                const MapSettings &given)
{
  const LayerSweepSettings sweep = sweep_of(settings_from<Settings>(given.values));
  return std::make_unique<LayerSweep>(backend, communicator, mesh, sweep);
}
} // namespace

/// The map `casting`, which makes designs without undercuts.
DesignMapEntry casting_map()
{
  return {
    "casting",
    "at least as dense as what covers it, so that a mould comes off in one direction",
    &make,
    parameters_of<Settings>(),
    /*needs_radius*/ false,
    LayerSweep::bytes_per_element,
    [](const Communicator &communicator, const ElementMesh &mesh, bool, const MapSettings &given) {
      return LayerSweep::bytes_of_images(
        [&]() { return sweep_of(settings_from<Settings>(given.values)); }, communicator, mesh);
    }};
}
} // namespace strut
