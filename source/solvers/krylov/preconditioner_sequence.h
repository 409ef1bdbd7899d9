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
/// The preconditioner of a stiffness operator and its fallbacks, so that no run ends because of its
/// preconditioner. The fallbacks are the requested one in double if it computed in float; then
/// versions with more robust settings (PreconditionerEntry); then Jacobi's. A preconditioner that
/// was given up returns only by begin_again().
template <typename Number>
class PreconditionerSequence
{
public:
  /// @param matrix  operator of the structure; must outlive this object
  /// @param precision  mixed: begin in float, for Number = double; other values have no effect
  PreconditionerSequence(Backend &backend,
                         const Communicator &communicator,
                         ElasticityOperator<Number> &matrix,
                         const Structure &structure,
                         const PreconditionerSettings &settings,
                         Precision precision);

  StiffnessPreconditioner<Number> &current();

  /// Whether the current preconditioner computes in float for vectors in double.
  bool in_float() const;

  /// The name of the current preconditioner.
  const std::string &name() const;

  /// The title of the fallback in use; empty while it is the requested preconditioner.
  std::string fallen_back_to() const;

  /// Whether there is a further fallback.
  bool has_next() const;

  /// Updates the preconditioner after the operator's factors, `[n_elements]`, were set to
  /// `factors`; falls back where that fails. Throws SolverFailure. Collective.
  void update(const Array<double> &factors);

  /// Completes update(), or falls back. Call it before an apply() of the current preconditioner
  /// whose SolverFailure would not be caught. Throws SolverFailure. Collective.
  void finish();

  /// Gives up the current preconditioner. Fallbacks that do not fit into memory are skipped, on all
  /// ranks together, and so are those that conflict with the current state of the operator. The
  /// warning has all reasons since take_warnings(). Throws SolverFailure, and Error if the last
  /// update() failed half-way. Collective.
  ///
  /// @param reason  reason in the warning
  void fall_back(const std::string &reason);

  /// Returns a failure that also says which fallback is in use, and why.
  SolverFailure with_fallback(const SolverFailure &failure) const;

  /// Returns to the requested preconditioner, before the next update(). Collective.
  void begin_again();

  /// Returns the warnings since the last call, in one line, empty if there are none, and clears
  /// them.
  std::string take_warnings();

private:
  struct Choice
  {
    std::string title; ///< title in "TITLE from here on"
    PreconditionerSettings settings;
    MakePreconditioner<Number> make = nullptr;
    Precision precision             = Precision::fp64; ///< precision of its numbers
  };

  void make_current(const PreconditionerSettings &settings);
  double bytes(const PreconditionerSettings &settings) const;
  bool has_room_for(double bytes) const;
  std::optional<PreconditionerSettings> fitting_settings() const; ///< collective
  void follow(const Array<double> &factors);
  template <typename Step>
  std::optional<std::string> failure_of(const Step &step);

  Backend &backend_;
  const Communicator communicator_;
  ElasticityOperator<Number> &matrix_;
  const Structure structure_;

  std::vector<Choice> choices_;
  std::size_t chosen_ = 0;
  std::unique_ptr<StiffnessPreconditioner<Number>> current_;
  /// The current factors for the next choice, where the operator does not return them; float is
  /// precise enough for a preconditioner.
  Array<float> factors_;
  /// Reasons why preconditioners were given up since take_warnings().
  std::string warnings_, reasons_;
};
} // namespace strut
