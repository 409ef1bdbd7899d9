// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/optimization/maps/neighbourhood_mean.h>

namespace strut
{
/// Sigmund's sensitivity filter (Sigmund 1997; Sigmund and Petersson 1998), for densities rho that
/// are the design variables:
///
///     dJ_e <- v_e sum_i w_ei rho_i dJ_i / (rho_e sum_i w_ei v_i),   w_ei = max(0, R - |x_e - x_i|)
///
/// with the volumes v, or with 1 in their place (FilterWeights). With volumes, a uniform dJ_e / v_e
/// stays uniform on any mesh where rho_e is uniform.
///
/// The result is not the gradient of a function; optimality criteria use it in place of one.
class SensitivityFilter
{
public:
  /// Collective.
  /// @param radius  R, in length units of the mesh
  SensitivityFilter(Backend &backend,
                    const Communicator &communicator,
                    const ElementMesh &mesh,
                    const double radius,
                    const FilterWeights weights = FilterWeights::volume)
    : backend_(backend), mean_(backend, communicator, mesh, radius, weights)
  {}

  /// Estimated bytes that the filter keeps on the backend. Collective.
  static double memory_estimate(const Communicator &communicator,
                                const ElementMesh &mesh,
                                const FilterWeights weights,
                                const bool on_device)
  {
    return NeighbourhoodMean::memory_estimate(communicator,
                                              mesh,
                                              weights,
                                              on_device,
                                              /*is_lent_work*/ true);
  }

  /// Filter sensitivities in place; arrays are `[n_elements]`. Collective.
  /// @param work  overwritten; null if the filter shall keep such an array of its own
  void apply(const Array<double> &design,
             Array<double> &sensitivities,
             Array<double> *const work = nullptr)
  {
    const auto &vectors = backend_.vector_operations<double>();
    vectors.multiply(design.size(), design, sensitivities, sensitivities);
    mean_.apply_to_integrals(sensitivities, sensitivities, work);
    vectors.divide(design.size(), sensitivities, design, sensitivities);
  }

private:
  Backend &backend_;
  NeighbourhoodMean mean_;
};
} // namespace strut
