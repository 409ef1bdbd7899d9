// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/stress_operations.h"
#include "source/design/stress_norm.h"

#include <strut/base/exceptions.h>
#include <strut/optimization/maps/neighbourhood_mean.h>
#include <strut/optimization/responses/response.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

namespace strut
{
namespace
{
enum class VolumeScaling
{
  none,
  maximum
};

struct LocalVolumeSettings
{
  double diameter       = 0.; ///< 0 if it is not set
  double exponent       = 16.;
  VolumeScaling scaling = VolumeScaling::maximum;
  ResponseRegion region;

  void declare(ParameterList &list)
  {
    list.add("Diameter",
             diameter,
             {0., 1e300},
             "Of the balls, in length units of the mesh. Has to be set.");
    list.add("Exponent", exponent, {2., 100.}, "P of the mean.");
    list.add<VolumeScaling>(
      "Scaling",
      scaling,
      {{"maximum", VolumeScaling::maximum}, {"none", VolumeScaling::none}},
      "maximum: the mean, times its ratio to the largest share, which is renewed with each design. none: the mean, which is "
      "below the largest share.");
    region.declare(list);
  }
};

/// The mean with the power P of the shares s_e of material in balls around the centres of the
/// design elements of a region:
///
///     R = c (sum_e v_e s_e^P / sum_e v_e)^(1/P),   s_e = sum_i w_ei v_i rho_i / sum_i w_ei v_i,
///
/// with the volumes v and the cone weights w of NeighbourhoodMean (Wu, Aage, Westermann and Sigmund
/// 2018, there with equal weights). c is 1, or the ratio of max_e s_e to the mean at the last
/// design whose derivative was computed, as for VonMisesNorm.
///
/// Below 1 no ball is full, so no member contains one (Guest 2009). Balls end at the boundary of
/// the mesh, but continue behind planes of symmetry. With M of NeighbourhoodMean by count
/// s = M(v rho) / M(v), so dR/drho = v M^T (dR/ds / M(v)).
class LocalVolume : public Response
{
public:
  LocalVolume(const ResponseContext &context, const LocalVolumeSettings &settings)
    : backend_(context.backend)
    , communicator_(context.communicator)
    , norm_{settings.exponent, 0.}
    , scaling_(settings.scaling)
    , weights_(context.backend.memory(), weights_of(settings, context))
    , volumes_(context.backend.memory(), context.mesh.volumes)
    , of_solid_(context.backend.memory(), context.mesh.volumes)
    , shares_(context.backend.memory(), context.mesh.n_elements)
    , mean_(context.backend,
            context.communicator,
            context.mesh,
            0.5 * settings.diameter,
            FilterWeights::count)
  {
    mean_.apply(of_solid_, of_solid_);
  }

  /// Bytes per element that the response keeps: four fields, the neighbours and the sums of their
  /// weights.
  static constexpr double bytes_per_element = 5 * sizeof(double);

  void begin_design() override
  {
    scale_ = 0.;
  }

  Value evaluate(const AnalysedDesign &design, std::size_t, Derivative *const derivative) override
  {
    const auto &vectors = backend_.vector_operations<double>();
    // Without relaxation the stress operations compute norms of any field.
    const auto &norms   = backend_.stress_operations();
    const std::size_t n = weights_.size();
    vectors.multiply(n, volumes_, design.densities, shares_);
    mean_.apply(shares_, shares_);
    vectors.divide(n, shares_, of_solid_, shares_);
    const double largest =
      communicator_.max(norms.largest(norm_, weights_, design.densities, shares_));
    if (!(largest > 0.))
      return {0.};
    const double sum =
      communicator_.sum(norms.sum_of_powers(norm_, largest, weights_, design.densities, shares_));
    const double value = largest * std::pow(sum, 1. / norm_.exponent);
    if (!(scale_ > 0.))
      scale_ = scaling_ == VolumeScaling::maximum ? largest / value : 1.;
    if (derivative != nullptr)
      {
        Array<double> &slopes = derivative->work();
        norms.norm_slopes(norm_, scale_, value, weights_, design.densities, shares_, slopes);
        vectors.divide(n, shares_, of_solid_, shares_);
        mean_.apply_transposed(shares_, slopes);
        vectors.multiply(n, volumes_, slopes, slopes);
        derivative->add_by_density(slopes);
      }
    return {scale_ * value};
  }

private:
  /// Returns v_e / V of the design elements of the region, 0 in the others. V is the volume over
  /// all ranks. Collective.
  static std::vector<double> weights_of(const LocalVolumeSettings &settings,
                                        const ResponseContext &context)
  {
    const ElementMesh &mesh = context.mesh;
    std::vector<double> weights(mesh.n_elements, 0.);
    double volume = 0., largest = 0.;
    for (const LocalIndex e : elements_of(settings.region, context.regions, mesh))
      if (mesh.flags[e] == DesignFlag::design)
        {
          volume += weights[e] = mesh.volumes[e];
          largest              = std::max(largest, mesh.volumes[e]);
        }
    volume = context.communicator.sum(volume);
    if (!(volume > 0.))
      throw Error("The region whose balls count has no elements to design.");
    const double edge = std::cbrt(context.communicator.max(largest));
    if (!(settings.diameter > 2. * (1. + 1e-9) * edge)) // The weights of neighbours end at 0.
      {
        std::ostringstream text;
        text << "The balls have a diameter of " << settings.diameter
             << ", and the largest elements edges of about " << edge
             << ": a ball counts its own element alone. Give a diameter of more than two edges.";
        throw Error(text.str());
      }
    for (double &weight : weights)
      weight /= volume;
    return weights;
  }

  Backend &backend_;
  Communicator communicator_;
  const StressNorm norm_;
  const VolumeScaling scaling_;
  Array<double> weights_;  ///< v_e / V, `[n_elements]`
  Array<double> volumes_;  ///< v
  Array<double> of_solid_; ///< M(v)
  Array<double> shares_;   ///< s
  NeighbourhoodMean mean_;
  double scale_ = 0.; ///< c; not positive if it is not yet known for the design
};
} // namespace

ResponseEntry local_volume()
{
  ResponseEntry entry;
  entry.name = "local volume";
  entry.summary =
    "the largest share of material in a ball, by way of a mean: it limits how thick members are";
  entry.second_solve      = false;
  entry.by_load_case      = false;
  entry.parameters        = parameters_of<LocalVolumeSettings>();
  entry.bytes_per_element = LocalVolume::bytes_per_element + NeighbourhoodMean::memory_estimate(1);
  entry.make              = [](const ResponseContext &context) -> std::unique_ptr<Response> {
    return std::make_unique<LocalVolume>(context,
                                         settings_from<LocalVolumeSettings>(context.values));
  };
  return entry;
}
} // namespace strut
