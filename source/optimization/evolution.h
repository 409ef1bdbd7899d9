// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/nodal_fields.h"
#include "source/optimization/design_methods.h"
#include "source/optimization/load_nodes.h"
#include "source/optimization/load_path.h"
#include "source/optimization/problem/volume_constraint.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// Elements that no change of an evolution takes.
enum class SolidElements
{
  nothing,
  at_loads,
  at_loads_and_supports
};

/// Flags of the elements, which mark those that stay solid, and the volume of these over all ranks.
struct KeptElements
{
  std::vector<DesignFlag> flags;
  double volume = 0.;
};

/// Mark the elements at loads and supports as solid, as the deck asks. Collective.
/// @throws Error if they alone exceed the volume
KeptElements keep_elements(const DesignCheck &design, SolidElements wanted);

/// Declare the parameter of evolutions for these elements.
void declare_solid_elements(ParameterList &list, SolidElements &setting);

/// A method that begins with the whole body and changes it design by design. Unsound designs are
/// refused:
///
/// - The load path is lost, or the analysis fails.
/// - C is negative or more than ten times that of the design before.
/// - A load is parted from the supports, and C V shows that members have broken.
///
/// After a refusal the last sound design is changed again, by half as much. Sound designs let the
/// changes grow again. Where changes become too small to go on, the run ends with the last sound
/// design and says so.
///
/// A derived method defines how a design is changed, and what it needs from an analysis.
class Evolution : public DesignMethod
{
public:
  IterationRecord iterate() final;
  void complete_last() final;
  bool finished() const final;

  const std::vector<IterationRecord> &history() const final
  {
    return history_;
  }
  std::vector<double> analysed_densities() const final
  {
    return analysed_.to_host();
  }
  std::vector<double> analysed_stiffness() const final
  {
    return stiffness_.to_host();
  }
  std::string take_warnings() final
  {
    return std::exchange(warnings_, "");
  }
  DesignVerdict verdict() const final;

  /// State of the next design, the analysed one, and the fields of the method.
  DesignState state() const final;
  void restore(const DesignState &state, std::vector<IterationRecord> history) final;

protected:
  /// Begin with the whole body.
  /// @param interpolation  if it excludes the void, islands are removed, and loads must lead to
  ///   supports
  /// @param void_density  density of elements without material
  /// @param largest_change  share of the volume that the first change may take
  /// @param least_change  the run ends when a change may take no more
  /// @param solid  elements that no change takes
  /// @throws Error if the volume cannot be met
  Evolution(const DesignContext &context,
            const Interpolation &interpolation,
            double void_density,
            double largest_change,
            double least_change,
            SolidElements solid);

  /// Called when an analysis begins, and for each load case that was solved. Then `energies_` has
  /// -dJ_l/dE_e.
  virtual void begin_analysis()
  {}
  virtual void add_load_case(double, const Array<double> &)
  {}

  /// Called when the next design has become the analysed one, or was refused. After a refusal the
  /// next change may take at most half as much. `was_solved_` says whether all load cases of the
  /// design were added.
  virtual void on_accepted()
  {}
  virtual void on_refused()
  {}

  /// Prepare the change, after the analysis of a design and before it enters the history.
  /// @return the values of the columns except the last one, the number of refused changes
  virtual std::vector<double> measure() = 0;

  /// Find the next design and its material. It takes at most `largest_change_` of the material of
  /// the analysed design.
  virtual void change() = 0;

  virtual bool has_reached_volume() const = 0;
  /// Explains why a volume that counts as reached is not nearer to the target.
  virtual std::string volume_step() const
  {
    return "the elements are too large to come nearer";
  }


  /// State of the derived method: fields of elements, numbers and fields of nodes, which follow
  /// those of this class.
  virtual DesignState own_state() const              = 0;
  virtual void restore_own(const DesignState &state) = 0;

  static constexpr std::size_t n_fields = 2, n_numbers = 4; ///< sizes of the state of this class
  /// Members have broken where C V grows by a larger factor from its least value. It falls as
  /// material leaves that carries little, and stays constant where all material carries the same.
  static constexpr double most_growth_of_index = 1.1;
  /// Returns C V.
  static double index(const IterationRecord &record)
  {
    return record.objective * record.volume_fraction;
  }

  Backend &backend_;
  Communicator communicator_;
  TimingTable &timing_;
  StateSolver &state_;
  VolumeConstraint volume_;
  std::unique_ptr<NodalFields> fields_; ///< null without a load path, unless the method makes them
  std::unique_ptr<LoadPath> load_path_; ///< null if the void has stiffness
  KeptElements kept_;
  Array<DesignFlag> flags_;                              ///< kept elements are solid
  Array<double> next_, analysed_, stiffness_, energies_; ///< `[n_elements]`
  const double void_density_;
  double next_material_;      ///< material in design elements, over all ranks
  double material_ = 0.;      ///< material of the analysed design
  double largest_change_;     ///< share of the material that a change may take
  const double first_change_; ///< `largest_change_` as long as no change was refused
  bool ended_      = false;   ///< the run has ended with the last sound design
  bool was_solved_ = false;   ///< the last analysis was completed
  std::vector<IterationRecord> history_;

private:
  void warn(const std::string &text);
  std::string verdict_on_volume(bool misses) const;
  /// Whether members seem to have broken in a design that is not in the history yet.
  bool has_broken_members(const IterationRecord &record) const;
  /// Ratio of C V of the last design to its least value, and the design with the least value. The
  /// ratio is 1 with prescribed displacements.
  std::pair<double, unsigned int> growth_of_index() const;
  bool parts_load(const Array<double> &design) const;
  /// Add the compliance of a solved load case to the record, and its derivative to `energies_`.
  void add_compliance(std::size_t l, IterationRecord &record);
  /// Compute stiffness, displacements and compliance of a design.
  /// @return why it is not sound; empty if it is
  std::string analyse(Array<double> &design, IterationRecord &record);

  const ElementMesh &mesh_;
  LoadNodes load_nodes_;
  Interpolation interpolation_;
  bool loads_alone_ = false; ///< all prescribed displacements are zero, so C > 0
  double least_change_;
  unsigned int max_iterations_;
  std::string why_ended_;
  std::string warnings_;
};
} // namespace strut
