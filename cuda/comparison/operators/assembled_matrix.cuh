// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"
#include "source/comparison/assembly/assembly_operations.h"

#include <strut/backend/element_operator.h>

namespace strut::cuda
{
/// The common part of the GPU operators with an assembled matrix: the matrix, made on the device in
/// three stages (strut/assembly), its diagonal, and the strain energies. Derived classes define the
/// product.
///
/// Element matrices are kept, so that new stiffness factors renew the values alone, by `gather`,
/// with the same bits in every run.
template <typename Number>
class AssembledMatrix : public ElementOperator<Number>
{
public:
  void set_stiffness(const Array<double> &factors) override
  {
    stage_->assemble(factors, values_);
  }

  void diagonal(Array<Number> &d) const override;
  void diagonal_blocks(Array<Number> &blocks) const override;
  void energies(const Array<Number> &u, Array<double> &c) const override;

protected:
  /// Make the matrix.
  /// @param with_indices  whether to make the arrays of the pattern, and not its sizes alone
  AssembledMatrix(Backend &backend,
                  const ElementMesh &mesh,
                  const Material &material,
                  MatrixFormat format,
                  bool with_indices);

  /// Bytes that are kept, without the values and the indices.
  double common_memory_bytes() const;
  static double common_memory_estimate(std::size_t n_elements, std::size_t n_nodes);

  /// Estimated number of pairs of neighbours, to a hundredth unless there are few elements.
  static double n_pairs_estimate(std::size_t n_elements, std::size_t n_nodes);

  const Context &context_;

private:
  const Material material_;
  const MeshArrays mesh_;

protected:
  const NeighbourMatrix neighbours_;
  const SparsePattern pattern_;

private:
  const std::unique_ptr<ValueStage<Number>> stage_;

protected:
  Array<Number> values_; ///< `[pattern_.n_stored]`
};
} // namespace strut::cuda
