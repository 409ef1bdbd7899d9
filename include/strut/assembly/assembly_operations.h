// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/assembly/value_stage.h>
#include <strut/backend/backend.h>

#include <memory>

namespace strut
{
/// The stages of the matrix generation, as a backend does them (Sanfui and Sharma 2020). Reports, where
/// given, are added to; each step is then waited for.
class AssemblyOperations
{
public:
  virtual ~AssemblyOperations() = default;

  /// Stage 1: from the connectivity alone. @throws OutOfMemory before anything is taken
  virtual NeighbourMatrix find_neighbours(const ConnectivityArrays &connectivity,
                                          NeighbourSort sort  = NeighbourSort::warp,
                                          StageReport *report = nullptr) const = 0;

  /// Stage 2. @throws OutOfMemory before anything is taken; Error where pattern_sizes() does
  virtual SparsePattern make_pattern(const NeighbourMatrix &neighbours,
                                     MatrixFormat format,
                                     int dofs_per_node,
                                     StageReport *report = nullptr) const = 0;

  /// Stage 3. @throws OutOfMemory before anything is taken; Error if the backend has not this method
  template <typename Number>
  std::unique_ptr<ValueStage<Number>> make_value_stage(const ValueProblem &problem) const
  {
    return get_value_stage(NumberTag<Number>(), problem);
  }

private:
  virtual std::unique_ptr<ValueStage<double>> get_value_stage(NumberTag<double>,
                                                              const ValueProblem &) const = 0;
  virtual std::unique_ptr<ValueStage<float>> get_value_stage(NumberTag<float>,
                                                             const ValueProblem &) const  = 0;
};
} // namespace strut
