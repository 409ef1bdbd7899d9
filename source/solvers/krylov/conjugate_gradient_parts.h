// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/stopwatch.h"
#include "source/solvers/copy_vector.h"
#include "source/solvers/krylov/conjugate_gradient.h"

#include <type_traits>

// Parts that solves and their starts share.
namespace strut
{
/// Computes y = A x.
template <typename Low, typename Number>
void multiply(LinearOperator<Number> &A, Array<Low> &x, Array<Number> &y)
{
  if constexpr (std::is_same<Low, Number>::value)
    A.apply(x, y);
  else
    A.apply_to_float(x, y);
}

/// Measures one section of an iteration, and sums its times without waiting.
template <typename Number>
class ConjugateGradient<Number>::Section
{
public:
  Section(const Backend &backend, TimingTable &table, const std::string &name)
    : table_(table), name_(name), stopwatch_(backend.make_stopwatch())
  {}

  template <typename Work>
  void run(const Work &work)
  {
    stopwatch_->start();
    work();
    stopwatch_->pause();
    ++calls_;
  }

  /// Add the sum to the table, also after a failure. An error of the backend is left to the next
  /// caller.
  void report() noexcept
  {
    try
      {
        if (calls_ > 0)
          table_.add(name_, stopwatch_->take_sum(), calls_);
      }
    catch (...)
      {}
    calls_ = 0;
  }

private:
  TimingTable &table_;
  std::string name_;
  std::unique_ptr<Stopwatch> stopwatch_;
  unsigned int calls_ = 0;
};

template <typename Number>
template <typename Work>
auto ConjugateGradient<Number>::with_recursion(const LinearOperator<Number> &A,
                                               const Preconditioner<Number> &M,
                                               const Work &work)
{
  const std::size_t n = A.n_local();
  provide(r_, n);
  provide(q_, n);
  if constexpr (!std::is_same<Number, float>::value)
    if (A.takes_float() && M.gives_float())
      {
        own_ = {};
        provide(in_float_.p, n);
        if (in_float_.updates == nullptr)
          in_float_.updates = backend_.level_operations().make_mixed_krylov_updates();
        return work(in_float_);
      }
  in_float_ = {};
  provide(own_.p, n);
  if (own_.updates == nullptr)
    own_.updates = backend_.template vector_operations<Number>().make_krylov_updates();
  return work(own_);
}

template <typename Number>
template <typename Low>
void ConjugateGradient<Number>::provide(Array<Low> &vector, const std::size_t n)
{
  if (vector.size() != n)
    vector = Array<Low>(backend_.memory(), n);
}
} // namespace strut
