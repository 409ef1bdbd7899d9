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
    : backend_(backend), n_elements_(mesh.n_elements)
  {
    const NeighbourhoodHalo halo =
      NeighbourhoodHalo::build(communicator, mesh.centres, n_elements_, radius);
    halo_ = std::make_unique<HaloExchange<double>>(backend, communicator, halo.pattern, 1);
    sum_  = backend.make_neighbourhood_sum(CellGrid::build(halo.points, halo.n_points, radius),
                                          n_elements_);
    with_ghosts_ = Array<double>(backend.memory(), halo.n_points);

    // The sums of the weights never change.
    weights_ = Array<double>(backend.memory(), n_elements_);
    backend.vector_operations<double>().fill(halo.n_points, 1., with_ghosts_);
    sum_->apply(with_ghosts_, weights_);
  }

  void compliance_sensitivities(const Array<double> &design, Array<double> &sensitivities) override
  {
    const auto &vectors = backend_.vector_operations<double>();
    vectors.multiply(n_elements_, design, sensitivities, with_ghosts_);
    halo_->update_ghosts(with_ghosts_);
    sum_->apply(with_ghosts_, sensitivities);
    vectors.divide(n_elements_, sensitivities, weights_, sensitivities);
    vectors.divide(n_elements_, sensitivities, design, sensitivities);
  }

private:
  Backend &backend_;
  std::size_t n_elements_;
  std::unique_ptr<HaloExchange<double>> halo_;
  std::unique_ptr<NeighbourhoodSum> sum_;
  Array<double> weights_;
  Array<double> with_ghosts_;
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
