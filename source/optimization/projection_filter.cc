// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/optimization/filter.h>
#include <strut/optimization/neighbourhood_mean.h>
#include <strut/optimization/passive_elements.h>

#include <algorithm>

namespace strut
{
namespace
{
struct ProjectionSettings
{
  double threshold                      = 0.5;
  double sharpness                      = 1.; ///< at first
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

/// A Projection P of the mean of the design variables (Guest, Prevost and Belytschko 2004), with M of
/// NeighbourhoodMean and the solid and void elements left as they are:
///
///     rho_e = P((M x)_e),   dJ/dx_i = sum_e M_ei P'((M x)_e) dJ/drho_e   over the design elements
///
/// The sharpness is doubled every so many iterations: a sharp projection at once would leave no slopes
/// to follow.
class ProjectionFilter : public Filter
{
public:
  ProjectionFilter(Backend &backend,
                   const Communicator &communicator,
                   const ElementMesh &mesh,
                   const FilterSettings &settings)
    : backend_(backend)
    , mean_(backend, communicator, mesh, settings.radius)
    , passive_(backend, mesh)
    , smooth_(backend.memory(), mesh.n_elements)
    , settings_(settings_from<ProjectionSettings>(settings.values))
  {
    if (settings_.maximum_sharpness < settings_.sharpness)
      throw Error("The maximum is below 'Sharpness', with which the projection begins.",
                  Remedy::raise_maximum_sharpness);
    projection_.threshold = settings_.threshold;
    projection_.minimum   = settings.minimum_density;
    begin_iteration(1);
  }

  bool keeps_densities() const override
  {
    return false;
  }

  void begin_iteration(const unsigned int iteration) override
  {
    const double last        = settings_.maximum_sharpness;
    const unsigned int every = settings_.iterations_per_sharpness;
    double sharpness         = settings_.sharpness;
    since_                   = 1;
    for (unsigned int i = every; i < iteration && sharpness < last; i += every)
      {
        sharpness = std::min(2. * sharpness, last);
        since_    = i + 1;
      }
    projection_.sharpness = sharpness;
  }

  unsigned int unchanged_since() const override
  {
    return since_;
  }

  bool is_settled() const override
  {
    return projection_.sharpness >= settings_.maximum_sharpness;
  }

  void densities(const Array<double> &design, Array<double> &densities) override
  {
    mean_.apply(design, densities);
    backend_.design_operations().project(projection_, densities, densities);
    passive_.copy(design, densities);
  }

  void objective_sensitivities(const Array<double> &design, Array<double> &sensitivities) override
  {
    mean_.apply(design, smooth_);
    backend_.design_operations().multiply_by_slope(projection_, smooth_, sensitivities);
    passive_.set_zero(sensitivities); // their densities do not follow the design around them
    mean_.apply_transposed(sensitivities, sensitivities);
    passive_.set_zero(sensitivities); // and are no variables
  }

  void volume_sensitivities(const Array<double> &design, Array<double> &sensitivities) override
  {
    objective_sensitivities(design, sensitivities);
  }

private:
  Backend &backend_;
  NeighbourhoodMean mean_;
  PassiveElements passive_;
  Array<double> smooth_; ///< M x
  Projection projection_;
  ProjectionSettings settings_;
  unsigned int since_ = 1; ///< the first iteration with this sharpness
};
} // namespace

/// `projection`: the density filter, then a smoothed step.
FilterEntry projection_filter()
{
  FilterEntry entry;
  entry.name = "projection";
  entry.summary =
    "the density filter, then a smoothed step (tanh) that drives densities to solid or "
    "void";
  entry.make         = &make_filter<ProjectionFilter>;
  entry.parameters   = parameters_of<ProjectionSettings>();
  entry.needs_radius = true;
  entry.n_fields     = 5; // densities, those of a trial, M x, W, sensitivities of the volume
  return entry;
}
} // namespace strut
