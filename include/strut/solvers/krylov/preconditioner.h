// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/memory_plan.h>
#include <strut/backend/stiffness.h>
#include <strut/base/parameter.h>
#include <strut/base/precision.h>
#include <strut/solvers/elasticity_operator.h>
#include <strut/solvers/structure.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strut
{
/// A preconditioner of the stiffness operator that is updated with its factors.
template <typename Number>
class StiffnessPreconditioner : public Preconditioner<Number>
{
public:
  /// Updates the preconditioner after the operator's factors, `[n_elements]`, were set to
  /// `factors`. Throws SolverFailure where that is not possible. Collective.
  virtual void update(ElasticityOperator<Number> &matrix, const Array<double> &factors) = 0;

  /// Completes update() for all work that is submitted from now on. Without this call apply()
  /// completes it, and throws instead. Each call throws SolverFailure if the update was not
  /// possible. Collective.
  virtual void finish()
  {}

  /// Lends a work vector. From now on each apply() and each update() may overwrite its entries, and
  /// the result of apply() may be written to it. It must live as long as there are such calls.
  virtual void lend(Array<Number> &)
  {}
};

/// The choice of a preconditioner, and its parameters.
struct PreconditionerSettings
{
  std::string name       = "jacobi"; ///< a name in preconditioners()
  ParameterValues values = {}; ///< parameters of the preconditioner that differ from their defaults
  bool deterministic     = false; ///< two runs give the same bits
};

template <typename Number>
using MakePreconditioner =
  std::unique_ptr<StiffnessPreconditioner<Number>> (*)(Backend &backend,
                                                       const Communicator &communicator,
                                                       const Structure &structure,
                                                       const PreconditionerSettings &settings);

/// The problem for which a preconditioner is to be made.
struct Surroundings
{
  const Communicator &communicator;
  const Structure &structure;
  Law law        = Law::factor;
  bool has_shift = false; ///< a diagonal matrix is added
};

/// A value of a parameter that is incompatible with a feature of the problem. The reference of the
/// parameters has the lists of all preconditioners.
struct Conflict
{
  std::string parameter;
  std::string value; ///< empty: any but the default
  std::string with;  ///< the incompatible feature, such as "hanging nodes"

  /// Returns the reason and the remedy in whole sentences; empty if the feature is absent.
  /// Collective.
  std::string (*reason)(const PreconditionerSettings &settings, const Surroundings &surroundings);
};

/// A parameter whose value is rejected.
struct RefusedParameter
{
  std::string name;
  std::string reason; ///< reason of the Conflict
};

/// A preconditioner's name in the deck, and functions that make one. Each preconditioner takes one
/// file and one line in preconditioners.cc.
struct PreconditionerEntry
{
  std::string name;
  std::string summary;
  std::string title; ///< title in the log line "TITLE from here on"

  MakePreconditioner<double> in_double = nullptr;
  MakePreconditioner<float> in_float   = nullptr; ///< null: none for displacements in float

  /// a version that computes in float; null: there is none.
  MakePreconditioner<double> mixed = nullptr;

  std::vector<Parameter> parameters = {};

  /// Whether the preconditioner is made from coarser meshes.
  bool needs_levels = false;

  /// Returns the reason why the preconditioner cannot be made for a structure, as the end of a
  /// sentence; empty if it can be made. Null: it always can. Collective.
  std::string (*obstacle)(const Communicator &communicator, const Structure &structure) = nullptr;

  std::vector<Conflict> conflicts = {};

  /// Returns a description for the log. Null: the name. Collective.
  std::string (*describe)(const Communicator &communicator, const Structure &structure) = nullptr;

  /// Estimated bytes per rank that it keeps on the backend. Precision::mixed: in float for
  /// residuals in double.
  double (*memory_estimate)(const PreconditionerSettings &settings,
                            Precision precision,
                            const StrategyLists &strategies,
                            const MeshSize &size) = nullptr;

  /// Whether a vector of StiffnessPreconditioner::lend(), one in double, replaces part of these
  /// bytes.
  bool takes_loan = false;

  /// Whether `mixed`, made for these settings, has Preconditioner::gives_float(). Null: it has not.
  bool (*gives_float)(const PreconditionerSettings &settings) = nullptr;

  /// Settings of slower but more robust versions, to be tried one after another if this one breaks
  /// down. Null: there are none. The titles precede "from here on". Collective.
  std::vector<std::pair<std::string, PreconditionerSettings>> (*more_robust)(
    const Communicator &communicator,
    const PreconditionerSettings &settings,
    const Structure &structure) = nullptr;
};

/// Throws Error for a value that belongs to no parameter of the entry or is not allowed.
void check_values(const PreconditionerSettings &settings);

/// The first conflict of the settings, which prevents the preconditioner. Collective.
std::optional<RefusedParameter> find_conflict(const PreconditionerSettings &settings,
                                              const Surroundings &surroundings);

/// All preconditioners, the better ones first.
const std::vector<PreconditionerEntry> &preconditioners();

/// Adds a preconditioner from outside of the core, behind the others and for the life of the
/// program; "auto" does not choose it. It must be called before a parameter file is read. Throws
/// Error if the name is taken.
void add_preconditioner(const PreconditionerEntry &preconditioner);

/// The preconditioner of this name.
///
/// @param name  a name in preconditioners(); throws Error with the list otherwise
const PreconditionerEntry &find_preconditioner(const std::string &name);

/// The preconditioner that was chosen for a request, and the reason.
struct PreconditionerChoice
{
  enum class Refusal
  {
    none,
    preconditioner, ///< the requested preconditioner cannot be made
    precision       ///< the preconditioner cannot be made for this precision
  };

  std::string name; ///< a name in preconditioners(); it can be made even if the request was refused
  std::string text; ///< a description for the log
  std::string
    obstacle; ///< reason why no better one, or not the requested one, was chosen; may be empty
  Refusal refusal = Refusal::none;
};

/// Chooses a preconditioner. "auto" takes the first built-in one that can be made for the structure
/// and the precision; the obstacle is then that of the first one that cannot. Throws Error for an
/// unknown name. Collective.
///
/// @param wanted  a name in preconditioners(), or "auto"
PreconditionerChoice choose_preconditioner(const std::string &wanted,
                                           Precision precision,
                                           const Communicator &communicator,
                                           const Structure &structure);
} // namespace strut
