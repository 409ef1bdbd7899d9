// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/assembly/assembly_operations.h>

namespace strut::cpu
{
/// The matrix generation on OpenMP threads: the reference of the other backends, and the comparator.
class CpuAssemblyOperations : public AssemblyOperations
{
public:
  /// @param backend  outlives this
  explicit CpuAssemblyOperations(Backend &backend) : backend_(backend)
  {}

  /// `sort` makes no difference: each thread sorts the rows of its nodes.
  NeighbourMatrix find_neighbours(const ConnectivityArrays &connectivity,
                                  NeighbourSort sort,
                                  StageReport *report) const override;

  SparsePattern make_pattern(const NeighbourMatrix &neighbours,
                             MatrixFormat format,
                             int dofs_per_node,
                             StageReport *report) const override;

private:
  std::unique_ptr<ValueStage<double>> get_value_stage(NumberTag<double>,
                                                      const ValueProblem &problem) const override;
  std::unique_ptr<ValueStage<float>> get_value_stage(NumberTag<float>,
                                                     const ValueProblem &problem) const override;

  Backend &backend_;
};
} // namespace strut::cpu
