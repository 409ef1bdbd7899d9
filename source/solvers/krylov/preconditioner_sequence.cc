// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/krylov/preconditioner_sequence.h"
#include "source/backend/multigrid_operations.h"
#include "source/base/trial_allocation.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace strut
{
namespace
{
bool are_equal(const ParameterValues &one, const ParameterValues &other)
{
  return std::equal(
    one.begin(), one.end(), other.begin(), other.end(), [](const auto &a, const auto &b) {
      return a.first == b.first && a.second.text() == b.second.text();
    });
}
} // namespace

template <typename Number>
PreconditionerSequence<Number>::PreconditionerSequence(Backend &backend,
                                                       const Communicator &communicator,
                                                       ElasticityOperator<Number> &matrix,
                                                       const Structure &structure,
                                                       const PreconditionerSettings &settings,
                                                       const Precision precision)
  : backend_(backend), communicator_(communicator), matrix_(matrix), structure_(structure)
{
  const auto add = [&](const PreconditionerEntry &entry, const PreconditionerSettings &wanted) {
    Choice choice;
    check_values(wanted);
    choice.settings = wanted;
    if constexpr (std::is_same<Number, float>::value)
      {
        choice.make      = entry.in_float;
        choice.precision = Precision::fp32;
      }
    else
      choice.make = entry.in_double;
    if (choice.make == nullptr)
      throw Error("The preconditioner '" + entry.name + "' is not made for displacements in " +
                  to_string(choice.precision) + ".");
    choice.title = entry.title + (choice.precision == Precision::fp64 ? " in double" : "");
    choices_.push_back(choice);
  };
  const PreconditionerEntry &entry = find_preconditioner(settings.name);
  add(entry, settings);
  if constexpr (std::is_same<Number, double>::value)
    if (precision == Precision::mixed)
      {
        if (entry.mixed == nullptr)
          throw Error("The preconditioner '" + entry.name + "' has no variant for mixed precision.",
                      Remedy::use_multigrid_or_double);
        choices_.insert(choices_.begin(), choices_.front());
        choices_.front().make      = entry.mixed;
        choices_.front().precision = Precision::fp32;
      }
  if (entry.more_robust != nullptr)
    for (const auto &[title, more_robust] :
         entry.more_robust(communicator_, choices_.back().settings, structure))
      {
        add(entry, more_robust);
        choices_.back().title = title;
      }
  if (entry.name != "jacobi")
    {
      const PreconditionerEntry &jacobi = find_preconditioner("jacobi");
      add(jacobi, {jacobi.name});
      choices_.back().title = jacobi.title;
    }
  make_current(choices_.front().settings);
}

template <typename Number>
void PreconditionerSequence<Number>::make_current(const PreconditionerSettings &settings)
{
  current_ = choices_[chosen_].make(backend_, communicator_, structure_, settings);
}

template <typename Number>
StiffnessPreconditioner<Number> &PreconditionerSequence<Number>::current()
{
  return *current_;
}

template <typename Number>
bool PreconditionerSequence<Number>::in_float() const
{
  return std::is_same<Number, double>::value && choices_[chosen_].precision == Precision::fp32;
}

template <typename Number>
const std::string &PreconditionerSequence<Number>::name() const
{
  return choices_[chosen_].settings.name;
}

template <typename Number>
std::string PreconditionerSequence<Number>::fallen_back_to() const
{
  return chosen_ == 0 ? "" : choices_[chosen_].title;
}

template <typename Number>
bool PreconditionerSequence<Number>::has_next() const
{
  return chosen_ + 1 < choices_.size();
}

template <typename Number>
std::string PreconditionerSequence<Number>::take_warnings()
{
  reasons_.clear();
  return std::exchange(warnings_, "");
}

template <typename Number>
void PreconditionerSequence<Number>::update(const Array<double> &factors)
{
  if (!has_next() || matrix_.tells_factors())
    factors_ = Array<float>();
  else
    {
      if (factors_.size() != factors.size())
        factors_ = Array<float>(backend_.memory(), factors.size());
      backend_.level_operations().convert(factors.size(), factors, factors_);
    }
  follow(factors);
}

/// Takes a step of the current preconditioner. Returns why it failed if there is a next one.
template <typename Number>
template <typename Step>
std::optional<std::string> PreconditionerSequence<Number>::failure_of(const Step &step)
{
  try
    {
      step();
    }
  catch (const SolverFailure &failure) // The failure is thrown on all ranks.
    {
      if (!has_next())
        throw;
      return failure.reason;
    }
  return std::nullopt;
}

template <typename Number>
void PreconditionerSequence<Number>::follow(const Array<double> &factors)
{
  if (const auto reason = failure_of([&]() { current_->update(matrix_, factors); }))
    fall_back(*reason);
}

template <typename Number>
void PreconditionerSequence<Number>::finish()
{
  while (const auto reason = failure_of([&]() { current_->finish(); }))
    fall_back(*reason);
}

/// Returns the settings of the chosen preconditioner without those that do not fit the operator,
/// such as Galerkin's operators with tangents. Returns none if the result equals an earlier choice.
template <typename Number>
std::optional<PreconditionerSettings> PreconditionerSequence<Number>::fitting_settings() const
{
  const Surroundings here{communicator_, structure_, matrix_.law(), matrix_.has_shift()};
  PreconditionerSettings settings = choices_[chosen_].settings;
  while (const auto refused = find_conflict(settings, here))
    {
      const auto is_the_same = [&](const Choice &before) {
        return before.settings.name == settings.name &&
               are_equal(before.settings.values, settings.values);
      };
      if (settings.values.erase(refused->name) == 0 ||
          std::any_of(choices_.begin(),
                      choices_.begin() + static_cast<std::ptrdiff_t>(chosen_),
                      is_the_same))
        return std::nullopt;
    }
  return settings;
}

template <typename Number>
void PreconditionerSequence<Number>::fall_back(const std::string &reason)
{
  if (has_next() && !matrix_.tells_factors() &&
      communicator_.any(factors_.size() != structure_.mesh.n_elements))
    throw Error(
      "A preconditioner failed, and there are no stiffness factors for another one: the operator has changed, and no update "
      "of the preconditioner has come to its end since.\n  Update it, or set the stiffness again.");
  if (!reasons_.empty())
    reasons_ += "; " + choices_[chosen_].title + ": ";
  reasons_ += (in_float() ? "in float, " : "") + reason;
  Array<double> factors;
  current_ = nullptr;
  while (current_ == nullptr)
    {
      if (!has_next())
        throw SolverFailure("No preconditioner is left to fall back on. The last one: " + reason,
                            Remedy::check_supports);
      ++chosen_;
      const std::optional<PreconditionerSettings> settings = fitting_settings();
      if (!settings)
        continue;
      const double needed = bytes(*settings); // A rank without elements needs 0 bytes.
      if (has_next() && communicator_.any(needed > 0.) && !has_room_for(needed))
        continue;
      try
        {
          make_current(*settings);
          if (has_next()) // The last one, Jacobi's, takes the diagonal of the operator.
            factors = Array<double>(backend_.memory(), structure_.mesh.n_elements);
        }
      catch (const OutOfMemory &)
        {
          current_ = nullptr;
          // With several ranks the exception ends all of them.
          if (communicator_.size() > 1 || !has_next())
            throw;
        }
    }
  warnings_ = choices_[chosen_].title + " from here on: " + reasons_;
  if (!has_next())
    factors_ = Array<float>();
  else if (matrix_.tells_factors())
    matrix_.factors(factors);
  else
    backend_.level_operations().convert(factors.size(), factors_, factors);
  follow(factors);
}

template <typename Number>
SolverFailure PreconditionerSequence<Number>::with_fallback(const SolverFailure &failure) const
{
  if (chosen_ == 0)
    return failure;
  const std::string fallback =
    warnings_.empty() ? choices_[chosen_].title + " had taken the place of other preconditioners"
                      : warnings_;
  return SolverFailure(failure.reason + "\n  " + fallback, failure.remedy, failure.at_limit);
}

template <typename Number>
void PreconditionerSequence<Number>::begin_again()
{
  if (chosen_ == 0)
    return;
  chosen_  = 0;
  current_ = nullptr;
  make_current(choices_.front().settings);
}

/// Estimates the bytes of the chosen preconditioner with these settings.
template <typename Number>
double PreconditionerSequence<Number>::bytes(const PreconditionerSettings &settings) const
{
  const PreconditionerEntry &entry = find_preconditioner(settings.name);
  if (entry.memory_estimate == nullptr)
    return 0.;
  MeshSize size = size_of(communicator_, structure_, !backend_.memory().is_host());
  if (matrix_.law() != Law::factor)
    size.layout = matrix_.layout();
  return entry.memory_estimate(settings,
                               in_float() ? Precision::mixed : choices_[chosen_].precision,
                               {backend_.strategies<double>(), backend_.strategies<float>()},
                               size);
}

/// Whether all ranks have enough memory. Making a preconditioner is collective, so a rank that runs
/// out of memory would leave the others waiting. Therefore all allocate the memory that they will
/// need, and free it again.
template <typename Number>
bool PreconditionerSequence<Number>::has_room_for(const double bytes) const
{
  communicator_.any(false); // All ranks have freed their memory here.
  const std::size_t all =
    static_cast<std::size_t>(bytes) + structure_.mesh.n_elements * sizeof(double);
  return !communicator_.any(try_allocation(communicator_, backend_.memory(), all).has_value());
}

template class PreconditionerSequence<double>;
template class PreconditionerSequence<float>;
} // namespace strut
