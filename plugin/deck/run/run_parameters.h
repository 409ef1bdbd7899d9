// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/parameter_acceptor.h>

#include <strut/solvers/state/state_solver.h>

#include <memory>
#include <string>
#include <vector>

#include "plugin/deck/parameters/named_choice.h"
#include "plugin/deck/problem/problem.h"
#include "plugin/deck/run/constraint_parameters.h"
#include "source/optimization/design_methods.h"
#include "source/optimization/updates/design_update.h"

namespace strut
{
/// The entries at the top of the deck: where and how to compute.
class ComputeParameters : public dealii::ParameterAcceptor
{
public:
  ComputeParameters();

  std::vector<std::string> libraries; ///< loaded before this was parsed
  std::string backend         = "auto";
  Precision precision         = StateSettings().precision;
  std::string strategy        = StateSettings().strategy;
  unsigned int n_threads      = 0;
  Communication communication = Communication::automatic;
  bool deterministic          = false;
  double memory_limit         = 0.;

  /// Passes the parameters of the operators to them, once the deck is parsed. Throws EntryError for
  /// values that an operator refuses.
  void set_strategies() const;

private:
  ValuesOfNames strategy_values_;
};

/// The subsection `Solver` of the deck.
class SolverParameters : public dealii::ParameterAcceptor
{
public:
  SolverParameters();

  /// Returns the control of the solver. Throws EntryError for values that make no sense.
  SolverControl control() const;

  /// Returns all settings, with the errors of control().
  /// @param chosen  preconditioner that was chosen for the wish of the deck
  StateSettings get(const ComputeParameters &compute, const std::string &chosen) const;

  std::string preconditioner = "auto";

  /// The preconditioner whose parameters are in `Solver` itself; others have subsections.
  static constexpr char beside[] = "multigrid";

private:
  StateSettings settings_;
  ValuesOfNames preconditioner_values_;
};

/// The subsection `Optimization` of the deck.
class OptimizationParameters : public dealii::ParameterAcceptor
{
public:
  OptimizationParameters();

  /// Returns the settings. Throws EntryError for values that make no sense.
  OptimizationSettings get() const;

  /// Names of the maps between design and densities, for methods with maps. Throws EntryError if
  /// the deck names a filter, too.
  std::vector<std::string> maps() const;
  /// Whether a map of this name is among maps().
  bool has_map(const std::string &name) const;
  DesignChain
  make_map(Backend &backend, const Communicator &communicator, const ElementMesh &mesh) const;
  /// Throws Error as make_map() does, and if no design has the required volume. Filters by a radius
  /// take long on large meshes. They are made only with other maps or with solid and void regions.
  /// Collective.
  void
  check_maps(Backend &backend, const Communicator &communicator, const ElementMesh &mesh) const;
  /// Bytes of maps and sensitivity filter on this rank, and of the weights of a method's own
  /// filter. Collective.
  double map_memory_estimate(const Communicator &communicator,
                             const ElementMesh &mesh,
                             bool on_device) const;
  bool uses_filter_radius() const;
  bool uses_filter_weights() const;

  using Constraints = std::vector<std::unique_ptr<ConstraintParameters>>;

  /// Returns objective and constraints without the responses. Throws EntryError for a problem that
  /// the method or the update cannot solve.
  OptimizationProblem problem_without_responses(const Constraints &constraints,
                                                std::size_t n_load_cases = 1) const;

  /// Returns objective and constraints with the responses.
  /// @param load_cases  names in order
  /// @param regions_in_words  gets the regions of the responses, for the log
  OptimizationProblem make_problem(const Constraints &constraints,
                                   Backend &backend,
                                   const Problem &structure,
                                   MPI_Comm communicator,
                                   const std::vector<std::string> &load_cases,
                                   std::string *regions_in_words = nullptr) const;

  bool maximises() const
  {
    return maximised_ != "none";
  }
  bool minimises_worst_case() const
  {
    return over_ == DesignFunction::Over::worst;
  }
  /// Number of adjoint solutions that a run keeps: one for each response with a second solve, each
  /// load case and each field.
  std::size_t n_adjoints(const Constraints &constraints, std::size_t n_load_cases) const;
  /// The largest number of vibration modes that a response asks for.
  std::size_t n_modes(const Constraints &constraints) const;
  /// Whether a response counts modes that change their sign at planes of symmetry.
  bool counts_all_modes(const Constraints &constraints) const;
  /// Bytes of the update, the volumes, the data that responses keep, and all functions except the
  /// first one.
  double update_memory_estimate(const Constraints &constraints,
                                std::size_t n_load_cases,
                                const ElementMesh &mesh) const;
  /// Number of sets of displacements that are kept: one for each field.
  std::size_t n_displacement_sets() const;

  /// The fields of a robust design. Throws EntryError if they contradict other entries.
  RobustFields robust_fields() const;
  /// Throws EntryError if only the eroded field is analysed, and another field may be the worst one
  /// under these loads.
  void check_fields(const std::vector<LoadCase> &load_cases, bool prescribes_displacements) const;
  /// Whether the objective or a constraint depends on loads.
  bool needs_loads(const Constraints &constraints) const;
  /// The problem as lines for the log; empty for the compliance with a limit of the volume alone.
  std::string describe_problem(const Constraints &constraints) const;

  /// Makes the design method. @param context  everything except the parameters of the method
  std::unique_ptr<DesignMethod> make_method(const DesignContext &context) const;

  /// Throws Error if the design method could not begin.
  void check_method(const DesignCheck &design) const;
  /// Whether the method removes elements without material from the system.
  bool excludes_void() const;

  std::string method    = "simp";
  std::string objective = "compliance"; ///< a response, of 'Minimise' or 'Maximise'
  double filter_radius  = 1.5;
  std::string initial_design; ///< a file; empty: uniform

private:
  /// Throws EntryError for a filter other than the default or 'none' if the method uses neither
  /// filter nor maps.
  void require_filter() const;
  /// Settings of the maps, without the values of their own entries.
  MapSettings settings_of_maps() const;
  /// Radius of the sensitivity filter; 0 without it.
  double sensitivity_radius() const;
  /// Throws EntryError if a design with the volume fraction is void.
  void require_material() const;

  static constexpr char default_filter[] = "sensitivity";
  std::string filter_                    = default_filter;
  std::vector<std::string> maps_;
  OptimizationSettings settings_;
  std::string interpolation_ = "simp";
  std::string maximised_     = "none";
  DesignFunction::Over over_ = DesignFunction::Over::sum;

  ValuesOfNames method_values_, map_values_, response_values_, update_values_, robust_values_;
};
} // namespace strut
