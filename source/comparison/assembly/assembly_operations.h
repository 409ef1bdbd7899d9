// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/comparison/assembly/matrix_product.h"
#include "source/comparison/assembly/value_stage.h"
#include "source/element/full_integration.h"

#include <strut/backend/backend.h>

#include <memory>
#include <tuple>

namespace strut
{
/// The stages of the matrix generation on a backend (Sanfui and Sharma 2020). Reports, if given,
/// are extended; each step is then waited for.
class AssemblyOperations
{
public:
  template <typename Number>
  using MakeValueStage = std::unique_ptr<ValueStage<Number>> (*)(Backend &, const ValueProblem &);

  template <typename Number>
  using MakeProduct = std::unique_ptr<MatrixProduct<Number>> (*)(Backend &,
                                                                 const GeneratedMatrix<Number> &);

  /// The functions that each backend implements.
  struct Functions
  {
    NeighbourMatrix (*find_neighbours)(Backend &,
                                       const ConnectivityArrays &,
                                       NeighbourSort,
                                       StageReport *);
    /// Fills the indices of a pattern whose arrays are allocated.
    void (*fill_pattern)(Backend &, const NeighbourMatrix &, SparsePattern &);
    std::tuple<MakeValueStage<double>, MakeValueStage<float>> make_value_stage;
    std::tuple<MakeProduct<double>, MakeProduct<float>> make_product;
  };

  /// @param backend  must outlive this object
  AssemblyOperations(Backend &backend, const Functions &functions)
    : backend_(backend), functions_(functions)
  {}

  /// Stage 1: the neighbours of nodes, from the connectivity alone.
  ///
  /// @throws OutOfMemory before any allocation
  NeighbourMatrix find_neighbours(const ConnectivityArrays &connectivity,
                                  const NeighbourSort sort  = NeighbourSort::warp,
                                  StageReport *const report = nullptr) const
  {
    return functions_.find_neighbours(backend_, connectivity, sort, report);
  }

  /// Stage 2: the sparsity pattern.
  ///
  /// @throws OutOfMemory before any allocation; Error as pattern_sizes()
  SparsePattern make_pattern(const NeighbourMatrix &neighbours,
                             MatrixFormat format,
                             int dofs_per_node,
                             StageReport *report = nullptr) const;

  /// Stage 3: the values.
  ///
  /// @throws OutOfMemory before any allocation; Error if the backend does not offer the method
  template <typename Number>
  std::unique_ptr<ValueStage<Number>> make_value_stage(const ValueProblem &problem) const
  {
    require_full_integration(problem.material,
                             "Matrix generation",
                             "an operator that assembles nothing: on_the_fly, ebe or nbn");
    return std::get<MakeValueStage<Number>>(functions_.make_value_stage)(backend_, problem);
  }

  /// Makes the product with a generated matrix, for solvers.
  template <typename Number>
  std::unique_ptr<MatrixProduct<Number>> make_product(const GeneratedMatrix<Number> &matrix) const
  {
    return std::get<MakeProduct<Number>>(functions_.make_product)(backend_, matrix);
  }

private:
  Backend &backend_;
  Functions functions_;
};

/// The matrix generation of a backend, which must outlive it. Throws Error for a backend from
/// outside.
AssemblyOperations assembly_operations(Backend &backend);

namespace cpu
{
AssemblyOperations::Functions assembly_functions();
}
namespace cuda
{
AssemblyOperations::Functions assembly_functions();
}
} // namespace strut
