// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/parameter_acceptor.h>

#include <strut/optimization/simp.h>
#include <strut/solvers/state_solver.h>

#include <map>
#include <string>
#include <vector>

namespace strut::plugin
{
/// The entries at the top of the deck: where and how to compute.
class ComputeParameters : public dealii::ParameterAcceptor
{
public:
  ComputeParameters();

  std::vector<std::string> libraries; ///< were loaded before this was parsed
  std::string backend    = "auto";
  std::string precision  = "double";
  std::string strategy   = "on_the_fly";
  unsigned int n_threads = 0;
  bool deterministic     = false;
  double memory_limit    = 0.;
};

/// `Solver` in the deck.
class SolverParameters : public dealii::ParameterAcceptor
{
public:
  SolverParameters();

  /// Throws EntryError for values that make no sense. The preconditioner is Jacobi's.
  StateSettings get(const std::string &strategy) const;

  std::string preconditioner = "auto";

private:
  std::string criterion_        = "relative";
  double tolerance_             = 1e-5;
  unsigned int max_iterations_  = 20000;
  std::string initial_guess_    = "previous";
  unsigned int smoothing_steps_ = 0;
  std::string coarse_operators_ = "rediscretised";
};

/// `Optimization` in the deck.
class OptimizationParameters : public dealii::ParameterAcceptor
{
public:
  OptimizationParameters();

  /// Throws EntryError for values that make no sense.
  SimpSettings get() const;

  /// What the filter is made with.
  FilterSettings filter_settings() const;

  std::string objective = "compliance";
  std::string filter    = "sensitivity";
  double filter_radius  = 1.5;

private:
  double volume_fraction_         = 0.3;
  bool count_non_design_          = true;
  std::string interpolation_      = "simp";
  double penalization_            = 3.;
  double minimum_density_         = 1e-2;
  double minimum_stiffness_       = 1e-9;
  double move_limit_              = 0.2;
  double damping_                 = 0.5;
  std::string stopping_criterion_ = "density change";
  double stopping_tolerance_      = 1e-2;
  unsigned int max_iterations_    = 50;

  std::map<std::string, std::map<std::string, double>> filter_values_; ///< filter, parameter
};

/// `Output` in the deck.
class OutputParameters : public dealii::ParameterAcceptor
{
public:
  OutputParameters();

  std::string directory;
  unsigned int results_every    = 0;
  unsigned int checkpoint_every = 10;
  bool von_mises                = false;
};
} // namespace strut::plugin
