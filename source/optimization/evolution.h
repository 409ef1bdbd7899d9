// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/nodal_fields.h"
#include "source/optimization/design_methods.h"
#include "source/optimization/kept_elements.h"
#include "source/optimization/load_nodes.h"
#include "source/optimization/load_path.h"
#include "source/optimization/problem/volume_constraint.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// A method that begins with the whole body and changes it design by design, with a guard: a design
/// that loses the load path, whose analysis fails, or in which C is more than tenfold or negative,
/// is refused. So is one that parts a load from the supports, where C V says that members have
/// broken. The last sound design is changed again, by half as much; sound designs let the changes
/// grow again. Where changes have become too small to go on, the run ends with that design and says
/// so.
///
/// A method says how a design is changed, and what it needs of an analysis for that.
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

  /// The next design, the analysed one, and what the method adds.
  DesignState state() const final;
  void restore(const DesignState &state, std::vector<IterationRecord> history) final;

protected:
  /// @param interpolation  if it excludes the void, islands are taken away, and loads must lead to
  ///   supports
  /// @param void_density  of elements without material
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

  /// An analysis begins; one of its load cases is solved, and `energies_` has -dJ_l/dE_e.
  virtual void begin_analysis()
  {}
  virtual void add_load_case(double, const Array<double> &)
  {}

  /// The next design has become the analysed one; or was refused, and the next change shall take at
  /// most half as much. `was_solved_` says whether all its load cases were added.
  virtual void on_accepted()
  {}
  virtual void on_refused()
  {}

  /// After the analysis of a design, before it is in the history: prepare the change.
  /// @return the values of the columns,
  /// but for the last one, which is the number of refused changes
  virtual std::vector<double> measure() = 0;

  /// Find the next design, which takes at most `largest_change_` of the material of the analysed
  /// one, and its material.
  virtual void change() = 0;

  virtual bool has_reached_volume() const = 0;
  /// Why a volume that counts as reached is none nearer.
  virtual std::string volume_step() const
  {
    return "the elements are too large to come nearer";
  }


  /// The method's part of the state: fields of elements, numbers, fields of nodes; behind those of
  /// this class.
  virtual DesignState own_state() const              = 0;
  virtual void restore_own(const DesignState &state) = 0;

  static constexpr std::size_t n_fields = 2, n_numbers = 4; ///< of this class
  /// Where C V grows from its least value by more, members break.
  static constexpr double most_growth_of_index = 1.1;
  /// C V
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
  double next_material_;      ///< in design elements, over all ranks
  double material_ = 0.;      ///< of the analysed design
  double largest_change_;     ///< share of the material that a change may take
  const double first_change_; ///< the same as long as none was refused
  bool ended_      = false;   ///< with the last sound design
  bool was_solved_ = false;   ///< the last analysis came to its end
  std::vector<IterationRecord> history_;

private:
  void warn(const std::string &text);
  std::string verdict_on_volume(bool misses) const;
  /// Whether members seem to have broken in a design that is not in the history yet.
  bool has_broken_members(const IterationRecord &record) const;
  /// C V of the last design by its least value, and the design that has that; 1 with prescribed
  /// displacements.
  std::pair<double, unsigned int> growth_of_index() const;
  bool parts_load(const Array<double> &design) const;
  /// The record gets the compliance of a load case that was solved, and `energies_` its derivative.
  void add_compliance(std::size_t l, IterationRecord &record);
  /// Stiffness, displacements and compliance of a design.
  /// @return why it is not sound; empty if it is
  std::string analyse(Array<double> &design, IterationRecord &record);

  const ElementMesh &mesh_;
  LoadNodes load_nodes_;
  Interpolation interpolation_;
  bool loads_alone_ = false; ///< no displacement is prescribed but zero: C > 0
  double least_change_;
  unsigned int max_iterations_;
  std::string why_ended_;
  std::string warnings_;
};

/// A number for a message: a few digits.
std::string text_of(double value);
} // namespace strut
