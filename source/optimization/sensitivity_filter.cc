// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "sensitivity_filter.h"

#include <strut/parallel/halo_exchange.h>
#include <strut/parallel/neighbourhood_halo.h>

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
                    const double radius)
    : backend_(backend), n_elements_(mesh.n_elements), has_ghosts_(communicator.size() > 1)
  {
    const NeighbourhoodHalo halo =
      NeighbourhoodHalo::build(communicator, mesh.centres, n_elements_, radius);
    halo_ = std::make_unique<HaloExchange<double>>(backend, communicator, halo.pattern, 1);
    sum_  = backend.make_neighbourhood_sum(CellGrid::build(halo.points, halo.n_points, radius),
                                          n_elements_);
    if (has_ghosts_)
      with_ghosts_ = Array<double>(backend.memory(), halo.n_points);
  }

  void objective_sensitivities(const Array<double> &design, Array<double> &sensitivities) override
  {
    const auto &vectors   = backend_.vector_operations<double>();
    Array<double> &values = has_ghosts_ ? with_ghosts_ : sensitivities;
    vectors.multiply(n_elements_, design, sensitivities, values);
    halo_->update_ghosts(values);
    sum_->mean(values, sensitivities);
    vectors.divide(n_elements_, sensitivities, design, sensitivities);
  }

private:
  Backend &backend_;
  std::size_t n_elements_;
  bool has_ghosts_; ///< on some rank
  std::unique_ptr<HaloExchange<double>> halo_;
  std::unique_ptr<NeighbourhoodSum> sum_;
  Array<double> with_ghosts_; ///< only if there are some
};
} // namespace

FilterEntry sensitivity_filter()
{
  return {"sensitivity",
          "Sigmund's sensitivity filter with cone weights",
          [](Backend &backend,
             const Communicator &communicator,
             const ElementMesh &mesh,
             const double radius) -> std::unique_ptr<Filter> {
            return std::make_unique<SensitivityFilter>(backend, communicator, mesh, radius);
          }};
}
} // namespace strut
