// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/nodal_fields.h"
#include "source/optimization/design_methods.h"
#include "source/optimization/load_path.h"
#include "source/optimization/volume_constraint.h"

#include <strut/optimization/neighbourhood_mean.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// Settings of BESO besides volume, filter radius and limit.
struct BesoSettings
{
  /// The state of an element without material.
  enum class Kill
  {
    soft, ///< it has x_min
    hard  ///< it is not part of the system
  };

  Kill kill              = Kill::soft;
  double evolution_rate  = 0.02; ///< ER: V_next = max(V*, (1 - ER) V)
  double most_added      = 0.05; ///< AR_max, of the volume to design
  double tolerance       = 1e-3; ///< tau, of the sums of C
  double minimum_density = 1e-3; ///< x_min of soft-kill
  double penalization    = 3.;   ///< p of soft-kill
};

/// Bi-directional evolutionary structural optimization (Huang and Xie 2009): an element has material or none, and
/// material goes where it is needed most.
///
///     x_e in {x_min, 1}, E_e = x_e^p; or {0, 1}, and elements of 0 are not part of the system
///     alpha_e = 1/2 sum_l w_l x_e^(p-1) u_le . K0_e u_le / v_e, then the mean over the neighbours,
///     then (alpha + alpha of the design before) / 2
///     V_next = max(V*, (1 - ER) V); the elements of the largest alpha that hold this volume
///
/// If more than AR_max of the volume would be added, as much is added and V - V_next more is taken away than that:
/// two thresholds. A design has V_next to half an element; elements with the same alpha go together.
/// Converged: ten designs have V = V*, and the sums of C over the last five and the five before differ by no more
/// than tau, relative.
///
/// A design that loses the load path, whose analysis fails, or in which C is more than tenfold, is refused: the
/// last sound design is changed again, by half as much. Where changes have become too small to go on, the run ends
/// with that design and says so.
class Beso : public DesignMethod
{
public:
  /// Its columns(): threshold of alpha by which this design came; volume added and taken away by that, shares of the
  /// volume to design; designs that were refused before it.
  enum Column
  {
    threshold,
    added,
    removed,
    refused
  };

  /// @throws Error if the volume cannot be met
  Beso(const DesignContext &context, const BesoSettings &settings);

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

  std::vector<double> analysed_densities() const override
  {
    return analysed_.to_host();
  }
  std::vector<double> analysed_stiffness() const override
  {
    return stiffness_.to_host();
  }

  /// Three fields of elements: the next design, the analysed one, alpha.
  DesignState state() const override;
  void restore(const DesignState &state, std::vector<IterationRecord> history) override;

  std::string take_warnings() override
  {
    return std::exchange(warnings_, "");
  }
  std::string verdict() const override;

private:
  /// The result of an analysis.
  struct Analysis
  {
    std::string obstacle; ///< empty if the design is sound
    std::vector<double> case_objectives;
    double objective               = 0.;
    unsigned int solver_iterations = 0;
    double residual                = 0.;
  };

  /// How a design came from the one before it.
  struct Change
  {
    double scheduled = 0.; ///< volume
    double material  = 0.; ///< what it is, in design elements
    double threshold = 0.;
    double added     = 0.;
    double removed   = 0.;
  };

  bool is_hard() const
  {
    return settings_.kill == BesoSettings::Kill::hard;
  }
  bool is_at_target() const; ///< the analysed design
  void warn(const std::string &text);
  /// Stiffness, displacements, compliance and energies of a design; hard-kill takes islands out of it.
  Analysis analyse(Array<double> &design);
  /// alpha of the last analysis.
  void find_numbers();
  /// The next design.
  void change();

  Backend &backend_;
  Communicator communicator_;
  TimingTable &timing_;
  StateSolver &state_;
  Objective &objective_;
  BesoSettings settings_;
  Interpolation interpolation_;
  double void_density_;
  unsigned int max_iterations_;
  VolumeConstraint volume_;
  std::vector<DesignFlag> flags_;
  std::vector<double> volumes_;

  std::unique_ptr<NeighbourhoodMean> mean_; ///< none without a radius
  std::unique_ptr<NodalFields> fields_;     ///< hard-kill only, as is the load path
  std::unique_ptr<LoadPath> load_path_;
  Array<DesignFlag> flags_on_backend_;
  Array<double> volumes_on_backend_;
  Array<double> next_, analysed_, stiffness_; ///< `[n_elements]`
  Array<double> energies_, sum_, alpha_; ///< of a load case; alpha of this design, and on the mean

  Change change_;                   ///< to the next design
  double base_             = 0.;    ///< volume from which the schedule goes on
  double scheduled_        = 0.;    ///< volume of the analysed design by the schedule
  double material_         = 0.;    ///< what it is
  double largest_cut_      = 0.;    ///< share of the volume that a change may take
  double most_added_       = 0.;    ///< share of the volume to design that a change may add
  std::size_t n_at_target_ = 0;     ///< designs in a row that have the volume
  bool ended_              = false; ///< with the last sound design
  std::string why_ended_;
  std::string warnings_;
  std::vector<IterationRecord> history_;
};
} // namespace strut
