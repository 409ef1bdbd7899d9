// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/solvers/state/state_solver.h>

#include <map>
#include <optional>
#include <type_traits>
#include <vector>

#include "source/backend/to_host.h"
#include "source/solvers/krylov/packed_vector.h"

namespace strut
{
/// Copies a vector of a backend to the host.
/// @param memory  memory of the backend
template <typename Number>
std::vector<double> to_doubles(Memory &memory, const Array<Number> &x)
{
  std::vector<Number> values = to_host(memory, x);
  if constexpr (std::is_same_v<Number, double>)
    return values;
  else
    return {values.begin(), values.end()};
}

template <typename Number>
PackedValues to_host(Memory &memory, const PackedVector<Number> &x)
{
  return {x.unit(), to_host(memory, x.multiples())};
}

/// The adjoint solutions from which a StateSolver begins the next ones, by the numbers of
/// select_adjoint(): `[3 * n_nodes]` each. Numbers are the same on all ranks, including those
/// without nodes.
template <typename Number>
class KeptAdjoints
{
public:
  KeptAdjoints(Backend &backend, const std::size_t n_dofs, const InitialGuess guess)
    : backend_(backend), n_dofs_(n_dofs), keeps_(guess != InitialGuess::zero)
  {}

  void select(const std::size_t number)
  {
    if (keeps_)
      selected_ = number;
  }

  /// Returns the selected solution, zero if it is new, and clears the selection. Null if none was
  /// selected.
  Array<Number> *take_selected()
  {
    Array<Number> *const found = selected_.has_value() ? &solution(*selected_) : nullptr;
    selected_.reset();
    return found;
  }

  std::vector<std::size_t> numbers() const
  {
    std::vector<std::size_t> numbers;
    for (const auto &[number, of_number] : solutions_)
      numbers.push_back(number);
    return numbers;
  }

  std::vector<double> get(const std::size_t number) const
  {
    return to_doubles(backend_.memory(), solutions_.at(number));
  }

  void set(const std::size_t number, const std::vector<double> &values)
  {
    if (keeps_)
      solution(number).copy_from_host(std::vector<Number>(values.begin(), values.end()));
  }

private:
  Array<Number> &solution(const std::size_t number)
  {
    Array<Number> &of_number = solutions_[number];
    if (of_number.empty())
      of_number = Array<Number>(backend_.memory(), n_dofs_);
    return of_number;
  }

  Backend &backend_;
  std::size_t n_dofs_;
  bool keeps_;
  std::map<std::size_t, Array<Number>> solutions_;
  std::optional<std::size_t> selected_;
};
} // namespace strut
