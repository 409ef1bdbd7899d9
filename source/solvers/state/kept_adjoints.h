// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/solvers/state/state_solver.h>

#include <algorithm>
#include <map>
#include <optional>
#include <type_traits>
#include <vector>

namespace strut
{
/// A vector of a backend on the host.
template <typename Number>
std::vector<double> to_doubles(const Array<Number> &x)
{
  std::vector<Number> values = x.to_host();
  if constexpr (std::is_same_v<Number, double>)
    return values;
  else
    return {values.begin(), values.end()};
}

/// Of adjoint solves: they decide on derivatives alone, see doc/theory.md, section 4. The absolute criterion knows no such size.
inline double adjoint_tolerance(const SolverControl &control)
{
  constexpr double factor = 10., most = 1e-3;
  return control.criterion == SolverControl::Criterion::relative
           ? std::max(control.tolerance, std::min(factor * control.tolerance, most))
           : control.tolerance;
}

/// The adjoint solutions that a StateSolver begins the next ones with, by the numbers of select_adjoint().
template <typename Number>
class KeptAdjoints
{
public:
  struct Solution
  {
    Array<Number> last,
      before; ///< `[3 * n_nodes]`; before: that before it, where solves extrapolate
  };

  KeptAdjoints(Backend &backend, const std::size_t n_dofs, const InitialGuess guess)
    : backend_(backend), n_dofs_(n_dofs), guess_(guess)
  {}

  void select(const std::size_t number)
  {
    if (guess_ != InitialGuess::zero)
      selected_ = number;
  }

  /// The selected one, zero if it is new, and none is selected any more; null if none was.
  Solution *take_selected()
  {
    Solution *const found = selected_.has_value() ? &solution(*selected_) : nullptr;
    selected_.reset();
    return found;
  }

  /// That before a solution; null unless solves extrapolate. The same on all ranks, those without nodes included.
  Array<Number> *before(Solution &of_number) const
  {
    return guess_ == InitialGuess::extrapolated ? &of_number.before : nullptr;
  }

  std::vector<KeptAdjoint> all() const
  {
    std::vector<KeptAdjoint> all;
    for (const auto &[number, of_number] : solutions_)
      all.push_back(
        {number,
         to_doubles(of_number.last),
         of_number.before.empty() ? std::vector<double>() : to_doubles(of_number.before)});
    return all;
  }

  void set(const KeptAdjoint &adjoint)
  {
    if (guess_ == InitialGuess::zero)
      return;
    Solution &of_number = solution(adjoint.number);
    of_number.last.copy_from_host(std::vector<Number>(adjoint.last.begin(), adjoint.last.end()));
    if (!of_number.before.empty() && !adjoint.before.empty())
      of_number.before.copy_from_host(
        std::vector<Number>(adjoint.before.begin(), adjoint.before.end()));
  }

private:
  Solution &solution(const std::size_t number)
  {
    Solution &of_number = solutions_[number];
    if (of_number.last.empty())
      {
        of_number.last = Array<Number>(backend_.memory(), n_dofs_);
        if (guess_ == InitialGuess::extrapolated)
          of_number.before = Array<Number>(backend_.memory(), n_dofs_);
      }
    return of_number;
  }

  Backend &backend_;
  std::size_t n_dofs_;
  InitialGuess guess_;
  std::map<std::size_t, Solution> solutions_;
  std::optional<std::size_t> selected_;
};
} // namespace strut
