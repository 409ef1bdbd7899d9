// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/evolution.h"
#include <strut/parallel/halo_exchange.h>

#include <vector>

namespace strut
{
/// Settings of the evolution by iso-surfaces, besides volume and iteration limit.
struct IsoStressSettings
{
  /// Rule for the level of the next cut.
  enum class LevelRule
  {
    volume,               ///< the level that leaves the next volume of a schedule
    redistribution_factor ///< a factor times the largest stress
  };
  using Keep = SolidElements;

  LevelRule rule        = LevelRule::volume;
  double evolution_rate = 0.03; ///< ER: V_next = max(V_T, (1 - ER) V)
  double first_factor   = 1e-3; ///< RF_0
  double factor_step    = 1e-3; ///< dRF
  double steady_volume  = 1e-2; ///< dV: RF grows once |V_next - V| / V is below it
  double tolerance      = 1e-3; ///< eps of the performance index
  /// Cut at the mean of the stress and of the earlier designs' field, to avoid two-cycles.
  bool averages = true;
  Keep keep     = Keep::at_loads;
  /// Elements without material stay in the system, with the weak stiffness.
  bool includes_outside = false;
  double weak_stiffness = 1e-6; ///< Delta, relative to the solid

  void declare(ParameterList &list);
};

/// Evolution by iso-surfaces of the von Mises stress (Martinez-Frutos and Herrero-Perez 2017).
/// After each analysis, the surface on which the stress equals a level becomes the boundary of the
/// next design.
///
///     xi_e = share of element e in which the stress is at least the level     (iso_cell.h)
///     E_e  = xi_e + Delta (1 - xi_e), or 0 where xi_e = 0 and the outside is excluded
///     stress at a node = von Mises of the mean of E_e sigma_e over the elements around it,
///                        the largest of sqrt(w_l) times it over the load cases l
///     cut at s_i = s_(i-1) + w (stress - s_(i-1)), w = 1/2, or w = 1 without averages,
///                  halved for each two-cycle
///
/// By the root, doubling a load has the same effect as multiplying its weight by four.
///
/// Where members break, C V grows by more than a tenth. The level is then held until C V has fallen
/// again, or until neither C V nor V changes any more. Meanwhile material returns where the stress
/// is above the level, and members merge.
///
/// The performance index is PI = 1 / (C V). The run has converged when V <= V_T and |PI_i -
/// PI_(i-1)| <= eps PI_i.
class IsoStress : public Evolution
{
public:
  /// Columns of the history: the level of the cut that made this design; RF, the level over the
  /// largest stress; the largest stress; the number of refused cuts.
  enum Column
  {
    level,
    factor,
    largest_stress,
    refused
  };

  /// @throws Error if the volume cannot be met
  IsoStress(const DesignContext &context, const IsoStressSettings &settings);

  static double memory_estimate(const MeshSize &size);

  bool converged() const override;
  const std::vector<HistoryColumn> &columns() const override;

  /// Stress at the nodes of the analysed design, `[n_nodes]`.
  std::vector<double> nodal_stress() const
  {
    return stress_.to_host();
  }

private:
  /// Compute the stress of the last analysis, and the field that is cut.
  std::vector<double> measure() override;
  /// Cut the field at the next level.
  void change() override;
  bool has_reached_volume() const override;

  /// State of this method. The numbers are the level, the factor, the least index, whether the
  /// level is held, and how often it was. The field of nodes is the one that is cut.
  DesignState own_state() const override;
  void restore_own(const DesignState &state) override;

  bool by_factor() const
  {
    return settings_.rule == IsoStressSettings::LevelRule::redistribution_factor;
  }
  /// Volume of the material above a level in design elements of the deck, over all ranks.
  double volume_above(double level) const;
  double level_for(double volume, double largest) const;
  /// Weight of the last stress in the mean that is cut: a half, or one without averages. It is
  /// halved for each two-cycle of designs with the volume of the last one.
  double weight_of_last() const;
  /// Decide from the last design whether the next cut is at the same level.
  void look_for_broken_members();

  IsoStressSettings settings_;
  std::size_t n_owned_nodes_;
  HaloExchange<double> sums_halo_, node_halo_;
  Array<std::uint8_t> mirrors_;
  Array<double> sums_, stress_, to_cut_; ///< `[n_nodes]` each
  double level_ = 0., factor_ = 0.;      ///< level and factor of the next design
  bool holds_level_     = false;         ///< the next cut is at the same level
  std::size_t judged_   = 0;             ///< number of designs in the history when that was decided
  unsigned int n_holds_ = 0;
  /// C V of the best design since a level was last held; 0 if there is none.
  double least_index_ = 0.;
};
} // namespace strut
