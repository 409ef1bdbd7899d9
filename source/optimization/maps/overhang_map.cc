// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/frame.h"
#include "source/optimization/maps/layer_sweep.h"

#include <strut/base/exceptions.h>

#include <cmath>
#include <limits>

namespace strut
{
namespace
{
struct Settings
{
  std::vector<double> direction = {0., 0., 1.};
  double angle                  = 45.;
  double exponent               = 40.;
  double smoothing              = 1e-4;
  double exact_density          = 0.5;
  unsigned int samples          = 0;
  DesignGrid::Settings grid;

  void declare(ParameterList &list)
  {
    list.add(
      "Direction",
      direction,
      {-1e300, 1e300},
      "Three numbers, of any length: from layer to layer as they are printed. The lowest face of the mesh lies on the plate.");
    list.add(
      "Angle",
      angle,
      {0., 80.},
      "Degrees between the direction and a surface that still carries itself, at most. Without samples the grid knows 0, 45, 55, 63 and more; what is between counts as the smaller one.");
    list.add("Exponent",
             exponent,
             {2., 80.},
             "P of the smooth maximum over what carries an element.");
    list.add("Smoothing", smoothing, {1e-12, 1.}, "epsilon of the smooth minimum with that.");
    list.add("Exact density",
             exact_density,
             {0.01, 0.99},
             "The density for which the smooth maximum does not overshoot.");
    list.add(
      "Samples",
      samples,
      {0, 64},
      "Points on the rim of the cone in the layer before, interpolated, beside the nodes of the grid in it. With some, a place may stand on two halves.");
    grid.declare(list);
  }
};

LayerSweepSettings sweep_of(const Settings &settings)
{
  LayerSweepSettings sweep;
  sweep.map       = "overhang";
  sweep.direction = unit_vector(settings.direction, "The direction of the map 'overhang'");
  sweep.tangent   = std::tan(settings.angle * std::atan(1.) / 45.);
  sweep.n_samples = settings.samples;
  sweep.grid      = settings.grid;
  return sweep;
}

std::unique_ptr<DesignMap> make(Backend &backend,
                                const Communicator &communicator,
                                const ElementMesh &mesh,
                                const MapSettings &given)
{
  const auto settings      = settings_from<Settings>(given.values);
  LayerSweepSettings sweep = sweep_of(settings);
  LayerRule &rule          = sweep.rule;
  rule.kind                = LayerRule::Kind::at_most;
  rule.P                   = settings.exponent;
  const int in_cone        = LayerSweep::n_nodes_in_cone(sweep.tangent);
  // The exact density is reproduced for n equal values.
  const double n = settings.samples > 0 ? settings.samples : in_cone;
  rule.Q         = rule.P + std::log(n) / std::log(settings.exact_density);
  if (!(rule.Q > 0.5 * rule.P))
    throw Error(
      "The map 'overhang' has an exact density too near 1 for its exponent: P + ln(n) / ln(exact density) must be above P / 2, with the number n of what carries a place. Take a larger exponent, or a smaller exact density.");
  rule.epsilon         = settings.smoothing;
  rule.shift           = 100. * std::pow(std::numeric_limits<double>::min(), 1. / rule.P);
  rule.back            = 0.95 * std::pow(n, 1. / rule.Q) * std::pow(rule.shift, rule.P / rule.Q);
  sweep.given_at_start = (in_cone + settings.samples) * rule.summand(1.);
  return std::make_unique<LayerSweep>(backend, communicator, mesh, sweep);
}
} // namespace

/// The map `overhang`, which avoids material that cannot be printed because nothing supports it.
DesignMapEntry overhang_map()
{
  return {
    "overhang",
    "no denser than what lies below and carries it while it is printed",
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
