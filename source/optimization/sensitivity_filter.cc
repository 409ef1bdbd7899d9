// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/optimization/filter.h>
#include <strut/optimization/neighbourhood_mean.h>

namespace strut
{
namespace
{
/// Sigmund's sensitivity filter (Sigmund 1997; Sigmund and Petersson 1998):
///
///   dC_e <- sum_i w_ei rho_i dC_i / (rho_e sum_i w_ei),   w_ei = max(0, R - |x_e - x_i|)
class SensitivityFilter : public Filter
{
public:
  SensitivityFilter(Backend &backend,
                    const Communicator &communicator,
                    const ElementMesh &mesh,
                    const FilterSettings &settings)
    : backend_(backend)
    , n_elements_(mesh.n_elements)
    , mean_(backend, communicator, mesh, settings.radius)
  {}

  void objective_sensitivities(const Array<double> &design, Array<double> &sensitivities) override
  {
    const auto &vectors = backend_.vector_operations<double>();
    vectors.multiply(n_elements_, design, sensitivities, sensitivities);
    mean_.apply(sensitivities, sensitivities);
    vectors.divide(n_elements_, sensitivities, design, sensitivities);
  }

private:
  Backend &backend_;
  std::size_t n_elements_;
  NeighbourhoodMean mean_;
};
} // namespace

/// `sensitivity`: Sigmund's filter of the sensitivities.
FilterEntry sensitivity_filter()
{
  return {"sensitivity",
          "Sigmund's sensitivity filter with cone weights",
          &make_filter<SensitivityFilter>};
}
} // namespace strut
