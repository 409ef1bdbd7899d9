// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/solvers/preconditioner_sequence.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace strut
{
template <typename Number>
PreconditionerSequence<Number>::PreconditionerSequence(Backend &backend,
                                                       const Communicator &communicator,
                                                       ElasticityOperator<Number> &matrix)
  : backend_(backend), communicator_(communicator), matrix_(matrix)
{
  Choice jacobi;
  jacobi.name      = "Jacobi's preconditioner";
  jacobi.multigrid = false;
  choices_.push_back(jacobi);
  current_ = make(jacobi);
}

template <typename Number>
PreconditionerSequence<Number>::PreconditionerSequence(Backend &backend,
                                                       const Communicator &communicator,
                                                       ElasticityOperator<Number> &matrix,
                                                       const ElementMesh &mesh,
                                                       const MeshHierarchy &coarser,
                                                       const Material &material,
                                                       const MultigridSettings &settings,
                                                       const bool mixed)
  : PreconditionerSequence(backend, communicator, matrix)
{
  mesh_     = &mesh;
  coarser_  = &coarser;
  material_ = material;

  Choice choice;
  choice.settings = settings;
  std::vector<Choice> choices;
  if (mixed && std::is_same<Number, double>::value)
    {
      choice.in_float = true;
      choices.push_back(choice);
      choice.in_float = false;
    }
  choice.name = "Multigrid cycles in double";
  choices.push_back(choice);
  if (settings.coarse_operators != CoarseOperators::galerkin)
    {
      choice.name                      = "Multigrid with Galerkin's coarse operators";
      choice.settings.coarse_operators = CoarseOperators::galerkin;
      choices.push_back(choice);
    }
  choice.settings.smoothing_steps = std::max(12u, 2 * settings.smoothing_steps);
  choice.name =
    "Multigrid with " + std::to_string(choice.settings.smoothing_steps) + " smoothing steps";
  choices.push_back(choice);
  choices_.insert(choices_.begin(), choices.begin(), choices.end());
  current_ = make(choices_.front());
  factors_ = Array<float>(backend.memory(), mesh.n_elements);
}

template <typename Number>
std::unique_ptr<StiffnessPreconditioner<Number>>
PreconditionerSequence<Number>::make(const Choice &choice) const
{
  if (!choice.multigrid)
    return make_jacobi_preconditioner<Number>(backend_);
  if constexpr (std::is_same<Number, double>::value)
    if (choice.in_float)
      return make_multigrid_preconditioner<double, float>(
        backend_, communicator_, *mesh_, *coarser_, material_, choice.settings);
  return make_multigrid_preconditioner<Number, Number>(
    backend_, communicator_, *mesh_, *coarser_, material_, choice.settings);
}

template <typename Number>
StiffnessPreconditioner<Number> &PreconditionerSequence<Number>::current()
{
  return *current_;
}

template <typename Number>
bool PreconditionerSequence<Number>::in_float() const
{
  return choices_[chosen_].in_float;
}

template <typename Number>
bool PreconditionerSequence<Number>::has_next() const
{
  return chosen_ + 1 < choices_.size();
}

template <typename Number>
std::string PreconditionerSequence<Number>::take_warnings()
{
  return std::exchange(warnings_, "");
}

template <typename Number>
void PreconditionerSequence<Number>::update(const Array<double> &factors)
{
  if (!factors_.empty())
    backend_.level_operations().convert(factors.size(), factors, factors_);
  follow(factors);
}

template <typename Number>
void PreconditionerSequence<Number>::follow(const Array<double> &factors)
{
  std::string reason;
  try
    {
      return current_->update(matrix_, factors);
    }
  catch (const SolverFailure &failure) // on all ranks
    {
      if (!has_next())
        throw;
      reason = failure.reason;
    }
  fall_back(reason);
}

template <typename Number>
void PreconditionerSequence<Number>::fall_back(const std::string &reason)
{
  const bool was_in_float = in_float();
  Array<double> factors;
  current_ = nullptr;
  while (current_ == nullptr)
    {
      if (!has_next())
        throw SolverFailure("No preconditioner is left to fall back on. The last one: " + reason,
                            Remedy::check_supports);
      const Choice &choice = choices_[++chosen_];
      if (choice.multigrid && !has_room_for(choice))
        continue;
      try
        {
          current_ = make(choice);
          if (choice.multigrid)
            factors = Array<double>(backend_.memory(), factors_.size());
        }
      catch (const OutOfMemory &)
        {
          current_ = nullptr;
          if (communicator_.size() > 1 || !has_next()) // alone: programs end all ranks
            throw;
        }
    }
  warnings_ =
    choices_[chosen_].name + " from here on: " + (was_in_float ? "in float, " : "") + reason;
  if (choices_[chosen_].multigrid)
    backend_.level_operations().convert(factors.size(), factors_, factors);
  else
    factors_ = Array<float>();
  follow(factors);
}

/// Bytes that multigrid takes, about.
template <typename Number>
double PreconditionerSequence<Number>::bytes(const Choice &choice) const
{
  const auto estimate = [&](auto number) {
    using Cycle = decltype(number);
    return multigrid_memory_estimate(find_strategy<Cycle>(backend_, choice.settings.strategy),
                                     choice.settings.coarse_operators,
                                     mesh_->n_elements,
                                     mesh_->n_nodes);
  };
  return choice.in_float ? estimate(1.f) : estimate(Number(1));
}

/// To make the levels is collective: a rank that runs out of memory there leaves the others waiting. So
/// all take what they will need, and let go of it again.
template <typename Number>
bool PreconditionerSequence<Number>::has_room_for(const Choice &choice) const
{
  communicator_.any(false); // all have given back what they had
  bool fits = true;
  Array<std::uint8_t> room; // let go of behind the sum: ranks may share a GPU
  try
    {
      room = Array<std::uint8_t>(backend_.memory(),
                                 static_cast<std::size_t>(bytes(choice)) +
                                   mesh_->n_elements * sizeof(double));
    }
  catch (const OutOfMemory &)
    {
      fits = false;
    }
  return !communicator_.any(!fits);
}

template class PreconditionerSequence<double>;
template class PreconditionerSequence<float>;
} // namespace strut
