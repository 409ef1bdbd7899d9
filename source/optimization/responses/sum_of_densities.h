// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/optimization/responses/response.h>

#include <vector>

namespace strut
{
/// The sum `R = s sum_e v_e r_e rho_e` over the elements of a region, with their volumes v and
/// ratios r, which are 1 by default. `dR/drho_e = s v_e r_e`.
class SumOfDensities : public Response
{
public:
  enum class Scale
  {
    none, ///< s is the factor
    mean  ///< s is the factor, divided by the volume of the region
  };

  SumOfDensities(const ResponseContext &context,
                 const ResponseRegion &region,
                 const Scale scale,
                 const double factor               = 1.,
                 const std::vector<double> &ratios = {})
    : backend_(context.backend), communicator_(context.communicator)
  {
    std::vector<double> weights(context.mesh.n_elements, 0.);
    double volume = 0;
    for (const LocalIndex e : elements_of(region, context.regions, context.mesh))
      volume += weights[e] = context.mesh.volumes[e];
    const double s = scale == Scale::mean ? factor / communicator_.sum(volume) : factor;
    for (double &weight : weights)
      weight *= s;
    for (std::size_t e = 0; e < ratios.size(); ++e)
      weights[e] *= ratios[e];
    weights_ = Array<double>(backend_.memory(), weights);
  }

  Value evaluate(const AnalysedDesign &design, std::size_t, Derivative *const derivative) override
  {
    if (derivative != nullptr)
      derivative->add_by_density(weights_);
    return {communicator_.sum(
      backend_.vector_operations<double>().dot(weights_.size(), weights_, design.densities))};
  }

private:
  Backend &backend_;
  Communicator communicator_;
  Array<double> weights_; ///< `[n_elements]`: s v_e r_e
};
} // namespace strut
