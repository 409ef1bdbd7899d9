// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/evolution.h"

#include <strut/optimization/maps/neighbourhood_mean.h>

#include <memory>
#include <vector>

namespace strut
{
/// Settings of BESO besides volume, filter radius and limit.
struct BesoSettings
{
  /// The state of an element without material.
  enum class Kill
  {
    soft, ///< the element has the density x_min
    hard  ///< the element is not part of the system
  };

  Kill kill              = Kill::soft;
  double evolution_rate  = 0.02; ///< ER: V_next = max(V*, (1 - ER) V)
  double most_added      = 0.05; ///< AR_max, of the volume to design
  double tolerance       = 1e-3; ///< tau, of the sums of C
  double minimum_density = 1e-3; ///< x_min of soft-kill
  double penalization    = 3.;   ///< p of soft-kill
  SolidElements keep     = SolidElements::at_loads;

  void declare(ParameterList &list);
};

/// Bi-directional evolutionary structural optimization (Huang and Xie 2009). An element has
/// material or none, and material goes where it is needed most.
///
///     x_e in {x_min, 1}, E_e = x_e^p; or {0, 1}, and elements of 0 are not part of the system
///     alpha_e = 1/2 sum_l w_l x_e^(p-1) u_le . K0_e u_le / v_e, then the mean over the neighbours
///     by volume, then (alpha + alpha of the design before) / 2
///     V_next = max(V*, (1 - ER) V); the elements of the largest alpha that hold this volume
///
/// A change may add at most AR_max of the volume. If it would add more, two thresholds of alpha are
/// used: one adds AR_max, the other removes V - V_next more than that. AR_max is halved where
/// designs alternate between two.
///
/// Members have broken where C V is more than a tenth above its least value. Then V_next = V, for
/// at most sixty designs of a run. Elements keep the alpha of a refused design if that is larger,
/// so that material that carries a load there stays.
///
/// A design has V_next to half an element; elements with the same alpha change together. The run
/// has converged when ten designs have V = V*, and the sums of C over the last five designs and the
/// five before differ by at most tau, relative.
class Beso : public Evolution
{
public:
  /// Columns of the history: the threshold of alpha that made this design; the volumes that were
  /// added and removed; and the number of refused designs before it. Volumes are shares of the
  /// volume to design.
  enum Column
  {
    threshold,
    added,
    removed,
    refused
  };

  /// @throws Error if the volume cannot be met
  Beso(const DesignContext &context, const BesoSettings &settings);

  static double memory_estimate(const MeshSize &size, double filter_radius);

  bool converged() const override;
  const std::vector<HistoryColumn> &columns() const override;

private:
  /// The change that led from the last design to this one.
  struct Change
  {
    double scheduled = 0.; ///< volume by the schedule
    double threshold = 0.;
    double added     = 0.;
    double removed   = 0.;
  };

  void begin_analysis() override;
  void add_load_case(double weight, const Array<double> &design) override;
  void on_accepted() override;
  void on_refused() override;
  /// Computes alpha from the last analysis.
  std::vector<double> measure() override;
  void change() override;
  /// Whether the volume of the schedule has reached the target.
  bool has_reached_volume() const override;
  std::string volume_step() const override;
  /// Whether members have broken, so that the next design has the volume of the last one.
  bool holds_volume() const;
  /// AR_max, halved for each two-cycle: a share of the volume to design.
  double largest_addition() const;
  /// Turns the `sum_` of an analysis into alpha, the mean over the neighbours.
  void take_sensitivities();

  /// One field of elements, alpha, and the numbers of this method.
  DesignState own_state() const override;
  void restore_own(const DesignState &state) override;

  BesoSettings settings_;
  Interpolation interpolation_;
  std::vector<double> volumes_;             ///< `[n_elements]`, on the host
  std::unique_ptr<NeighbourhoodMean> mean_; ///< null without a filter radius
  Array<double> volumes_on_backend_;
  Array<double> sum_, alpha_; ///< sum of an analysis, and alpha of this design after averaging

  Change change_;               ///< change that leads to the next design
  double base_      = 0.;       ///< volume from which the schedule goes on
  double scheduled_ = 0.;       ///< volume of the analysed design by the schedule
  double most_added_;           ///< share of the volume to design that a change may add
  std::size_t n_at_target_ = 0; ///< designs in a row that have the target volume
};
} // namespace strut
