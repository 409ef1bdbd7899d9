// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/stiffness_operator_preconditioner.h>

#include <utility>

#include "plugin/application/stiffness_operator_implementation.h"
#include "plugin/base/attempt.h"

namespace strut
{
template <typename Number>
auto StiffnessOperator<Number>::preconditioner() const -> Preconditioner
{
  Implementation &there = contents();
  attempt_together(there.communicator, [&]() { there.require_unchanged(); });
  there.make_preconditioner();
  return Preconditioner(implementation_);
}

template <typename Number>
StiffnessOperator<Number>::Preconditioner::Preconditioner(
  std::shared_ptr<Implementation> implementation)
  : implementation_(std::move(implementation))
{}

template <typename Number>
StiffnessOperator<Number>::Preconditioner::Preconditioner() = default;

template <typename Number>
StiffnessOperator<Number>::Preconditioner::Preconditioner(const Preconditioner &other)
  : compat::Subscriptor(), implementation_(other.implementation_)
{}

template <typename Number>
auto StiffnessOperator<Number>::Preconditioner::operator=(const Preconditioner &other)
  -> Preconditioner &
{
  implementation_ = other.implementation_; // keeps observers that point to this object
  return *this;
}

template <typename Number>
void StiffnessOperator<Number>::Preconditioner::initialize(const StiffnessOperator &matrix)
{
  clear(); // frees the old contents, which may be large
  *this = matrix.preconditioner();
}

template <typename Number>
void StiffnessOperator<Number>::Preconditioner::clear()
{
  implementation_.reset();
}

template <typename Number>
auto StiffnessOperator<Number>::Preconditioner::contents() const -> Implementation &
{
  if (implementation_ == nullptr)
    throw Error(
      "The preconditioner of a StiffnessOperator is empty.\n  Call initialize(matrix) before.");
  return *implementation_;
}

template <typename Number>
auto StiffnessOperator<Number>::Preconditioner::m() const -> size_type
{
  return contents().n_dofs;
}

template <typename Number>
auto StiffnessOperator<Number>::Preconditioner::n() const -> size_type
{
  return contents().n_dofs;
}

template <typename Number>
std::string StiffnessOperator<Number>::Preconditioner::name() const
{
  return contents().preconditioner_name();
}

template <typename Number>
void StiffnessOperator<Number>::Preconditioner::apply(const OwnedEntries<Number> &dst,
                                                      const OwnedEntries<Number> &src) const
{
  contents().precondition(dst, src);
}

template class StiffnessOperator<double>::Preconditioner;
template class StiffnessOperator<float>::Preconditioner;
template StiffnessOperator<double>::Preconditioner
StiffnessOperator<double>::preconditioner() const;
template StiffnessOperator<float>::Preconditioner StiffnessOperator<float>::preconditioner() const;
} // namespace strut
