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

namespace strut::plugin
{
/// The entries at the top of the deck: where and how to compute.
class ComputeParameters : public dealii::ParameterAcceptor
{
public:
  ComputeParameters();

  std::vector<std::string> libraries; ///< were loaded before this was parsed
  std::string backend         = "auto";
  Precision precision         = StateSettings().precision;
  std::string strategy        = StateSettings().strategy;
  unsigned int n_threads      = 0;
  Communication communication = Communication::automatic;
  bool deterministic          = false;
  double memory_limit         = 0.;

  /// Hand the operators their own parameters: once the deck is parsed. Throws EntryError for values that an operator refuses.
  void set_strategies() const;

private:
  ValuesOfNames strategy_values_;
};

/// `Solver` in the deck.
class SolverParameters : public dealii::ParameterAcceptor
{
public:
  SolverParameters();

  /// Throws EntryError for values that make no sense.
  SolverControl control() const;

  /// As control(), and the rest. @param chosen  the preconditioner that comes of the wish
  StateSettings get(const ComputeParameters &compute, const std::string &chosen) const;

  std::string preconditioner = "auto";

  /// The preconditioner whose parameters are in `Solver` itself; those of others are in subsections.
  static constexpr char beside[] = "multigrid";

private:
  StateSettings settings_;
  ValuesOfNames preconditioner_values_;
};

/// `Optimization` in the deck.
class OptimizationParameters : public dealii::ParameterAcceptor
{
public:
  OptimizationParameters();

  /// Throws EntryError for values that make no sense.
  OptimizationSettings get() const;

  /// The maps between design and densities, of methods that have some. Throws EntryError if a filter is named, too.
  std::vector<std::string> maps() const;
  DesignChain
  make_map(Backend &backend, const Communicator &communicator, const ElementMesh &mesh) const;
  /// Throws Error as make_map() does, and where no design has the volume that was asked for. Filters by a radius, which take
  /// long on large meshes, are made only beside other maps or solid and void regions. Collective.
  void
  check_maps(Backend &backend, const Communicator &communicator, const ElementMesh &mesh) const;
  /// Bytes of maps and sensitivity filter on this rank. Collective.
  double map_memory_estimate(const Communicator &communicator,
                             const ElementMesh &mesh,
                             bool on_device) const;
  bool uses_filter_radius() const;

  using Constraints = std::vector<std::unique_ptr<ConstraintParameters>>;

  /// What is minimised under which constraints, without the responses. Throws EntryError for what the method or the update
  /// cannot solve.
  OptimizationProblem problem_without_responses(const Constraints &constraints,
                                                std::size_t n_load_cases = 1) const;

  /// The same with them.
  /// @param load_cases  their names, in order @param regions_in_words  gets the regions of the responses, for the log
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
  /// How many adjoint solutions a run keeps: one for each response with a second solve, each load case and each field.
  std::size_t n_adjoints(const Constraints &constraints, std::size_t n_load_cases) const;
  /// The most modes of vibration that a response asks for.
  std::size_t n_modes(const Constraints &constraints) const;
  /// Bytes of the update, of the volumes, of what responses keep, and of the functions but the first one.
  double update_memory_estimate(const Constraints &constraints,
                                std::size_t n_load_cases,
                                const ElementMesh &mesh) const;
  /// Sets of displacements that are kept: one for each field.
  std::size_t n_displacement_sets() const;

  /// The fields of a robust design. Throws EntryError where they do not go together with the rest.
  RobustFields robust_fields() const;
  /// Throws EntryError where the eroded field alone need not be the worst one under these loads.
  void check_fields(const std::vector<LoadCase> &load_cases, bool prescribes_displacements) const;
  /// Whether some of it follows from loads.
  bool needs_loads(const Constraints &constraints) const;
  /// The problem in lines for the log; empty for the compliance under the volume alone.
  std::string describe_problem(const Constraints &constraints) const;

  /// The design method that `context` says all about, but for the method's own parameters.
  std::unique_ptr<DesignMethod> make_method(const DesignContext &context) const;

  /// Throws Error if the design method could not begin.
  void check_method(const DesignCheck &design) const;
  /// Whether the method leaves elements without material out of the system.
  bool excludes_void() const;

  std::string method    = "simp";
  std::string objective = "compliance"; ///< a response, of 'Minimise' or of 'Maximise'
  double filter_radius  = 1.5;
  std::string initial_design; ///< a file; empty: uniform

private:
  /// Methods that take neither filter nor maps ignore the default and 'none'. Throws EntryError for anything else.
  void require_filter() const;
  /// Of the sensitivity filter; 0 without it.
  double sensitivity_radius() const;
  /// Throws EntryError if a design of the volume fraction is void.
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
} // namespace strut::plugin
