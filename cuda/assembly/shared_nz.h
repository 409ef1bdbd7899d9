// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"
#include "source/assembly/value_stage.h"

namespace strut::cuda
{
/// Assembly by non-zeros: SharedNZ of Cecka, Lew and Darve (2011), for comparison. Consecutive
/// nodes make a group, as many as their elements' matrices fit into the shared memory of a block of
/// threads. The block integrates all of them, then each thread sums one non-zero after the other.
/// There are no atomics and no intermediate storage. Elements at the border of groups are
/// integrated in each of them.
template <typename Number>
class SharedNz
{
public:
  /// Make the groups and the lists of contributions, on the host.
  /// @throws Error if the elements of one node do not fit, with the numbers
  SharedNz(const Context &context, Memory &memory, const ValueProblem &problem);

  /// Compute values = sum_e E_e K0_e.
  void assemble(const double *factors, Number *values) const;

  double memory_bytes() const;

private:
  const Context &context_;
  const ValueProblem problem_;
  std::size_t shared_bytes_ = 0;
  std::size_t n_groups_     = 0;

  Array<LocalIndex> first_node_;            ///< `[n_groups + 1]`
  Array<std::uint64_t> first_element_;      ///< `[n_groups + 1]`, indices into `elements_`
  Array<LocalIndex> elements_;              ///< elements of each group
  Array<LocalIndex> rows_;                  ///< node of each pair of neighbours, `[n_pairs]`
  Array<std::uint64_t> first_contribution_; ///< `[n_pairs + 1]`
  Array<std::uint32_t> contributions_;      ///< 2 (block in shared memory) + (1 if transposed)
};
} // namespace strut::cuda
