// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/design/projection.h>

#include <strut/optimization/maps/design_map.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace strut
{
namespace
{
struct ProjectionSettings
{
  double threshold                      = 0.5;
  double sharpness                      = 1.; ///< sharpness in the first iterations
  double maximum_sharpness              = 16.;
  unsigned int iterations_per_sharpness = 20;

  void declare(ParameterList &list)
  {
    list.add("Threshold",
             threshold,
             {0., 1.},
             "eta: filtered densities below it are driven to void, others to solid.");
    list.add("Sharpness",
             sharpness,
             {0.01, 1000.},
             "beta, at first: 1 hardly changes anything, 16 leaves few grey elements.");
    list.add(
      "Maximum sharpness",
      maximum_sharpness,
      {0.01, 1000.},
      "The sharpness is doubled until it is this. Until then the stopping criterion does not end the run.");
    list.add("Iterations per sharpness",
             iterations_per_sharpness,
             {1, 1000000},
             "After so many iterations the sharpness is doubled, if it is below its maximum.");
  }
};

/// Applies a Projection P to each element (Guest, Prevost and Belytschko 2004): `y_e = P(x_e)`,
/// `s_e <- P'(x_e) s_e`. The sharpness is doubled at intervals of iterations, since a sharp
/// projection from the start would leave no slopes to follow.
class Heaviside : public DesignMap
{
public:
  Heaviside(Backend &backend,
            const Communicator &,
            const ElementMesh &,
            const MapSettings &settings)
    : backend_(backend)
    , settings_(settings_from<ProjectionSettings>(settings.values))
    , minimum_(settings.minimum_density)
  {
    if (settings_.maximum_sharpness < settings_.sharpness)
      throw Error("The maximum is below 'Sharpness', with which the projection begins.",
                  Remedy::raise_maximum_sharpness);
  }

  void forward(const Array<double> &x, Array<double> &y, const MapPoint &at) override
  {
    backend_.design_operations().project(projection(at), x, y);
  }

  void backward(const Array<double> &x, Array<double> &s, const MapPoint &at) override
  {
    backend_.design_operations().multiply_by_slope(projection(at), x, s);
  }

  bool is_affine() const override
  {
    return false;
  }

  bool can_shift(const double shift) const override
  {
    const double threshold = settings_.threshold + shift;
    // Without a shift thresholds of 0 and 1 are allowed.
    if (shift != 0. && !(threshold > 0. && threshold < 1.))
      throw Error("A threshold of " + std::to_string(threshold) +
                  " projects nothing: the one that was set is " +
                  std::to_string(settings_.threshold) +
                  ", and its distance leads out of the range from 0 to 1.");
    return true;
  }

  std::string parameters_in(const unsigned int iteration) const override
  {
    std::ostringstream text;
    text << "the projection has the sharpness " << stage(iteration).sharpness;
    if (!is_settled(iteration))
      text << ", which goes on to " << settings_.maximum_sharpness;
    return text.str();
  }

  unsigned int unchanged_since(const unsigned int iteration) const override
  {
    return stage(iteration).since;
  }

  bool is_settled(const unsigned int iteration) const override
  {
    return stage(iteration).sharpness >= settings_.maximum_sharpness;
  }

private:
  /// A sharpness, and the first iteration that has it.
  struct Stage
  {
    double sharpness;
    unsigned int since;
  };

  Stage stage(const unsigned int iteration) const
  {
    const double last        = settings_.maximum_sharpness;
    const unsigned int every = settings_.iterations_per_sharpness;
    Stage stage{settings_.sharpness, 1};
    for (unsigned int i = every; i < iteration && stage.sharpness < last; i += every)
      stage = {std::min(2. * stage.sharpness, last), i + 1};
    return stage;
  }

  Projection projection(const MapPoint &at) const
  {
    Projection projection;
    projection.sharpness = stage(at.iteration).sharpness;
    projection.threshold = settings_.threshold + at.shift;
    projection.minimum   = minimum_;
    return projection;
  }

  Backend &backend_;
  ProjectionSettings settings_;
  double minimum_; ///< lower bound of the densities
};
} // namespace

/// The map `projection`, a smoothed step.
DesignMapEntry projection_map()
{
  DesignMapEntry entry;
  entry.name              = "projection";
  entry.summary           = "a smoothed step (tanh) that drives densities to solid or void";
  entry.make              = &make_map<Heaviside>;
  entry.parameters        = parameters_of<ProjectionSettings>();
  entry.bytes_per_element = sizeof(double); // Densities of a trial.
  return entry;
}
} // namespace strut
