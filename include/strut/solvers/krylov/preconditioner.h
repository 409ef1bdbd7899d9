// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/memory_plan.h>
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
/// A preconditioner of the stiffness operator that follows its factors.
template <typename Number>
class StiffnessPreconditioner : public Preconditioner<Number>
{
public:
  /// Follow the operator: its factors, `[n_elements]`, were just set to `factors`. Throws SolverFailure
  /// where it cannot. Collective.
  virtual void update(ElasticityOperator<Number> &matrix, const Array<double> &factors) = 0;

  /// What update() has begun is done before the work that is submitted from now on. Until then apply() waits for it, and throws in
  /// its place. Throws SolverFailure where the operator cannot be followed, with each call. Collective.
  virtual void finish()
  {}

  /// Lend it a vector to work in: from now on its entries are lost with each apply(), whose result may be written there,
  /// and with each update(). It must stay for as long as there are such calls.
  virtual void lend(Array<Number> &)
  {}
};

/// Which preconditioner, and how it is made.
struct PreconditionerSettings
{
  std::string name       = "jacobi"; ///< in preconditioners()
  ParameterValues values = {};       ///< of its parameters that differ from their defaults
  bool deterministic     = false;    ///< two runs give the same bits
};

template <typename Number>
using MakePreconditioner =
  std::unique_ptr<StiffnessPreconditioner<Number>> (*)(Backend &backend,
                                                       const Communicator &communicator,
                                                       const Structure &structure,
                                                       const PreconditionerSettings &settings);

/// What a preconditioner is to be made for.
struct Surroundings
{
  const Communicator &communicator;
  const Structure &structure;
  bool has_lame     = false; ///< Lame's parameters by element, in place of factors
  bool has_shift    = false; ///< a diagonal matrix is added
  bool has_tangents = false; ///< of points or elements, in place of factors
};

/// A value of a parameter that does not go together with something else. The lists of all preconditioners are in the
/// reference of the parameters.
struct Conflict
{
  std::string parameter;
  std::string value; ///< empty: any but the default
  std::string with;  ///< the other: "hanging nodes"

  /// Whole sentences, also those that say what to do; empty if the other is not there. Collective.
  std::string (*reason)(const PreconditionerSettings &settings, const Surroundings &surroundings);
};

/// A parameter whose value is refused.
struct RefusedParameter
{
  std::string name;
  std::string reason; ///< that of the Conflict
};

/// A preconditioner's name in the deck, and how to make one. One file and one line in preconditioners.cc
/// each.
struct PreconditionerEntry
{
  std::string name;
  std::string summary;
  std::string title; ///< as in "TITLE from here on", of the log

  MakePreconditioner<double> in_double = nullptr;
  MakePreconditioner<float> in_float   = nullptr; ///< null: not for displacements in float
  MakePreconditioner<double> mixed     = nullptr; ///< that computes in float; null: there is none

  std::vector<Parameter> parameters = {};

  /// Whether it is made from coarser meshes.
  bool needs_levels = false;

  /// Why there can be none for a structure, as the end of a sentence; empty if there can be one. Null: there
  /// always can. Collective.
  std::string (*obstacle)(const Communicator &communicator, const Structure &structure) = nullptr;

  std::vector<Conflict> conflicts = {};

  /// A description for the log. Null: the name. Collective.
  std::string (*describe)(const Communicator &communicator, const Structure &structure) = nullptr;

  /// Bytes that it will keep on the backend, about, per rank. Precision::mixed: in float for residuals in double.
  double (*memory_estimate)(const PreconditionerSettings &settings,
                            Precision precision,
                            const StrategyLists &strategies,
                            const MeshSize &size) = nullptr;

  /// Whether so much of that is in a vector of StiffnessPreconditioner::lend(), one in double.
  bool takes_loan = false;

  /// Whether `mixed`, made for these settings, is a Preconditioner::gives_float(). Null: it is not.
  bool (*gives_float)(const PreconditionerSettings &settings) = nullptr;

  /// The same with other parameters, slower but surer, one after another: for runs in which this one breaks
  /// down. Null: there are none. The title follows "from here on". Collective.
  std::vector<std::pair<std::string, PreconditionerSettings>> (*more_robust)(
    const Communicator &communicator,
    const PreconditionerSettings &settings,
    const Structure &structure) = nullptr;
};

/// Throws Error for a value of no parameter of the entry, or one that is not allowed.
void check_values(const PreconditionerSettings &settings);

/// The first conflict of the settings: the preconditioner cannot be made then. Collective.
std::optional<RefusedParameter> find_conflict(const PreconditionerSettings &settings,
                                              const Surroundings &surroundings);

/// All of them, the better ones first.
const std::vector<PreconditionerEntry> &preconditioners();

/// One more preconditioner, from outside of the core: after the others, for the life of the program, before
/// a parameter file is read; "auto" does not choose it. Throws Error if the name is taken.
void add_preconditioner(const PreconditionerEntry &preconditioner);

/// @param name  a name in preconditioners(); throws Error with the list otherwise
const PreconditionerEntry &find_preconditioner(const std::string &name);

/// The preconditioner that a solver gets for a wish, and the reason.
struct PreconditionerChoice
{
  enum class Refusal
  {
    none,
    preconditioner, ///< the one that was asked for cannot be made
    precision       ///< it cannot be made for this precision
  };

  std::string name; ///< in preconditioners(); one that can be made, also if the wish was refused
  std::string text; ///< a description for the log
  std::string
    obstacle; ///< why it is no better one, or not the one that was asked for; may be empty
  Refusal refusal = Refusal::none;
};

/// @param wanted  a name in preconditioners(), or "auto": the first of the built-in ones that can be made for the
/// structure and the precision; the obstacle is that of the first one that cannot. Throws Error for another name.
/// Collective.
PreconditionerChoice choose_preconditioner(const std::string &wanted,
                                           Precision precision,
                                           const Communicator &communicator,
                                           const Structure &structure);
} // namespace strut
