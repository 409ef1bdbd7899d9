// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"
#include "source/assembly/value_stage.h"

namespace strut::cuda
{
/// Collects stored element matrices, a node at a time, without atomics and without search.
template <typename Number>
class Gather
{
public:
  /// Make the collector.
  /// @throws Error if a node has more neighbours than 16 bits count
  Gather(const Context &context, Memory &memory, const ValueProblem &problem);

  /// Find the places of the nodes of each element in the rows of the others. Call it once, before
  /// assemble().
  void find_places();

  /// Compute values = sum_e E_e K0_e.
  /// @param matrices  element-major (MatrixStrides)
  void assemble(const Number *matrices, const double *factors, Number *values) const;

  const Array<std::uint16_t> &slots() const
  {
    return slots_;
  }

private:
  const Context &context_;
  const ValueProblem problem_;
  Array<std::uint16_t> slots_; ///< `[n_incidences][npe]`, in the order of the element lists
};
} // namespace strut::cuda
