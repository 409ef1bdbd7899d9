// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "../base/context.h"

#include <strut/assembly/assembly_operations.h>

namespace strut::cuda
{
/// The matrix generation on one device.
class CudaAssemblyOperations : public AssemblyOperations
{
public:
  /// @param backend, context  of the same device; outlive this
  CudaAssemblyOperations(Backend &backend, const Context &context)
    : backend_(backend), context_(context)
  {}

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
  const Context &context_;
};
} // namespace strut::cuda
