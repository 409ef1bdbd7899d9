// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/solvers/krylov/preconditioner.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strut
{
/// The preconditioner of a stiffness operator, and those to fall back on, so that no run ends because
/// of its preconditioner: the one that was asked for, in double if it computed in float; the same, with more robust settings
/// (PreconditionerEntry); Jacobi's. One that was given up returns by begin_again() alone.
template <typename Number>
class PreconditionerSequence
{
public:
  /// @param matrix  that of the structure; must outlive this
  /// @param precision  mixed: begin in float, for Number = double; otherwise it does not matter
  PreconditionerSequence(Backend &backend,
                         const Communicator &communicator,
                         ElasticityOperator<Number> &matrix,
                         const Structure &structure,
                         const PreconditionerSettings &settings,
                         Precision precision);

  StiffnessPreconditioner<Number> &current();

  /// Whether the current one computes in float for vectors in double.
  bool in_float() const;

  /// The name of the one of now.
  const std::string &name() const;

  /// The title of the one that is used in place of the one that was asked for; empty while it is that one.
  std::string fallen_back_to() const;

  /// Whether there is something to fall back on.
  bool has_next() const;

  /// Follow the operator, whose factors, `[n_elements]`, were just set to `factors`; falls back where
  /// that fails. Throws SolverFailure. Collective.
  void update(const Array<double> &factors);

  /// What update() has begun is done, or it falls back: before an apply() of the current one whose SolverFailure nobody would catch.
  /// Throws SolverFailure. Collective.
  void finish();

  /// Give the current one up. Those that memory is short for are left out, on all ranks together, and so are those that do
  /// not go together with what the operator has now. The warning has all reasons since take_warnings().
  /// Throws SolverFailure, and Error where the last update() ended half-way. Collective.
  /// @param reason  for the warning
  void fall_back(const std::string &reason);

  /// Return to the one that was asked for, before the next update(). Collective.
  void begin_again();

  /// Warnings since the last call, in one line, empty if there are none; clears them.
  std::string take_warnings();

private:
  struct Choice
  {
    std::string title; ///< as in "TITLE from here on"
    PreconditionerSettings settings;
    MakePreconditioner<Number> make = nullptr;
    Precision precision             = Precision::fp64; ///< of its numbers
  };

  void make_current(const PreconditionerSettings &settings);
  double bytes(const PreconditionerSettings &settings) const;
  bool has_room_for(double bytes) const;
  std::optional<PreconditionerSettings> fitting_settings() const; ///< collective
  void follow(const Array<double> &factors);

  Backend &backend_;
  const Communicator communicator_;
  ElasticityOperator<Number> &matrix_;
  const Structure structure_;

  std::vector<Choice> choices_;
  std::size_t chosen_ = 0;
  std::unique_ptr<StiffnessPreconditioner<Number>> current_;
  /// Those of now, for the next choice, where the operator does not tell them; precise enough for a preconditioner.
  Array<float> factors_;
  std::string warnings_, reasons_; ///< of those that were given up since take_warnings()
};
} // namespace strut
