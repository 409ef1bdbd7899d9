// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/optimization/filter.h>
#include <strut/optimization/neighbourhood_mean.h>
#include <strut/optimization/passive_elements.h>

namespace strut
{
namespace
{
/// The density filter (Bruns and Tortorelli 2001; Bourdin 2001), with M of NeighbourhoodMean and the
/// solid and void elements left as they are:
///
///     rho_e = (M x)_e,   dJ/dx = M^T dJ/drho   over the design elements
class DensityFilter : public Filter
{
public:
  DensityFilter(Backend &backend,
                const Communicator &communicator,
                const ElementMesh &mesh,
                const FilterSettings &settings)
    : mean_(backend, communicator, mesh, settings.radius), passive_(backend, mesh)
  {}

  bool keeps_densities() const override
  {
    return false;
  }

  bool is_linear() const override
  {
    return true;
  }

  void densities(const Array<double> &design, Array<double> &densities) override
  {
    mean_.apply(design, densities);
    passive_.copy(design, densities);
  }

  void objective_sensitivities(const Array<double> &, Array<double> &sensitivities) override
  {
    passive_.set_zero(sensitivities); // their densities do not follow the design around them
    mean_.apply_transposed(sensitivities, sensitivities);
    passive_.set_zero(sensitivities); // and are no variables
  }

  void volume_sensitivities(const Array<double> &design, Array<double> &sensitivities) override
  {
    objective_sensitivities(design, sensitivities);
  }

private:
  NeighbourhoodMean mean_;
  PassiveElements passive_;
};
} // namespace

/// `density`: the densities are means of the design variables.
FilterEntry density_filter()
{
  FilterEntry entry;
  entry.name = "density";
  entry.summary =
    "the density of an element is the mean of the design variables around it, with cone "
    "weights";
  entry.make     = &make_filter<DensityFilter>;
  entry.n_fields = 3; // densities, W, sensitivities of the volume
  return entry;
}
} // namespace strut
