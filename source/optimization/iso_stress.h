// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/nodal_fields.h"
#include "source/optimization/design_methods.h"
#include "source/optimization/load_path.h"
#include "source/optimization/volume_constraint.h"

#include <strut/parallel/halo_exchange.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// Settings of the evolution by iso-surfaces besides volume and limit.
struct IsoStressSettings
{
  /// How the level of the next cut is found.
  enum class LevelRule
  {
    volume,               ///< the one that leaves the next volume of a schedule
    redistribution_factor ///< a factor times the largest stress
  };
  /// Elements that stay solid.
  enum class Keep
  {
    nothing,
    at_loads,
    at_loads_and_supports
  };

  LevelRule rule        = LevelRule::volume;
  double evolution_rate = 0.03; ///< ER: V_next = max(V_T, (1 - ER) V)
  double first_factor   = 1e-3; ///< RF_0
  double factor_step    = 1e-3; ///< dRF
  double steady_volume  = 1e-2; ///< dV: RF grows once |V_next - V| / V is below
  double tolerance      = 1e-3; ///< eps of the performance index
  bool averages =
    true; ///< cut at the mean of the stress and that of the designs before: no cycles of two
  Keep keep = Keep::at_loads;
  bool includes_outside =
    false; ///< elements without material stay in the system, with the weak stiffness
  double weak_stiffness = 1e-6; ///< Delta, relative to the solid
};

/// Evolution by iso-surfaces of the von Mises stress (Martinez-Frutos and Herrero-Perez 2017): after each
/// analysis the surface on which the stress is at a level becomes the boundary of the next design.
///
///     xi_e = share of element e in which the stress is at least the level     (iso_cell.h)
///     E_e  = xi_e + Delta (1 - xi_e), or 0 where xi_e = 0 and the outside is excluded
///     stress at a node = von Mises of the mean of E_e sigma_e over the elements around it;
///     the largest of sqrt(w_l) times it over the load cases l: the same whether a load is doubled or its
///     weight is multiplied by four
///     cut at s_i = (s_(i-1) + stress) / 2, or at the stress itself
///
/// The performance index is PI = 1 / (C V). Converged: V <= V_T, and |PI_i - PI_(i-1)| <= eps PI_i.
///
/// A cut that loses the load path, whose analysis fails, or after which C is more than tenfold, is
/// refused: the last sound design is cut again, by half as much. Where cuts have become too small to go
/// on, the run ends with that design and says so.
class IsoStress : public DesignMethod
{
public:
  /// Its columns(): level of the cut that made this design; RF, level by largest stress; largest stress in
  /// this design; cuts that were refused before it.
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

  IterationRecord iterate() override;
  void complete_last() override;
  bool finished() const override;
  bool converged() const override;

  const std::vector<IterationRecord> &history() const override
  {
    return history_;
  }
  const std::vector<HistoryColumn> &columns() const override;

  /// The shares xi.
  std::vector<double> analysed_densities() const override
  {
    return analysed_.to_host();
  }
  std::vector<double> analysed_stiffness() const override
  {
    return stiffness_.to_host();
  }

  /// `[n_nodes]`, of the analysed design.
  std::vector<double> nodal_stress() const
  {
    return stress_.to_host();
  }

  /// Two fields of elements, the next design and the analysed one; one of nodes, where it is cut.
  DesignState state() const override;
  void restore(const DesignState &state, std::vector<IterationRecord> history) override;

  std::string take_warnings() override
  {
    return std::exchange(warnings_, "");
  }
  std::string verdict() const override;

private:
  /// A design on the way: what an analysis found, and by which cut it came.
  struct Analysis
  {
    std::string obstacle; ///< empty if the design is sound
    std::vector<double> case_objectives;
    double objective               = 0.;
    unsigned int solver_iterations = 0;
    double residual                = 0.;
  };

  void warn(const std::string &text);
  /// Stiffness, displacements and compliance of a design; islands are taken out of it.
  Analysis analyse(Array<double> &design);
  /// The stress of the last analysis, and the field that is cut. @return the largest stress over all ranks
  double find_stress();
  /// The next design, its level and volume.
  void cut();
  /// Volume of material in what is a design element by the deck, over all ranks.
  double volume_above(double level) const;
  double level_for(double volume, double largest) const;
  double compliance_limit() const;

  Backend &backend_;
  Communicator communicator_;
  TimingTable &timing_;
  StateSolver &state_;
  Objective &objective_;
  IsoStressSettings settings_;
  unsigned int max_iterations_;
  std::size_t n_owned_nodes_;
  VolumeConstraint volume_;
  double kept_ = 0.; ///< volume of the design elements that stay solid

  std::unique_ptr<NodalFields> fields_;
  HaloExchange<double> sums_halo_, node_halo_;
  LoadPath load_path_;
  Array<DesignFlag> flags_; ///< with the elements that stay solid
  Array<std::uint8_t> mirrors_;
  Array<double> next_, analysed_, stiffness_; ///< `[n_elements]`
  Array<double> energies_;                    ///< `[n_elements]`
  Array<double> sums_, stress_, to_cut_;      ///< by node

  // Of the next design.
  double level_ = 0., factor_ = 0., next_material_ = 0.;
  double largest_cut_; ///< share of the volume that a cut may take
  bool ended_ = false; ///< with the last sound design
  std::string why_ended_;

  double material_ = 0.; ///< of the analysed design, in design elements
  std::string warnings_;
  std::vector<IterationRecord> history_;
};
} // namespace strut
