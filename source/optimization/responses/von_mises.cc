// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/stress_operations.h"
#include "source/design/stress_norm.h"
#include "source/optimization/responses/solid_stress.h"

#include <cmath>
#include <vector>

namespace strut
{
namespace
{
enum class Scaling
{
  none,
  maximum
};

struct Settings
{
  double exponent   = 8.;
  double relaxation = 0.5;
  Scaling scaling   = Scaling::maximum;
  ResponseRegion region;

  void declare(ParameterList &list)
  {
    list.add("Exponent", exponent, {2., 100.}, "P of the norm.");
    list.add(
      "Relaxation",
      relaxation,
      {0., 3.},
      "An element of density rho counts with rho to this power times the stress of the solid at its centre, so "
      "that void has none.");
    list.add<Scaling>(
      "Scaling",
      scaling,
      {{"maximum", Scaling::maximum}, {"none", Scaling::none}},
      "maximum: the norm, times its ratio to the largest stress, which is renewed with each design. none: the norm, which is below the largest stress.");
    region.declare(list);
  }
};

/// The norm of relaxed von Mises stresses `s_e = rho_e^q vM_e` at the centres of the elements of a
/// region:
///
///     R = c (sum_e v_e s_e^P / sum_e v_e)^(1/P),
///
/// with the volumes v. c is 1, or the ratio of max_e s_e to the norm at the last design whose
/// derivative was computed (Le, Norato, Bruns, Ha and Tortorelli 2010). Derivatives treat c as a
/// constant.
class VonMisesNorm : public Response
{
public:
  VonMisesNorm(const ResponseContext &context, const Settings &settings)
    : operations_(context.backend.stress_operations())
    , communicator_(context.communicator)
    , norm_{settings.exponent, settings.relaxation}
    , scaling_(settings.scaling)
    , weights_(SolidStress::weights_of(settings.region, context))
    , solid_(context)
  {}

  void begin_design() override
  {
    scales_.clear();
  }

  Value
  evaluate(const AnalysedDesign &design, const std::size_t l, Derivative *const derivative) override
  {
    Array<double> &stress = solid_.solve(design, l);
    const double largest =
      communicator_.max(operations_.largest(norm_, weights_, design.densities, stress));
    if (!(largest > 0.))
      return {0.};
    // Relative to the largest stress, so that no power overflows.
    const double sum = communicator_.sum(
      operations_.sum_of_powers(norm_, largest, weights_, design.densities, stress));
    const double value = largest * std::pow(sum, 1. / norm_.exponent);
    if (l >= scales_.size())
      scales_.resize(l + 1, 0.);
    if (!(scales_[l] > 0.))
      scales_[l] = scaling_ == Scaling::maximum ? largest / value : 1.;
    const double factor = scales_[l];
    if (derivative == nullptr)
      return {factor * value};

    Array<double> &by_density = derivative->work();
    operations_.norm_slopes(norm_, factor, value, weights_, design.densities, stress, by_density);
    derivative->add_by_density(by_density);
    return {factor * value, solid_.add_derivative(design, l, *derivative)};
  }

private:
  const StressOperations &operations_;
  Communicator communicator_;
  const StressNorm norm_;
  const Scaling scaling_;
  Array<double> weights_; ///< v_e / V, `[n_elements]`
  SolidStress solid_;
  /// c of each load case; not positive if it is not yet known for the design.
  std::vector<double> scales_;
};
} // namespace

ResponseEntry von_mises()
{
  ResponseEntry entry;
  entry.name = "von mises";
  entry.summary =
    "the largest von Mises stress at centres of elements of a region, by way of a norm";
  entry.takes_stresses    = true;
  entry.parameters        = parameters_of<Settings>();
  entry.bytes_per_element = SolidStress::bytes_per_element;
  entry.bytes_of_type     = &SolidStress::bytes_of_type;
  entry.bytes_per_node    = SolidStress::bytes_per_node;
  entry.make              = [](const ResponseContext &context) -> std::unique_ptr<Response> {
    return std::make_unique<VonMisesNorm>(context, settings_from<Settings>(context.values));
  };
  return entry;
}
} // namespace strut
